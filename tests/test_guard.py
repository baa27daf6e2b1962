"""Tests that an installed harbor that differs from the published wheel ends the run with one line."""

import importlib.metadata
import os
import py_compile
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import cache_from_source
from pathlib import Path
from py_compile import PycInvalidationMode

import pytest
import tomli

from parity.reference import SeparateReference, WheelError, guard, read_identity, verify_wheel
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


_COPIED = ("harbor", "pydantic", "pydantic-core")


def _copy_packages(target: Path) -> Path:
    """Copy harbor and pydantic without their bytecode into a directory, and return the directory."""
    for file in (file for name in _COPIED for file in importlib.metadata.files(name) or []):
        if ".." not in file.parts and "__pycache__" not in file.parts:
            (target / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(file.locate()), target / file)
    return target


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a directory of copied packages, which the guard checks instead of the installed ones."""

    def distribution(name: str) -> importlib.metadata.Distribution:
        (info,) = tmp_path.glob(f"{name.replace('-', '_')}-*.dist-info")
        return importlib.metadata.PathDistribution(info)

    def find_spec(name: str) -> ModuleSpec:
        path = str(tmp_path / name / "__init__.py")
        return ModuleSpec(name, SourceFileLoader(name, path), origin=path)

    monkeypatch.setattr(guard, "distribution", distribution)
    monkeypatch.setattr(guard, "find_spec", find_spec)
    return _copy_packages(tmp_path)


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


def _link_a_directory_in_place_of_a_module(site: Path) -> None:
    (site / "elsewhere").mkdir()
    (site / "elsewhere" / "__init__.py").touch()
    (site / "harbor" / "metrics" / "mean").symlink_to(site / "elsewhere")


def _put_a_package_in_place_of_a_module(site: Path) -> None:
    (site / "harbor" / "metrics" / "mean").mkdir()
    (site / "harbor" / "metrics" / "mean" / "__init__.py").touch()


def _put_bytecode_in_place_of_a_module(site: Path) -> None:
    py_compile.compile(str(site / _SCORED), cfile=str((site / _SCORED).with_suffix(".pyc")))


def _edit_pydantic(site: Path) -> None:
    _edit(site, Path("pydantic", "types.py"), lambda content: content + b"\n")


def _edit_the_core_of_pydantic(site: Path) -> None:
    (library,) = (site / "pydantic_core").glob("*.so")
    _edit(site, library, lambda content: content + b"\0")


def _shadow_the_core_of_pydantic(site: Path) -> None:
    (site / "pydantic_core" / "_pydantic_core.so").touch()


def _remove_the_record_of_pydantic(site: Path) -> None:
    (record,) = site.glob("pydantic-*/RECORD")
    record.unlink()


_PYDANTIC = f"repair it with: {guard._REPAIR}pydantic=={importlib.metadata.version('pydantic')}"


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
        (_link_a_directory_in_place_of_a_module, "SITE/harbor/metrics/mean is not a file of harbor 0.13.1;"),
        (_put_a_package_in_place_of_a_module, "SITE/harbor/metrics/mean/__init__.py is not a file of harbor 0.13.1;"),
        (_put_bytecode_in_place_of_a_module, "SITE/harbor/metrics/mean.pyc is not a file of harbor 0.13.1;"),
        (
            _edit_pydantic,
            f"pydantic was edited: SITE/pydantic/types.py does not have the hash that RECORD gives it; {_PYDANTIC}",
        ),
        (_edit_the_core_of_pydantic, "pydantic-core was edited: SITE/pydantic_core/_pydantic_core."),
        (_shadow_the_core_of_pydantic, "SITE/pydantic_core/_pydantic_core.so is not a file of pydantic-core "),
        (
            _remove_the_record_of_pydantic,
            f"pydantic is installed without a RECORD of its files (an editable install, perhaps); {_PYDANTIC}",
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


def _compile_another_source(site: Path, compile_source: Callable[[Path], object]) -> None:
    """Compile an edited source; then put the original one back, with the size and the times of the edited one."""
    path = site / _SCORED
    content = path.read_bytes()
    _edit_a_file(site)
    times = path.stat()
    compile_source(path)
    path.write_bytes(content)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def _compile(path: Path) -> None:
    py_compile.compile(str(path))


def _compile_checked(path: Path) -> None:
    py_compile.compile(str(path), invalidation_mode=PycInvalidationMode.CHECKED_HASH)


def _compile_unchecked(path: Path) -> None:
    py_compile.compile(str(path), invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)


def _truncate_bytecode(path: Path) -> None:
    cached = Path(py_compile.compile(str(path)) or "")
    cached.write_bytes(cached.read_bytes()[:100])


@pytest.mark.parametrize("compile_source", [_compile, _compile_unchecked, _truncate_bytecode])
@pytest.mark.parametrize("prefix", [None, "cache"])
def test_bytecode_of_another_source_is_refused(
    compile_source: Callable[[Path], object], prefix: str | None, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytecode that would be executed, and is not that of the verified source, is refused, wherever it is."""
    monkeypatch.setattr(sys, "pycache_prefix", prefix and str(site / prefix))
    _compile_another_source(site, compile_source)
    path, cached = site / _SCORED, Path(cache_from_source(str(site / _SCORED)))

    with pytest.raises(WheelError) as caught:
        verify_wheel()

    assert str(caught.value) == (
        f"{cached} would be executed, but is not what {path} compiles to; repair it with: rm -r '{cached.parent}'"
    )


