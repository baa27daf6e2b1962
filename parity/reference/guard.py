"""Before any case runs: the installed harbor is the published 0.13.1, file by file.

The wheel's RECORD names a hash for every file. Each file must have its hash, nothing importable may lie
beside them, and all hashes together must give `WHEEL_HASH`, so that an edit of file and RECORD shows too.
"""

import base64
import hashlib
from collections.abc import Iterable
from importlib.machinery import all_suffixes
from importlib.metadata import Distribution, PackageNotFoundError, PackagePath, distribution
from pathlib import Path

HARBOR_VERSION = "0.13.1"
WHEEL_HASH = "61f157d4ba18db6df02f34ae380d216157b53b1a89e9e09589590bec2e010fea"
"""sha256 over `path sha256=hash` of every file of the published wheel under `harbor/`, sorted, a line each."""

REPAIR = f"pip install --force-reinstall --no-deps harbor=={HARBOR_VERSION}"


class WheelError(Exception):
    """The reference cannot be trusted; one line that says what is wrong and which command repairs it."""

    def __init__(self, problem: str, repair: str = REPAIR) -> None:
        super().__init__(f"{problem}; repair it with: {repair}")


def verify_wheel() -> None:
    """Check the installed harbor against its RECORD and against the published wheel.

    Raises:
        WheelError: it is missing, of another version, edited, or half installed.
    """
    installed = _installed()
    if installed.version != HARBOR_VERSION:
        raise WheelError(f"harbor {installed.version} is installed, but the reference is {HARBOR_VERSION}")
    files = {str(file): file for file in installed.files or () if _is_shipped(file)}
    if not files:
        raise WheelError("harbor is installed without a RECORD of its files (an editable install, perhaps)")
    for name, file in files.items():
        _verify_file(name, file)
    for extra in _importable_extras(files.values()):
        raise WheelError(f"{extra} is not a file of harbor {HARBOR_VERSION}", f"rm '{extra}'")
    if wheel_hash(files.values()) != WHEEL_HASH:
        raise WheelError(f"harbor's RECORD is not the one published with {HARBOR_VERSION}")


def wheel_hash(files: Iterable[PackagePath]) -> str:
    """One hash over the recorded hashes of all files, as lower-case hex."""
    lines = sorted(f"{file} sha256={file.hash.value if file.hash else ''}\n" for file in files)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _installed() -> Distribution:
    try:
        return distribution("harbor")
    except PackageNotFoundError:
        raise WheelError("harbor is not installed", f"pip install harbor=={HARBOR_VERSION}") from None


def _is_shipped(file: PackagePath) -> bool:
    return file.parts[0] == "harbor" and "__pycache__" not in file.parts


def _verify_file(name: str, file: PackagePath) -> None:
    path = Path(str(file.locate()))
    try:
        content = path.read_bytes()
    except OSError as error:
        raise WheelError(f"harbor is incomplete: {path}: {error.strerror}") from None
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    if file.hash is None or digest != file.hash.value:
        raise WheelError(f"harbor was edited: {path} does not have the hash that RECORD gives it")


def _importable_extras(files: Iterable[PackagePath]) -> Iterable[Path]:
    """Modules that lie in harbor's folder without belonging to it; they could shadow the wheel's own."""
    known = {Path(str(file.locate())) for file in files}
    package = next(path.parent for path in known if path.name == "__init__.py" and path.parent.name == "harbor")
    for path in sorted(package.rglob("*")):
        if path.name.endswith(tuple(all_suffixes())) and path not in known and "__pycache__" not in path.parts:
            yield path
