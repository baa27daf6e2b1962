"""Tests that an installed harbor that differs from the published wheel ends the run with one line."""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
import tomli

from parity.reference import WheelError, guard, read_identity, verify_wheel
from parity.reference.releases import (
    HARBOR_VERSION,
    constraints_of,
    pinned_versions,
    unpinned_packages,
    wheel_hashes,
)

_ROOT = Path(__file__).resolve().parent.parent
_SCORED = Path("harbor", "metrics", "mean.py")
_INFO = Path(f"harbor-{HARBOR_VERSION}.dist-info")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the installed harbor, which the guard checks instead of the real one."""
    files = importlib.metadata.files("harbor") or []
    for file in files:
        if file.parts[0].startswith("harbor") and "__pycache__" not in file.parts:
            target = tmp_path / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(file.locate()), target)
    monkeypatch.setattr(guard, "distribution", lambda name: importlib.metadata.PathDistribution(tmp_path / _INFO))
    origin = ModuleSpec("harbor", None, origin=str(tmp_path / "harbor" / "__init__.py"))
    monkeypatch.setattr(guard, "find_spec", lambda name: origin)
    return tmp_path


def _edit(site: Path, file: Path, change: Callable[[bytes], bytes]) -> None:
    path = site / file
    path.write_bytes(change(path.read_bytes()))


def _edit_a_file(site: Path) -> None:
    _edit(site, _SCORED, lambda content: content.replace(b"/", b"*", 1))


def _edit_a_file_and_its_record(site: Path) -> None:
    _edit(site, _SCORED, lambda content: content + b"\n")
    digest = guard.record_hash((site / _SCORED).read_bytes())
    row = re.compile(rf"^{_SCORED},.*$".encode(), re.MULTILINE)
    _edit(site, _INFO / "RECORD", lambda content: row.sub(f"{_SCORED},{digest},".encode(), content))


def _change_the_version(site: Path, version: bytes = b"0.13.2") -> None:
    _edit(site, _INFO / "METADATA", lambda content: content.replace(b"Version: 0.13.1", b"Version: " + version))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            _edit_a_file,
            "harbor was edited: SITE/harbor/metrics/mean.py does not have the hash that RECORD gives it; "
            "repair it with: pip install --force-reinstall --no-deps harbor==0.13.1",
        ),
        (_edit_a_file_and_its_record, "harbor's RECORD is not the one published with 0.13.1;"),
        (
            lambda site: (site / _SCORED).unlink(),
            "harbor is incomplete: SITE/harbor/metrics/mean.py: No such file",
        ),
        (lambda site: (site / _INFO / "RECORD").unlink(), "harbor is installed without a RECORD of its files"),
        (_change_the_version, "harbor 0.13.2 is installed, but the reference is 0.13.1;"),
        (
            lambda site: (site / "harbor" / "metrics" / "mean.abi3.so").touch(),
            "SITE/harbor/metrics/mean.abi3.so is not a file of harbor 0.13.1; repair it with: rm",
        ),
    ],
)
def test_changed_wheel_is_refused(site: Path, change: Callable[[Path], object], message: str) -> None:
    """Each change to the installed wheel is reported in one line with its place and the command that repairs it."""
    change(site)

    with pytest.raises(WheelError) as caught:
        verify_wheel()

    line = str(caught.value).replace(str(site), "SITE")
    assert line.startswith(message)
    assert "\n" not in line


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("0.25.0", "harbor's RECORD is not the one published with 0.25.0; repair it with: pip install "),
        ("9.9", "harbor 9.9 is not a release that can be asked; repair it with: installing 0.26.0"),
    ],
)
def test_known_release_passes(site: Path, version: str, message: str) -> None:
    """In a separate environment, any published release passes, and an unknown release is refused."""
    before = verify_wheel(None)
    _change_the_version(site, version.encode())

    with pytest.raises(WheelError) as caught:
        verify_wheel(None)

    assert before == "0.13.1"
    assert str(caught.value).startswith(message)


def test_release_without_a_published_hash_is_unverified(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A release without a published hash passes with its hash from the first use, and is marked as unverified."""
    monkeypatch.setenv("PARITY_CACHE", str(tmp_path))
    (tmp_path / "harbor-9.9.sha256").write_text(wheel_hashes()["0.13.1"])
    _change_the_version(site, b"9.9")

    release = verify_wheel(None)

    assert read_identity(release).trust == ", unverified: its hash was recorded at first use"
    assert read_identity("0.13.1").trust == ""


def test_directory_named_harbor_is_refused(site: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A directory named harbor is refused if it would be imported instead of the installed harbor."""
    here = tmp_path_factory.mktemp("here")
    shutil.copytree(site / "harbor", here / "harbor")

    run = subprocess.run(
        [sys.executable, "-m", "pytest", "--pyargs", "parity"], capture_output=True, text=True, cwd=here
    )

    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert run.stderr.startswith(f"ERROR: {here / 'harbor'} comes before the installed harbor in ")


@pytest.mark.parametrize(
    ("package", "message"),
    [
        ("toml", "harbor is intact, but cannot be imported: SystemError: half installed"),
        ("pydantic", "harbor-parity cannot be imported: SystemError: half installed"),
    ],
)
def test_broken_dependency_is_reported_in_one_line(site: Path, package: str, message: str) -> None:
    """A dependency that cannot be imported is reported in one line with the reason."""
    (site / f"{package}.py").write_text("raise SystemError('half installed')\n")

    run = subprocess.run(
        [sys.executable, "-m", "pytest", "--pyargs", "parity"],
        capture_output=True, text=True, cwd=site, env={**os.environ, "PYTHONPATH": str(site)},
    )  # fmt: skip

    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert message in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1


def test_missing_harbor_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """If harbor is not installed, the message states the command that installs it."""

    def missing(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(guard, "distribution", missing)

    with pytest.raises(WheelError, match=r"harbor is not installed; repair it with: pip install harbor==0\.13\.1"):
        verify_wheel()


def test_project_pins_the_same_harbor() -> None:
    """The project, the guard and the pinned environment have the same version, and all requirements are pinned."""
    project = tomli.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = {*project["dependencies"], *extras["harbor"], *extras["tests"]} - {"harbor-parity[harbor]"}

    assert f"harbor=={HARBOR_VERSION}; python_version >= '3.12'" in needed
    assert {re.split("[=>]", requirement)[0] for requirement in needed} <= set(pinned_versions())


def test_pinned_environment_is_installed() -> None:
    """The tests run in the pinned environment."""
    assert pinned_versions()["harbor"] == HARBOR_VERSION
    assert unpinned_packages() == []


def test_releases_have_the_same_pins() -> None:
    """All known releases have the same pins for pydantic."""
    pins = [pinned_versions(constraints_of(release)) for release in wheel_hashes()]

    assert len({tuple(each[name] for name in ("pydantic", "pydantic-core")) for each in pins}) == 1


def test_harbor_uses_no_network() -> None:
    """The reference forbids Harbor to use the network, whatever environment variables the user has set."""
    names = ("LITELLM_LOCAL_MODEL_COST_MAP", "HARBOR_TELEMETRY")
    program = f"import os, parity.reference; print(*(os.environ[name] for name in {names}))"
    variables = {**os.environ, **dict.fromkeys(names, "")}

    printed = subprocess.run([sys.executable, "-c", program], env=variables, capture_output=True, text=True).stdout

    assert printed == "True off\n"
