"""Tests that `--reference 0.13.1` makes its environment once, and that problems are reported in one line."""

import errno
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree

import pytest

from parity import reference
from parity.reference import ENVIRONMENT_FILE, WheelError
from parity.reference.guard import record_hash
from parity.reference.releases import first_use_file
from parity.reference.separate import environments
from parity.reference.separate.environments import is_release, open_separate, python_of
from tests.plugin.sites import run_in_site, site_without
from tests.running import Run


@pytest.fixture(autouse=True)
def _index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Provide a directory of wheels instead of a package index, and empty caches."""
    index = tmp_path / "index"
    index.mkdir()
    _add_wheel(index, "harbor", "0.13.1")
    _add_wheel(index, "tomli", "2.3.2")
    variables = {"UV_NO_INDEX": "1", "UV_FIND_LINKS": index, "UV_NO_CACHE": "1", "PARITY_CACHE": tmp_path / "cache"}
    for variable, value in variables.items():
        monkeypatch.setenv(variable, str(value))


def _add_wheel(index: Path, name: str, version: str, needs: str = "tomli", code: str = "") -> None:
    """Write a wheel with one module into the directory."""
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    needed = f"Requires-Dist: {needs}\n" if name == "harbor" else ""
    with zipfile.ZipFile(index / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}/__init__.py", code)
        wheel.writestr(f"{info}/METADATA", metadata + needed)
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", f"{name}/__init__.py,{record_hash(code.encode())},{len(code)}\n")


def _names(cache: Path) -> list[str]:
    """Return the names in the cache, except locks."""
    return sorted(path.name for path in cache.iterdir() if path.suffix != ".lock")


def test_environment_is_made_once(tmp_path: Path) -> None:
    """The environment is made once, with a line about it; an unfinished one is removed."""
    cache, lines = tmp_path / "cache", list[str]()
    directory = environments._directory_of("0.13.1")
    (cache / f"{directory.name}.new" / "bin").mkdir(parents=True)

    python = python_of("0.13.1", lines.append)
    again = python_of("0.13.1", lines.append)

    assert again == python
    assert lines == [f"parity: installing harbor 0.13.1 for --reference, once, into {directory}"]
    assert _names(cache) == [directory.name]
    code = "from importlib.metadata import version; print(version('harbor'))"
    assert subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout == "0.13.1\n"


type FakeUv = Callable[[str], Path]


@pytest.fixture
def fake_uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeUv:
    """Return a function that replaces uv by a script; its `uv venv` makes an empty environment."""

    def make(install: str) -> Path:
        path = tmp_path / "uv"
        path.write_text(
            f'#!/bin/sh\n[ $1 = venv ] || {{ {install}; exit; }}\nmkdir -p "$4/bin"\ntouch "$4/bin/python"\n'
        )
        path.chmod(0o755)
        monkeypatch.setattr(environments, "find_uv_bin", lambda: str(path))
        return path

    return make


def test_environment_without_interpreter_is_made_again(fake_uv: FakeUv) -> None:
    """An environment that has lost its interpreter is made again."""
    fake_uv("exit 0")
    python = python_of("0.13.1", print)
    python.unlink()

    assert python_of("0.13.1", print).exists()


def test_simultaneous_runs_wait_for_one_environment(tmp_path: Path, fake_uv: FakeUv) -> None:
    """If several runs start at once, one makes the environment, and the others report that they are waiting."""
    may_end = tmp_path / "may-end"
    uv = fake_uv(f"until [ -e '{may_end}' ]; do sleep 0.05; done")
    program = f"""
from parity.reference.separate import environments
environments.find_uv_bin = lambda: {str(uv)!r}
print(environments.python_of("0.13.1", print))
"""
    runs = [subprocess.Popen([sys.executable, "-uc", program], stdout=subprocess.PIPE, text=True) for _ in range(3)]

    first = sorted(run.stdout.readline().split(maxsplit=2)[1] for run in runs if run.stdout)
    may_end.touch()
    outputs = {run.communicate()[0] for run in runs}

    assert [run.returncode for run in runs] == [0, 0, 0]
    assert first == ["installing", "waiting", "waiting"]
    assert outputs == {f"{environments._directory_of('0.13.1') / 'bin' / 'python'}\n"}


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let uv use a package index that does not answer."""
    monkeypatch.delenv("UV_NO_INDEX")
    monkeypatch.delenv("UV_FIND_LINKS")
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9")
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")


