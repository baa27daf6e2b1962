"""`--reference 0.13.1` makes its environment once; anything that prevents this gives one line."""

import errno
import os
import re
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree

import pytest

from parity.reference import WheelError
from parity.reference.guard import record_hash
from parity.reference.releases import first_use_file, known_releases
from parity.reference.separate import making
from parity.reference.separate.making import is_release, python_of, renewal
from tests.pytest_plugin.foreign import Run, site_without


@pytest.fixture(autouse=True)
def _index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Provide a folder of wheels instead of an index, an empty cache, and no uv."""
    index = tmp_path / "index"
    index.mkdir()
    _add_wheel(index, "harbor", "0.13.1")
    _add_wheel(index, "tomli", "2.3.2")
    for variable, value in (("PIP_NO_INDEX", "1"), ("PIP_FIND_LINKS", index), ("PARITY_CACHE", tmp_path / "cache")):
        monkeypatch.setenv(variable, str(value))
    monkeypatch.setattr(making, "which", lambda name: None)


def _add_wheel(index: Path, name: str, version: str, needs: str = "tomli", code: str = "") -> None:
    """Write a wheel with one module into the folder."""
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    needed = f"Requires-Dist: {needs}\n" if name == "harbor" else ""
    with zipfile.ZipFile(index / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}/__init__.py", code)
        wheel.writestr(f"{info}/METADATA", metadata + needed)
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", f"{name}/__init__.py,{record_hash(code.encode())},{len(code)}\n")


def _made(cache: Path) -> list[str]:
    """Return the names in the cache, except locks."""
    return sorted(path.name for path in cache.iterdir() if path.suffix != ".lock")


def test_it_is_made_once(tmp_path: Path) -> None:
    """The environment is made once, with a line about it; a half-made one is removed."""
    cache, lines = tmp_path / "cache", list[str]()
    folder = making._folder("0.13.1")
    (cache / f"{folder.name}.new" / "bin").mkdir(parents=True)

    python = python_of("0.13.1", lines.append)
    again = python_of("0.13.1", lines.append)

    assert again == python
    assert lines == [f"parity: installing harbor 0.13.1 for --reference, once, into {folder}"]
    assert _made(cache) == [folder.name]
    code = "from importlib.metadata import version; print(version('harbor'))"
    assert subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout == "0.13.1\n"


type StandIn = Callable[[str], None]


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    """Return a function that replaces the interpreter by a copy of itself whose pip runs a given script."""

    def make(pip: str) -> None:
        python = _script(
            tmp_path / "python", f'[ $2 = venv ] || {{ {pip}; }}\nmkdir -p "$3/bin"\ncp "$0" "$3/bin/python"'
        )
        monkeypatch.setattr(sys, "executable", str(python))

    return make


def _script(path: Path, lines: str) -> Path:
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)
    return path


def test_one_that_lost_its_interpreter_is_made_again(stand_in: StandIn) -> None:
    """An environment that has lost its interpreter is made again."""
    stand_in("exit 0")
    python = python_of("0.13.1", print)
    python.unlink()

    assert python_of("0.13.1", print).exists()


def test_runs_wait_for_one_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If several runs start at once, one makes the environment, and the others say that they wait."""
    (tmp_path / "programs").mkdir()
    may_end = tmp_path / "may-end"
    waits = f"until [ -e '{may_end}' ]; do sleep 0.05; done"
    _script(
        tmp_path / "programs" / "uv", f'[ "$1" = venv ] || exit 0\n{waits}\nmkdir -p "$4/bin"\ntouch "$4/bin/python"'
    )
    monkeypatch.setenv("PATH", f"{tmp_path / 'programs'}:/usr/bin:/bin")
    program = "from parity.reference.separate.making import python_of; print(python_of('0.13.1', print))"
    runs = [subprocess.Popen([sys.executable, "-uc", program], stdout=subprocess.PIPE, text=True) for _ in range(3)]

    first = sorted(run.stdout.readline().split(maxsplit=2)[1] for run in runs if run.stdout)
    may_end.touch()
    made = {run.communicate()[0] for run in runs}

    assert [run.returncode for run in runs] == [0, 0, 0]
    assert first == ["installing", "waiting", "waiting"]
    assert made == {f"{making._folder('0.13.1') / 'bin' / 'python'}\n"}


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pip use an index that is not served, and hide uv, which could install from its cache."""
    folders = [each for each in os.environ["PATH"].split(os.pathsep) if not Path(each, "uv").exists()]
    monkeypatch.setenv("PATH", os.pathsep.join(folders))
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("PIP_RETRIES", "1")


@pytest.mark.parametrize("starts", ["exit 127", "[ $1 = --version ] || exit 2"])
def test_a_uv_that_cannot(starts: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stand_in: StandIn) -> None:
    """If uv does not start or fails, pip is used."""
    stand_in(f"echo $* > '{tmp_path / 'pip'}'; exit")
    shim = _script(tmp_path / "uv", starts)
    monkeypatch.setattr(making, "which", lambda name: str(shim))

    assert python_of("0.13.1", print).exists()
    assert re.fullmatch(r"-m pip install -q -c .+ harbor==0\.13\.1 tomli\n", (tmp_path / "pip").read_text())


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS])
def test_no_place_for_it(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be written gives one line that says how to name another one."""

    def refuse(self: Path, **_: object) -> None:
        raise OSError(number, os.strerror(number), str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)

    with pytest.raises(WheelError) as caught:
        python_of("0.13.1", print)

    assert str(caught.value) == (
        f"--reference 0.13.1: {os.environ['PARITY_CACHE']}: {os.strerror(number)}; "
        "repair it with: PARITY_CACHE=FOLDER, which names another cache folder"
    )


