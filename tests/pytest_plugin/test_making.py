"""`--reference 0.13.1`: the environment that is made for it, once, and what may keep it from being made."""

import errno
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from parity.reference import WheelError
from parity.reference.releases import known_releases
from parity.reference.separate import making
from parity.reference.separate.making import is_release, python_of, renewal
from tests.pytest_plugin.foreign import Run, site_without


@pytest.fixture(autouse=True)
def _index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with wheels of these names in place of an index; the cache is beside it, and there is no uv."""
    index = tmp_path / "index"
    index.mkdir()
    for name, version in (("harbor", "0.13.1"), ("tomli", "2.3.2")):
        info = f"{name}-{version}.dist-info"
        with zipfile.ZipFile(index / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{name}/__init__.py", "")
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{info}/RECORD", "")
    for variable, value in (("PIP_NO_INDEX", "1"), ("PIP_FIND_LINKS", index), ("PARITY_CACHE", tmp_path / "cache")):
        monkeypatch.setenv(variable, str(value))
    monkeypatch.setattr(making, "which", lambda name: None)


def _made(cache: Path) -> list[str]:
    """What is in the cache but locks."""
    return sorted(path.name for path in cache.iterdir() if path.suffix != ".lock")


def test_it_is_made_once(tmp_path: Path) -> None:
    """After one line that says so; what an earlier run left half-made is not used, and removed."""
    cache, lines = tmp_path / "cache", list[str]()
    folder = making._folder("0.13.1")
    (cache / f"{folder.name}.new" / "bin").mkdir(parents=True)

    python = python_of("0.13.1", lines.append)
    again = python_of("0.13.1", lines.append)

    assert again == python
    assert lines == [f"parity: installing harbor 0.13.1 for --reference, once, into {folder}"]
    assert _made(cache) == [folder.name]
    shown = subprocess.run([python, "-m", "pip", "list"], capture_output=True, text=True, check=True).stdout
    assert "harbor 0.13.1" in " ".join(shown.split())


def test_one_that_lost_its_interpreter_is_made_again() -> None:
    """As when the Python that it was made from is removed."""
    python = python_of("0.13.1", print)
    python.unlink()

    assert python_of("0.13.1", print).exists()


def test_runs_wait_for_one_another(tmp_path: Path) -> None:
    """Several at once make one, and all but one say that they wait."""
    program = "from parity.reference.separate.making import python_of; print(python_of('0.13.1', print))"
    runs = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(3)]

    printed = [run.communicate()[0].splitlines() for run in runs]

    assert [run.returncode for run in runs] == [0, 0, 0]
    assert len({lines[-1] for lines in printed}) == 1
    assert sum(line.startswith("parity: installing") for lines in printed for line in lines) == 1


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pip ask an index that nobody serves, and uv, which can install from what it has kept, not be found."""
    folders = [each for each in os.environ["PATH"].split(os.pathsep) if not Path(each, "uv").exists()]
    monkeypatch.setenv("PATH", os.pathsep.join(folders))
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("PIP_RETRIES", "1")


@pytest.mark.usefixtures("no_network")
def test_no_network(tmp_path: Path) -> None:
    """One line says what pip said, and what can be done without; nothing is left."""
    with pytest.raises(WheelError) as caught:
        python_of("0.13.1", print)

    assert re.fullmatch(
        "--reference: harbor could not be installed: python -m pip: .*Connection refused.*; repair it with: "
        "trying again with a network; or compare with golden vectors alone: --reference golden",
        str(caught.value),
    )
    assert _made(tmp_path / "cache") == []


@pytest.mark.parametrize("starts", ["exit 127", "[ $1 = --version ] || exit 2"])
def test_a_uv_that_cannot(starts: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As what pyenv puts there for a Python that is not selected, or without the index that pip has: pip is used."""
    shim = tmp_path / "uv"
    shim.write_text(f"#!/bin/sh\n{starts}\n")
    shim.chmod(0o755)
    monkeypatch.setattr(making, "which", lambda name: str(shim))

    assert python_of("0.13.1", print).exists()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS])
def test_no_place_for_it(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line names the folder, and how to name another."""

    def refuse(self: Path, **_: object) -> None:
        raise OSError(number, os.strerror(number), str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)

    with pytest.raises(WheelError) as caught:
        python_of("0.13.1", print)

    assert str(caught.value) == (
        f"--reference 0.13.1: {os.environ['PARITY_CACHE']}: {os.strerror(number)}; "
        "repair it with: PARITY_CACHE=FOLDER, which names another cache folder"
    )


def test_a_full_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What pip says of it is shown, and nothing is left."""
    python = tmp_path / "python"
    fails = "[ $2 = venv ] || { echo error: No space left >&2; exit 1; }"
    python.write_text(f'#!/bin/sh\nmkdir -p "$3/bin"\n{fails}\ncp "$0" "$3/bin/python"\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))

    with pytest.raises(WheelError, match=r"harbor could not be installed: python -m pip: error: No space left; "):
        python_of("0.13.1", print)

    assert _made(tmp_path / "cache") == []


def test_an_unknown_release() -> None:
    """Those that are known are named; whatever is no version is an interpreter."""
    with pytest.raises(WheelError) as caught:
        python_of("9.9", print)

    line = f"--reference 9.9: not a release that can be asked; repair it with: naming {known_releases()}"
    assert str(caught.value) == line

    assert is_release("0.13.1")
    assert not any(map(is_release, ("python3.13", "/usr/bin/python3", "3.12/python")))


def test_a_damaged_environment(run: Run) -> None:
    """It is not used: one line says how to have it made again. Here, harbor is an empty package."""
    python = python_of("0.13.1", print)

    ran = run("--pyargs", "parity", "--profile", "quick", "--reference", "0.13.1")

    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert ran.stdout == ""
    assert ran.stderr == f"ERROR: --reference {python}: it has no rich; repair it with: {renewal(python)}\n\n"


@pytest.mark.usefixtures("no_network")
def test_without_harbor_and_without_network(tmp_path: Path, run: Run) -> None:
    """It is to be made, which is said, and that it cannot be."""
    ran = run("--pyargs", "parity", site=site_without(tmp_path / "site", "harbor", "syrupy"))

    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert ran.stdout == ""
    installing, error = ran.stderr.strip().splitlines()
    assert installing.startswith("parity: installing harbor 0.13.1 for --reference, once, into ")
    assert error.startswith("ERROR: --reference: harbor could not be installed: ")
    assert error.endswith("or compare with golden vectors alone: --reference golden")
