"""Before a job begins, the preflight tries a sandbox like trials do, with the Python that they will use."""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from parity.driver.sandbox import SandboxUnavailable
from parity.driver.sandboxes import forking
from parity.driver.sandboxes.local import LocalSandboxes
from tests.sandboxes.kinds import Kind

_WITHOUT_CALLS = "import os, signal; del os.memfd_create, os.pidfd_open, signal.pidfd_send_signal\n"
"""Python source that removes system calls, as in a Python that was built on an old system."""

_TRY = "from parity.driver.sandboxes.local import LocalSandboxes; LocalSandboxes().preflight()"


@pytest.fixture
def folder() -> Iterator[Path]:
    """Return a folder that every user of the host can enter."""
    path = Path(tempfile.mkdtemp(prefix="parity-preflight-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def no_helper(local: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next sandbox start a new helper."""
    monkeypatch.setattr(forking, "_HELPERS", {})


def _program(path: Path, source: str) -> str:
    path.write_text(f"#!/bin/bash\n{source}\n")
    path.chmod(0o755)
    return str(path)


def _python(path: Path, before: str) -> str:
    """Write a Python that first runs bash source, which may set `more` to Python source that runs before."""
    return _program(path, f'more=\n{before}\nexec {shlex.quote(sys.executable)} "$1" "$2" "$3" "$more$4" "${{@:5}}"')


def test_a_python_that_was_built_on_an_old_system(local: Kind, folder: Path) -> None:
    """A Python without newer system calls passes, here and in the helper."""
    python = _python(folder / "python", f"more={shlex.quote(_WITHOUT_CALLS)}")
    source = f"{_WITHOUT_CALLS}import sys; sys.executable = {python!r}\n{_TRY}"

    tried = subprocess.run([sys.executable, "-W", "default", "-c", source], capture_output=True, text=True, check=False)

    assert (tried.returncode, tried.stderr) == (0, "")


@pytest.mark.usefixtures("no_helper")
def test_a_python_that_needs_to_be_shown_its_library(
    local: Kind, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Python that needs LD_LIBRARY_PATH passes, because the helper gets it, too."""
    monkeypatch.setenv("LD_LIBRARY_PATH", str(folder))
    python = _python(folder / "python", f"[[ $LD_LIBRARY_PATH == {folder} ]] || exit 127")
    monkeypatch.setattr(sys, "executable", python)

    LocalSandboxes().preflight()


@pytest.mark.usefixtures("no_helper")
@pytest.mark.parametrize(
    ("before", "failure"),
    [
        ("echo python: no libpython >&2; exit 127", "RuntimeError: python: no libpython"),
        ("exit 1", "RuntimeError: the helper that enters sandboxes has ended"),
        ("more=$'import os; del os.setns\\n'", "AttributeError: module 'os' has no attribute 'setns'"),
    ],
    ids=["no-library", "silent", "no-call"],
)
def test_a_python_that_cannot_enter_sandboxes(
    local: Kind, folder: Path, monkeypatch: pytest.MonkeyPatch, before: str, failure: str
) -> None:
    """A Python that cannot enter sandboxes is named in one line with its message and the remedy."""
    python = _python(folder / "python", before)
    monkeypatch.setattr(sys, "executable", python)

    with pytest.raises(SandboxUnavailable) as raised:
        LocalSandboxes().preflight()

    said = str(raised.value)
    assert said.startswith(f"the local sandbox was tried with {python}, and failed (")
    assert failure in said
    assert said.endswith("); repair that, use another build of Python or a newer bubblewrap, or --sandbox docker")
    assert "\n" not in said


def test_a_bubblewrap_that_may_not_make_namespaces(local: Kind, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bubblewrap that may not make namespaces is reported with its message and the remedy."""
    _program(folder / "bwrap", "echo bwrap: No permissions to create new namespace >&2; exit 1")
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    with pytest.raises(SandboxUnavailable) as raised:
        LocalSandboxes().preflight()

    assert str(raised.value).startswith("bwrap cannot make a sandbox (bwrap: No permissions to create new namespace); ")


def test_a_bubblewrap_that_is_too_old(local: Kind, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bubblewrap that is too old for trials is reported."""
    real = shutil.which("bwrap")
    unknown = "echo bwrap: Unknown option --size >&2; exit 1"
    _program(folder / "bwrap", f'for word; do [[ $word != --size ]] || {{ {unknown}; }}; done; exec {real} "$@"')
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    with pytest.raises(SandboxUnavailable, match=r"failed \(RuntimeError: .*Unknown option --size\).*newer bubblewrap"):
        LocalSandboxes().preflight()
