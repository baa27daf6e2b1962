"""Makes a release's environment with uv, once, in the user's cache directory.

The environment is made under a temporary name, and renamed when it is complete, so no run uses an incomplete
environment. Runs that need the same environment at the same time wait for each other.
"""

import fcntl
import hashlib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from shutil import rmtree, which

from uv import find_uv_bin

from parity.reference.guard import WheelError, shipped_files, wheel_hash
from parity.reference.releases import (
    cache_directory,
    constraints_of,
    first_use_file,
    nearest_release,
    trusted_hash,
    wheel_hashes,
)
from parity.reference.separate.client import SeparateReference

_INSTEAD = "trying again with a network"
_ELSEWHERE = "PARITY_CACHE=DIRECTORY, which names another cache directory"

type Say = Callable[[str], None]
"""A function that shows a line to the user, such as `show`."""

NEWEST = {"newest": "if-necessary", "pre": "allow"}
"""The names for the newest release, and for the newest release or pre-release, each with uv's `--prerelease` value."""


def show(line: str) -> None:
    """Write a line to standard error."""
    print(line, file=sys.stderr, flush=True)


def is_release(name: str) -> bool:
    """Return whether the name of a reference is a version, `newest` or `pre`, and not an interpreter."""
    return name in NEWEST or re.fullmatch(r"\d+(\.\d+)+(\.dev\d+|(a|b|rc)\d+)?", name) is not None


def open_separate(name: str, say: Say) -> SeparateReference:
    """Start a reference in another environment, which is made if it is missing.

    Args:
        name: a version of Harbor, a name in `NEWEST`, or an interpreter that has Harbor.
        say: see `Say`.

    Raises:
        WheelError: there is no such reference, the environment cannot be made or started, or its Harbor cannot be
            trusted.
    """
    if not is_release(name):
        if which(name) is None and os.sep not in name:
            meant = get_close_matches(name, [*NEWEST, *wheel_hashes()], n=1)
            instead = f"--reference {meant[0]}" if meant else "a release such as 0.26.0, or an interpreter's path"
            raise WheelError(f"--reference {name}: neither a release nor a program", instead)
        return SeparateReference(name)
    python = python_of(name, say)
    renewal = f"rm -r {shlex.quote(str(python.parents[1]))}, after which it is made again"
    return SeparateReference(str(python), renewal, None if name in NEWEST else name)


def python_of(release: str, say: Say) -> Path:
    """Return the interpreter of the release's environment; make the environment if it is missing.

    Args:
        release: the version of Harbor, or a name in `NEWEST`, whose version uv determines.
        say: see `Say`.

    Raises:
        WheelError: the release is unknown, or its environment cannot be made.
    """
    if release in NEWEST:
        release = _newest(NEWEST[release])
    elif trusted_hash(release) is None:
        repair = f"naming {nearest_release(release)}, newest or pre"
        raise WheelError(f"--reference {release}: not a release that can be asked", repair)
    directory = _directory_of(release)
    python = directory / "bin" / "python"
    if python.exists():  # False for a symlink to an interpreter that no longer exists
        return python
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        with _locked(directory.with_name(f"{directory.name}.lock"), say):
            if not python.exists():
                say(f"parity: installing harbor {release} for --reference, once, into {directory}")
                _make(directory, release)
    except OSError as error:
        raise WheelError(
            f"--reference {release}: {error.filename or directory}: {error.strerror or error}", _ELSEWHERE
        ) from None
    return python


def _newest(prereleases: str) -> str:
    search = ["--no-deps", "--no-header", "--no-annotate", "--prerelease", prereleases, "-q", "-"]
    *_, newest = _uv("pip", "compile", "--python", sys.executable, *search, stdin="harbor")
    return newest.removeprefix("harbor==")


def _directory_of(release: str) -> Path:
    """Return the environment's directory, which depends on the interpreter series and the list of constraints."""
    pinned = hashlib.sha256(constraints_of(release).read_bytes()).hexdigest()[:8]
    series = f"{sys.implementation.name}-{sys.version_info.major}.{sys.version_info.minor}"
    return cache_directory() / f"harbor-{release}-{series}-{pinned}"


@contextmanager
def _locked(path: Path, say: Say) -> Iterator[None]:
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"parity: waiting for another run, which holds {path}")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _make(directory: Path, release: str) -> None:
    """Make the environment, and replace an existing one whose interpreter no longer exists.

    If a release without a published hash is incompatible with the pinned packages, it is installed without pins.
    """
    new = directory.with_name(f"{directory.name}.new")
    is_published = release in wheel_hashes()
    install = ("pip", "install", "--python", str(new / "bin" / "python"), f"harbor=={release}", "tomli")
    rmtree(new, ignore_errors=True)
    try:
        _uv("venv", "--python", sys.executable, str(new))
        try:
            _uv(*install, "-c", str(constraints_of(release)))
        except WheelError:
            if is_published:
                raise
            _uv(*install)
        if not is_published:
            _trust(new, release)
        rmtree(directory, ignore_errors=True)
        new.rename(directory)
    finally:
        rmtree(new, ignore_errors=True)


def _trust(environment: Path, release: str) -> None:
    """At the first use of a release without a published hash, record the hash of its wheel.

    Raises:
        WheelError: a different hash was recorded before.
    """
    (record,) = environment.glob("lib/*/site-packages/harbor-*.dist-info/RECORD")
    actual = wheel_hash(shipped_files(record.read_text(encoding="utf-8")))
    if trusted_hash(release) not in (None, actual):
        raise WheelError(
            f"--reference {release}: its files are not those of its first use", f"rm {first_use_file(release)}"
        )
    first_use_file(release).write_text(actual, encoding="ascii")


def _uv(*arguments: str, stdin: str = "") -> list[str]:
    """Run uv without the settings of the kit's own interpreter, and return the lines of its output.

    Like pip, it trusts the certificates of the system.

    Raises:
        WheelError: uv fails.
    """
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    variables.setdefault("UV_SYSTEM_CERTS", "true")
    uv = subprocess.run(
        [find_uv_bin(), *arguments],
        env=variables,
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    lines = [line.strip() for line in uv.stdout.splitlines()]
    if uv.returncode:
        causes = [line for line in lines if re.match("error|cause", line)] or lines or ["no output"]
        problem = ": ".join(dict.fromkeys(re.sub("^(error|cause): ", "", each) for each in (causes[0], causes[-1])))
        raise WheelError(f"--reference: harbor could not be installed: uv: {problem}", _INSTEAD)
    return lines
