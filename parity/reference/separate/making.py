"""Makes the environment of a release of Harbor, once, in the user's cache folder.

It is made under another name, and renamed when it is complete: one that was left half-made is never used. Several runs
at once wait for one another.
"""

import fcntl
import hashlib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree, which

from parity.reference.guard import WheelError
from parity.reference.releases import constraints_of, known_releases, wheel_hashes

_INSTEAD = "trying again with a network; or compare with golden vectors alone: --reference golden"
_ELSEWHERE = "PARITY_CACHE=FOLDER, which names another cache folder"

type Say = Callable[[str], None]


def is_release(name: str) -> bool:
    """Whether a reference is named by its version; else it is an interpreter."""
    return re.fullmatch(r"\d+(\.\d+)+", name) is not None


def python_of(release: str, say: Say) -> Path:
    """The interpreter of the release's environment, which is made where it is missing.

    Args:
        release: the version of Harbor.
        say: shows a line to whoever waits.

    Raises:
        WheelError: the release is not known, or its environment cannot be made.
    """
    if release not in wheel_hashes():
        raise WheelError(f"--reference {release}: not a release that can be asked", f"naming {known_releases()}")
    folder = _folder(release)
    python = folder / "bin" / "python"
    if python.exists():  # not where the interpreter that it leads to has gone
        return python
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _locked(folder.with_name(f"{folder.name}.lock"), say):
            if not python.exists():
                say(f"parity: installing harbor {release} for --reference, once, into {folder}")
                _make(folder, release)
    except OSError as error:
        raise WheelError(
            f"--reference {release}: {error.filename or folder}: {error.strerror or error}", _ELSEWHERE
        ) from None
    return python


def is_made(release: str) -> bool:
    """Whether the release's environment is there already."""
    return (_folder(release) / "bin" / "python").exists()


def renewal(python: Path) -> str:
    """The command after which an environment is made again."""
    return f"rm -r {shlex.quote(str(python.parents[1]))}, after which it is made again"


def _folder(release: str) -> Path:
    """Where the environment is: one for each interpreter series and list of constraints."""
    cache = os.environ.get("PARITY_CACHE")
    home = Path(cache) if cache else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "harbor-parity")
    pinned = hashlib.sha256(constraints_of(release).read_bytes()).hexdigest()[:8]
    series = f"{sys.implementation.name}-{sys.version_info.major}.{sys.version_info.minor}"
    return home.absolute() / f"harbor-{release}-{series}-{pinned}"


@contextmanager
def _locked(path: Path, say: Say) -> Iterator[None]:
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"parity: waiting for another run, which holds {path}")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _make(folder: Path, release: str) -> None:
    """Make the environment, which may be there without its interpreter; with pip where uv cannot.

    uv may be there and not know the index that pip is configured for.
    """
    new = folder.with_name(f"{folder.name}.new")
    try:
        uv = _uv()
        try:
            _install(new, release, uv)
        except WheelError:
            if uv is None:
                raise
            _install(new, release, None)
        rmtree(folder, ignore_errors=True)
        new.rename(folder)
    finally:
        rmtree(new, ignore_errors=True)


def _install(new: Path, release: str, uv: str | None) -> None:
    """Install the release into an environment, which is made.

    Raises:
        WheelError: it cannot be done.
    """
    python = str(new / "bin" / "python")
    rmtree(new, ignore_errors=True)
    _run([uv, "venv", "--python", sys.executable, str(new)] if uv else [sys.executable, "-m", "venv", str(new)])
    install = [uv, "pip", "install", "--python", python] if uv else [python, "-m", "pip", "install"]
    _run([*install, "-q", "-c", str(constraints_of(release)), f"harbor=={release}", "tomli"])


def _uv() -> str | None:
    """Where uv is; None where it is missing, or there but does not start, as where pyenv only stands in for it."""
    uv = which("uv")
    try:
        starts = uv and subprocess.run([uv, "--version"], stdin=subprocess.DEVNULL, capture_output=True).returncode == 0
    except OSError:
        starts = False
    return uv if starts else None


def _run(command: Sequence[str]) -> None:
    """Run it without the settings of the kit's own interpreter.

    Raises:
        WheelError: it fails.
    """
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    ran = subprocess.run(command, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if ran.returncode:
        lines = [line.strip() for line in (ran.stdout + ran.stderr).splitlines() if line.strip()]
        # Of a network that is missing, pip says at last that packages conflict.
        causes = [line for line in lines if "Errno" in line][-1:] or [line for line in lines if "error" in line.lower()]
        said = (causes or lines or ["it said nothing"])[0]
        named = " ".join([Path(command[0]).name, *command[1:3]])
        raise WheelError(f"--reference: harbor could not be installed: {named}: {said}", _INSTEAD)