def test_a_full_disk(tmp_path: Path, stand_in: StandIn) -> None:
    """On a full disk, pip's message is shown, and nothing is left."""
    stand_in("echo error: No space left >&2; exit 1")

    with pytest.raises(WheelError, match=r"harbor could not be installed: python -m pip: error: No space left; "):
        python_of("0.13.1", print)

    assert _made(tmp_path / "cache") == []


def test_an_unknown_release() -> None:
    """An unknown release is refused with the known ones; a name that is not a version is an interpreter."""
    with pytest.raises(WheelError) as caught:
        python_of("9.9", print)

    line = f"--reference 9.9: not a release that can be asked; repair it with: naming {known_releases()}"
    assert str(caught.value) == line

    assert is_release("0.13.1")
    assert not any(map(is_release, ("python3.13", "/usr/bin/python3", "3.12/python")))


@pytest.mark.parametrize(("named", "version"), [("newest", "98.0"), ("pre", "98.1.dev2")])
def test_the_newest(named: str, version: str, tmp_path: Path) -> None:
    """`newest` is the newest release of the index, `pre` also a pre-release; its version is known then."""
    for each in ("97.0", "98.0", "98.1.dev1", "98.1.dev2"):
        _add_wheel(tmp_path / "index", "harbor", each)

    python = python_of(named, print)

    assert is_release(named)
    assert python.parents[1] == making._folder(version)
    assert python_of(version, print) == python
    assert first_use_file(version).is_file()


def test_a_release_that_refuses_the_pinned_packages(tmp_path: Path) -> None:
    """A newest release that needs other packages than the pinned ones is installed without pins."""
    _add_wheel(tmp_path / "index", "attrs", "99.0")
    _add_wheel(tmp_path / "index", "harbor", "98.0", needs="attrs>=99")

    python = python_of("newest", print)

    (site,) = python.parents[1].glob("lib/*/site-packages")
    assert (site / "attrs-99.0.dist-info").is_dir()


def test_other_files_than_at_first_use(tmp_path: Path) -> None:
    """If the files of the newest release are not those of its first use, it is refused, and nothing is made."""
    _add_wheel(tmp_path / "index", "harbor", "98.0")
    rmtree(python_of("newest", print).parents[1])
    _add_wheel(tmp_path / "index", "harbor", "98.0", code="changed = True")

    with pytest.raises(WheelError) as caught:
        python_of("98.0", print)

    file = first_use_file("98.0")
    assert str(caught.value) == (
        f"--reference 98.0: its files are not those of its first use; repair it with: rm {file}"
    )
    assert _made(tmp_path / "cache") == [file.name]


def test_a_damaged_environment(tmp_path: Path, run: Run) -> None:
    """A damaged environment gives one line with the command that makes it again."""
    venv.create(making._folder("0.13.1"))
    python = python_of("0.13.1", print)
    (site,) = python.parents[1].glob("lib/*/site-packages")
    zipfile.ZipFile(tmp_path / "index" / "harbor-0.13.1-py3-none-any.whl").extractall(site)

    ran = run("--pyargs", "parity", "--profile", "quick", "--reference", "0.13.1")

    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert ran.stdout == ""
    assert ran.stderr == f"ERROR: --reference {python}: it has no pydantic; repair it with: {renewal(python)}\n\n"


@pytest.mark.usefixtures("no_network")
def test_without_harbor_and_without_network(tmp_path: Path, run: Run) -> None:
    """Without Harbor and network, one line has pip's message and the alternative, and nothing is left."""
    ran = run("--pyargs", "parity", site=site_without(tmp_path / "site", "harbor", "syrupy"))

    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert ran.stdout == ""
    installing, error = ran.stderr.strip().splitlines()
    assert installing.startswith("parity: installing harbor 0.13.1 for --reference, once, into ")
    assert re.fullmatch(
        "ERROR: --reference: harbor could not be installed: python -m pip: .*Connection refused.*; repair it with: "
        "trying again with a network; or compare with golden vectors alone: --reference golden",
        error,
    )
    assert _made(tmp_path / "cache") == []