def _change_magic_number(path: Path) -> None:
    cached = Path(py_compile.compile(str(path)) or "")
    cached.write_bytes(bytes([0, 0]) + cached.read_bytes()[2:])


def _compile_with_other_time(path: Path) -> None:
    os.utime(path, (0, 0))
    py_compile.compile(str(path))


def _compile_optimized(path: Path) -> None:
    py_compile.compile(str(path), optimize=2)


def _compile_for_another_python(path: Path) -> None:
    py_compile.compile(str(path), cfile=str(path.parent / "__pycache__" / f"{path.stem}.cpython-310.pyc"))


@pytest.mark.parametrize(
    "compile_source",
    [_change_magic_number, _compile_with_other_time, _compile_checked, _compile_optimized, _compile_for_another_python],
)
def test_bytecode_that_is_not_executed_is_ignored(compile_source: Callable[[Path], object], site: Path) -> None:
    """Bytecode that this interpreter would not execute may be that of any source."""
    _compile_another_source(site, compile_source)

    assert verify_wheel() == HARBOR_VERSION


def test_bytecode_of_the_verified_source_passes(site: Path) -> None:
    """Bytecode of all of harbor's modules passes, whatever the compiler warns of."""
    for path in (site / "harbor").rglob("*.py"):
        py_compile.compile(str(path), quiet=2)

    assert verify_wheel() == HARBOR_VERSION


@pytest.mark.parametrize(("option", "level"), [((), ""), (("-O",), "1")])
def test_stale_bytecode_ends_a_run_without_a_verdict(option: tuple[str, ...], level: str, tmp_path: Path) -> None:
    """Stale bytecode ends a run with exit code 4 and one line, at any level of optimisation."""

    def compile_at_level(path: Path) -> None:
        py_compile.compile(str(path), optimize=int(level or 0))

    _compile_another_source(_copy_packages(tmp_path), compile_at_level)

    run = subprocess.run(
        [sys.executable, *option, "-m", "pytest", "--pyargs", "parity", "-k", "aggregate and golden"],
        capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip

    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    cached = cache_from_source(str(tmp_path / _SCORED), optimization=level)
    (line,) = (line for line in run.stderr.splitlines() if line.startswith("ERROR"))
    assert line.startswith(f"ERROR: {cached} would be executed, but is not what {tmp_path / _SCORED} compiles to;")


def test_stale_bytecode_in_another_environment_is_refused(tmp_path: Path) -> None:
    """Stale bytecode of a reference in another environment is refused in one line that names the interpreter."""
    venv.create(tmp_path / "environment", symlinks=True)
    python = tmp_path / "environment" / "bin" / "python"
    (site,) = (tmp_path / "environment").glob("lib/*/site-packages")
    (site / "others.pth").write_text(str(Path(pytest.__file__).parents[1]))
    _compile_another_source(_copy_packages(site), _compile)
    cached = Path(cache_from_source(str(site / _SCORED)))

    with pytest.raises(WheelError) as caught:
        SeparateReference(str(python))

    assert str(caught.value) == (
        f"--reference {python}: {cached} would be executed, but is not what {site / _SCORED} compiles to; "
        f"repair it with: rm -r '{cached.parent}'"
    )


def test_import_hook_is_refused(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An import hook, which could execute something else than harbor's source, is refused by its name."""

    class Hook(SourceFileLoader):
        pass

    path = str(site / "harbor" / "__init__.py")
    monkeypatch.setattr(guard, "find_spec", lambda name: ModuleSpec(name, Hook(name, path), origin=path))

    with pytest.raises(WheelError, match=r"^harbor would not be executed as it was published, because .*Hook imports "):
        verify_wheel()


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
    (site / package).mkdir(exist_ok=True)
    (site / package / "__init__.py").write_text("raise SystemError('half installed')\n")

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

    with pytest.raises(WheelError) as caught:
        verify_wheel()

    pinned = constraints_of(HARBOR_VERSION)
    assert str(caught.value) == f"harbor is not installed; repair it with: pip install -c {pinned} harbor==0.13.1"


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
