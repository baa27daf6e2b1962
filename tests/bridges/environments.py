"""Makes the environment of a reader with uv, once, in the user's cache directory; bridges with equal rows share it.

It is made under a temporary name, and renamed when it is complete, so no run uses an incomplete environment. The kit is
not installed there: it is imported from the checkout, and the environment has the few packages that `parity serve`
needs.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from uv import find_uv_bin

from parity.reference.releases import HARBOR_VERSION, cache_directory
from tests.bridges.table import Bridge

CHECKOUT = Path(__file__).parents[2]
CONSTRAINTS = Path(__file__).with_name("constraints.txt")
"""The reference's release of pydantic, which determines what the models of its Harbor read."""

_SERVING = ("dirhash", "pathspec", "pydantic", "tomli")
"""What `parity serve` imports."""


class BridgeError(Exception):
    """A bridge cannot be asked. The message is the reason."""


def python_of(bridge: Bridge) -> Path:
    """Return the interpreter of the bridge's environment; make the environment if it is missing.

    Raises:
        BridgeError: uv cannot make the environment.
    """
    same = repr(replace(bridge, adapter="", is_last=False)) + CONSTRAINTS.read_text(encoding="utf-8")
    digest = hashlib.sha256(same.encode()).hexdigest()[:8]
    directory = cache_directory() / "bridges" / f"{bridge.package.replace('==', '-')}-{digest}"
    if not (directory / "bin" / "python").exists():
        print(f"installing {bridge.package} into {directory}", file=sys.stderr, flush=True)
        directory.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=directory.parent) as temporary:
            new = Path(temporary) / "environment"
            _make(new, bridge)
            with suppress(OSError):  # another run was faster
                new.rename(directory)
    return directory / "bin" / "python"


def newest_release(bridge: Bridge) -> str:
    """Return the newest release of the bridge's package, as uv would upgrade to it.

    Raises:
        BridgeError: uv finds no release.
    """
    package = bridge.package.partition("==")[0]
    options = ("--upgrade", "--no-deps", "--no-header", "--no-annotate", "--python-version", bridge.python, "-q")
    *_, newest = _uv("pip", "compile", *options, "-", stdin=package)
    return newest.partition("==")[2]


def _make(directory: Path, bridge: Bridge) -> None:
    harbor = [f"harbor=={bridge.harbor}"] if bridge.harbor else []
    own = [bridge.package] if bridge.own_requirements else []
    with _constraints(bridge) as constraints:
        install = ("pip", "install", "--python", str(directory / "bin" / "python"), "--constraints", str(constraints))
        _uv("venv", "--python", bridge.python, str(directory))
        _uv(*install, *_SERVING, *harbor, *bridge.imports, *own)
        if alone := [*bridge.imports_alone, *([] if own else [bridge.package])]:
            _uv(*install, "--no-deps", *alone)


@contextmanager
def _constraints(bridge: Bridge) -> Iterator[Path]:
    pinned = CONSTRAINTS.read_text(encoding="utf-8") if bridge.harbor == HARBOR_VERSION else ""
    with TemporaryDirectory() as temporary:
        path = Path(temporary) / "constraints.txt"
        path.write_text("\n".join([*bridge.constraints, pinned]), encoding="utf-8")
        yield path


def _uv(*arguments: str, stdin: str = "") -> list[str]:
    """Run uv without the settings of this interpreter, and return the lines of its output.

    Like pip, it trusts the certificates of the system.

    Raises:
        BridgeError: uv fails; the message has its own.
    """
    ours = ("PYTHONPATH", "PYTHONHOME", "UV_CONSTRAINT", "VIRTUAL_ENV")
    variables = {name: value for name, value in os.environ.items() if name not in ours}
    variables.setdefault("UV_SYSTEM_CERTS", "true")
    command = [find_uv_bin(), *arguments]
    uv = subprocess.run(command, env=variables, input=stdin, capture_output=True, text=True, check=False)
    if uv.returncode:
        raise BridgeError(f"uv {' '.join(arguments[:2])}: {uv.stderr.strip()}")
    return uv.stdout.splitlines()
