"""Makes a release's environment, once, in the user's cache folder.

The environment is made under another name, and renamed when it is complete, so no run uses an incomplete one. Runs that
need it at the same time wait for one another.
"""

import fcntl
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import product
from pathlib import Path
from shutil import rmtree, which

from parity.reference.guard import WheelError, shipped_files, wheel_hash
from parity.reference.releases import (
    cache_folder,
    constraints_of,
    first_use_file,
    known_releases,
    trusted_hash,
    wheel_hashes,
)

_INSTEAD = "trying again with a network; or compare with golden vectors alone: --reference golden"
_ELSEWHERE = "PARITY_CACHE=FOLDER, which names another cache folder"

type Say = Callable[[str], None]

NEWEST = {"newest": (), "pre": ("--pre",)}
"""The names for the newest release, and for the newest release or pre-release; each with pip's options that find it."""


def is_release(name: str) -> bool:
    """Return whether a reference is named by a version, `newest` or `pre`, and not by an interpreter."""
    return name in NEWEST or re.fullmatch(r"\d+(\.\d+)+(\.dev\d+|(a|b|rc)\d+)?", name) is not None


def python_of(release: str, say: Say) -> Path:
    """Return the interpreter of the release's environment; make the environment if it is missing.

    Args:
        release: the version of Harbor, or a name in `NEWEST`, for which pip is asked.
        say: a function that shows a line to the user.

    Raises:
        WheelError: the release is unknown, or its environment cannot be made.
    """
    if release in NEWEST:
        release = _newest(NEWEST[release])
    elif trusted_hash(release) is None:
        raise WheelError(f"--reference {release}: not a release that can be asked", f"naming {known_releases()}")
    folder = _folder(release)
    python = folder / "bin" / "python"
    if python.exists():  # False for a link to an interpreter that is gone
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


def _newest(options: Sequence[str]) -> str:
    """Return the newest version of Harbor that pip finds.

    Raises:
        WheelError: pip fails.
    """
    search = ["install", "-q", "--dry-run", "--ignore-installed", "--no-deps", "--report", "-", *options, "harbor"]
    found = _run([sys.executable, "-m", "pip", *search])
    return str(json.loads(found)["install"][0]["metadata"]["version"])


def renewal(python: Path) -> str:
    """Return the command that removes the environment, so that it is made again."""
    return f"rm -r {shlex.quote(str(python.parents[1]))}, after which it is made again"


def _folder(release: str) -> Path:
    """Return the folder of the environment: one for each interpreter series and list of constraints."""
    pinned = hashlib.sha256(constraints_of(release).read_bytes()).hexdigest()[:8]
    series = f"{sys.implementation.name}-{sys.version_info.major}.{sys.version_info.minor}"
    return cache_folder() / f"harbor-{release}-{series}-{pinned}"


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
    """Make the environment with uv, or with pip if uv fails; replace an environment that has lost its interpreter.

    uv may be installed, but not configured for the index that pip uses. A release without a published hash may refuse
    the pinned packages, and is then installed without pins.
    """
    new = folder.with_name(f"{folder.name}.new")
    is_published = release in wheel_hashes()
    pins = [["-c", str(constraints_of(release))], *([] if is_published else [[]])]
    *attempts, last = product(pins, dict.fromkeys([_uv(), None]))
    try:
        for each in attempts:
            with suppress(WheelError):
                _install(new, release, *each)
                break
        else:
            _install(new, release, *last)
        if not is_published:
            _trust(new, release)
        rmtree(folder, ignore_errors=True)
        new.rename(folder)
    finally:
        rmtree(new, ignore_errors=True)


def _trust(environment: Path, release: str) -> None:
    """Record the hash of a release without a published one, at its first use.

    Raises:
        WheelError: another hash was recorded before.
    """
    (record,) = environment.glob("lib/*/site-packages/harbor-*.dist-info/RECORD")
    found = wheel_hash(shipped_files(record.read_text(encoding="utf-8")))
    if trusted_hash(release) not in (None, found):
        raise WheelError(
            f"--reference {release}: its files are not those of its first use", f"rm {first_use_file(release)}"
        )
    first_use_file(release).write_text(found, encoding="ascii")


def _install(new: Path, release: str, pins: Sequence[str], uv: str | None) -> None:
    """Make an environment, and install the release into it.

    Raises:
        WheelError: a command fails.
    """
    python = str(new / "bin" / "python")
    rmtree(new, ignore_errors=True)
    _run([uv, "venv", "--python", sys.executable, str(new)] if uv else [sys.executable, "-m", "venv", str(new)])
    install = [uv, "pip", "install", "--python", python] if uv else [python, "-m", "pip", "install"]
    _run([*install, "-q", *pins, f"harbor=={release}", "tomli"])


def _uv() -> str | None:
    """Return the path of uv, or None if it is missing or does not start, such as an empty shim of pyenv."""
    uv = which("uv")
    try:
        starts = uv and subprocess.run([uv, "--version"], stdin=subprocess.DEVNULL, capture_output=True).returncode == 0
    except OSError:
        starts = False
    return uv if starts else None


def _run(command: Sequence[str]) -> str:
    """Run a command without the settings of the kit's own interpreter, and return its output.

    Raises:
        WheelError: the command fails.
    """
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    ran = subprocess.run(command, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if ran.returncode:
        lines = [line.strip() for line in (ran.stdout + ran.stderr).splitlines() if line.strip()]
        # Without a network, pip's last line says that packages conflict.
        causes = [line for line in lines if "Errno" in line][-1:] or [line for line in lines if "error" in line.lower()]
        said = (causes or lines or ["it said nothing"])[0]
        named = " ".join([Path(command[0]).name, *command[1:3]])
        raise WheelError(f"--reference: harbor could not be installed: {named}: {said}", _INSTEAD)
    return ran.stdout