def test_unwritable_cache_is_reported_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the cache directory cannot be written, one line states the way to name another directory."""

    def refuse(self: Path, **_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)

    with pytest.raises(WheelError) as caught:
        python_of("0.13.1", print)

    assert str(caught.value) == (
        f"--reference 0.13.1: {os.environ['PARITY_CACHE']}: {os.strerror(errno.EROFS)}; "
        "repair it with: PARITY_CACHE=DIRECTORY, which names another cache directory"
    )


def test_missing_harbor_is_not_installed_unasked(tmp_path: Path) -> None:
    """Without Harbor and `--reference`, one line says what to do, and nothing is installed."""
    site = site_without(tmp_path / "site", "harbor", "syrupy")

    ran = run_in_site(site, "--pyargs", "parity", cwd=tmp_path)

    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert ran.stderr.strip() == (
        f"ERROR: Harbor 0.13.1 is not installed here: `pip install -c {ENVIRONMENT_FILE} 'harbor-parity[harbor]'` to "
        "compare with the wheel itself, or `--reference golden` to compare with recorded answers, or "
        "`--reference 0.13.1` to let uv make an environment"
    )
    assert not (tmp_path / "cache").exists()


def test_warning_about_another_pydantic_has_the_command_to_type(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    """If pydantic is another release than the pinned one, the header's warning has the command that installs that."""
    monkeypatch.setattr(reference, "unpinned_packages", lambda _: ["pydantic is 2.13.0 instead of 2.14.3"])

    ran = run("--pyargs", "parity", "-k", "reason_code and golden")

    command = f"pip install -c {ENVIRONMENT_FILE} pydantic pydantic-core"
    assert ran.returncode == pytest.ExitCode.OK
    assert f"parity warning: pydantic is 2.13.0 instead of 2.14.3; {command}" in ran.stdout.splitlines()


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("newst", "--reference newest"),
        ("v0.13.1", "--reference 0.13.1"),
        ("wheel-of-harbor", "a release such as 0.26.0, or an interpreter's path"),
    ],
)
def test_misspelled_reference_is_refused(name: str, instead: str) -> None:
    """A name that is neither a release nor a program is refused in one line with a similar name or the valid forms."""
    with pytest.raises(WheelError) as caught:
        open_separate(name, print)

    line = f"--reference {name}: neither a release nor a program; repair it with: {instead}"
    assert str(caught.value) == line


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("9.9.9", "0.26.0"), ("0.13.2", "0.13.1"), ("0.9", "0.7.1"), ("0.27.0rc1", "0.26.0"), ("0.0.1", "0.1.45")],
)
def test_unknown_release_is_refused(name: str, nearest: str) -> None:
    """An unknown release is refused with the nearest known one that is not newer, or with the oldest."""
    with pytest.raises(WheelError) as caught:
        python_of(name, print)

    line = f"--reference {name}: not a release that can be asked; repair it with: naming {nearest}, newest or pre"
    assert str(caught.value) == line


def test_name_that_is_not_a_version_is_an_interpreter() -> None:
    """A name that is not a version is an interpreter's."""
    assert is_release("0.13.1")
    assert not any(map(is_release, ("python3.13", "/usr/bin/python3", "3.12/python")))


@pytest.mark.parametrize(("named", "version"), [("newest", "98.0"), ("pre", "98.1.dev2")])
def test_newest_release_is_found_in_the_index(named: str, version: str, tmp_path: Path) -> None:
    """`newest` means the newest release in the index, and `pre` the newest release or pre-release."""
    for each in ("97.0", "98.0", "98.1.dev1", "98.1.dev2"):
        _add_wheel(tmp_path / "index", "harbor", each)

    python = python_of(named, print)

    assert is_release(named)
    assert python.parents[1] == environments._directory_of(version)
    assert python_of(version, print) == python
    assert first_use_file(version).is_file()


def test_conflicting_release_is_installed_without_pins(tmp_path: Path) -> None:
    """A newest release that needs other packages than the pinned ones is installed without pins."""
    _add_wheel(tmp_path / "index", "attrs", "99.0")
    _add_wheel(tmp_path / "index", "harbor", "98.0", needs="attrs>=99")

    python = python_of("newest", print)

    (site,) = python.parents[1].glob("lib/*/site-packages")
    assert (site / "attrs-99.0.dist-info").is_dir()


def test_release_whose_files_changed_is_refused(tmp_path: Path) -> None:
    """If the files of a release differ from those at its first use, the release is refused, and nothing is made."""
    _add_wheel(tmp_path / "index", "harbor", "98.0")
    rmtree(python_of("newest", print).parents[1])
    _add_wheel(tmp_path / "index", "harbor", "98.0", code="changed = True")

    with pytest.raises(WheelError) as caught:
        python_of("98.0", print)

    file = first_use_file("98.0")
    assert str(caught.value) == (
        f"--reference 98.0: its files are not those of its first use; repair it with: rm {file}"
    )
    assert _names(tmp_path / "cache") == [file.name]


def test_damaged_environment_is_reported_with_the_remedy(run: Run) -> None:
    """A damaged environment is reported in one line, with a command after which it is made again."""
    python = python_of("0.13.1", print)

    ran = run("--pyargs", "parity", "--profile", "quick", "--reference", "0.13.1")

    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert ran.stdout == ""
    remedy = f"rm -r {python.parents[1]}, after which it is made again"
    golden = "or compare with golden vectors alone: --reference golden"
    assert ran.stderr.strip() == f"ERROR: --reference {python}: it has no pydantic; repair it with: {remedy}; {golden}"


@pytest.mark.usefixtures("no_network")
def test_missing_network_is_reported_with_the_remedy(tmp_path: Path, run: Run) -> None:
    """Without a network, one line has uv's message and an alternative, and the cache stays empty."""
    ran = run("--pyargs", "parity", "--reference", "0.13.1")

    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert ran.stdout == ""
    installing, error = ran.stderr.strip().splitlines()
    assert installing.startswith("parity: installing harbor 0.13.1 for --reference, once, into ")
    assert re.fullmatch(
        "ERROR: --reference: harbor could not be installed: uv: Failed to fetch: .*: Connection refused.*; "
        "repair it with: trying again with a network; or compare with golden vectors alone: --reference golden",
        error,
    )
    assert _names(tmp_path / "cache") == []
