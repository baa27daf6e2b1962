"""The check, before any case runs, that the installed harbor is the published one, file by file.

The wheel's RECORD lists a hash for every file. Each file must have its hash, and harbor's directory may contain no
other importable file. A hash over all these hashes must equal the release's hash in `releases.toml`, so a change to
both a file and RECORD is noticed. For a release that is newer than this table, the hash from the first use is required.
"""

import base64
import csv
import hashlib
from collections.abc import Mapping
from importlib.machinery import all_suffixes
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from parity.reference.releases import HARBOR_VERSION, nearest_release, trusted_hash

_REPAIR = "pip install --force-reinstall --no-deps harbor=="


class WheelError(Exception):
    """The reference cannot be trusted. The message is one line with the problem and the command that repairs it."""

    def __init__(self, problem: str, repair: str) -> None:
        super().__init__(f"{problem}; repair it with: {repair}")
        self.problem = problem
        self.repair = repair


class NotInstalledError(WheelError):
    """Harbor is not installed."""


def verify_wheel(release: str | None = HARBOR_VERSION) -> str:
    """Check the installed harbor against its RECORD and against the published wheel.

    Args:
        release: the required release; None allows any known release.

    Returns:
        The version of the installed release.

    Raises:
        NotInstalledError: harbor is not installed.
        WheelError: the installed harbor is a different release, edited, or incomplete.
    """
    installed = _installed(release or HARBOR_VERSION)
    version = installed.version
    if release is not None and version != release:
        raise _other(version, release)
    trusted = trusted_hash(version)
    if trusted is None:
        raise WheelError(
            f"harbor {version} is not a release that can be asked", f"installing {nearest_release(version)}"
        )
    repair = f"{_REPAIR}{version}"
    recorded = shipped_files(installed.read_text("RECORD") or "")
    if not recorded:
        raise WheelError("harbor is installed without a RECORD of its files (an editable install, perhaps)", repair)
    site = Path(str(installed.locate_file("")))
    for name, digest in recorded.items():
        _verify_file(site / name, digest, repair)
    _verify_origin(site)
    for extra in _importable_extras(site, recorded):
        raise WheelError(f"{extra} is not a file of harbor {version}", f"rm '{extra}'")
    if wheel_hash(recorded) != trusted:
        raise WheelError(f"harbor's RECORD is not the one published with {version}", repair)
    return version


def _other(version: str, release: str) -> WheelError:
    alternative = "where another package needs the other one, ask an environment of its own: --reference"
    return WheelError(
        f"harbor {version} is installed, but the reference is {release}",
        f"{_REPAIR}{release}; or, {alternative} {release}",
    )


def shipped_files(record: str) -> dict[str, str]:
    """Return the files under `harbor/` in a RECORD, each with its hash, without files that the installer made."""
    rows = [row for row in csv.reader(record.splitlines()) if len(row) == 3]
    return {name: digest for name, digest, _ in rows if name.startswith("harbor/") and "__pycache__" not in name}


def wheel_hash(recorded: Mapping[str, str]) -> str:
    """Return one hash over the recorded hashes of all files, as lower-case hex."""
    lines = sorted(f"{name} {digest}\n" for name, digest in recorded.items())
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def record_hash(content: bytes) -> str:
    """Return the hash of a file's content in the format that RECORD uses."""
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def _installed(release: str) -> Distribution:
    try:
        return distribution("harbor")
    except PackageNotFoundError:
        raise NotInstalledError("harbor is not installed", f"pip install harbor=={release}") from None


def _verify_file(path: Path, digest: str, repair: str) -> None:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise WheelError(f"harbor is incomplete: {path}: {error.strerror}", repair) from None
    if digest != record_hash(content):
        raise WheelError(f"harbor was edited: {path} does not have the hash that RECORD gives it", repair)


def _verify_origin(site: Path) -> None:
    """Check that `import harbor` imports the verified package, and not another one earlier on the search path."""
    spec = find_spec("harbor")
    origin = Path(spec.origin) if spec and spec.origin else None
    if origin is None or origin.resolve() != (site / "harbor" / "__init__.py").resolve():
        where = origin.parent if origin else "something without a file"
        raise WheelError(f"{where} comes before the installed harbor in {site}", "moving it out of sys.path")


def _importable_extras(site: Path, recorded: Mapping[str, str]) -> list[Path]:
    """Return importable files in harbor's directory that are not part of the wheel, and could shadow its modules."""
    importable = tuple(all_suffixes())
    extras: list[Path] = []
    for directory, subdirectories, files in (site / "harbor").walk():
        if "__pycache__" in subdirectories:
            subdirectories.remove("__pycache__")
        within = directory.as_posix().removeprefix(f"{site.as_posix()}/")
        named = [name for name in (*subdirectories, *files) if name.endswith(importable)]
        extras += [directory / name for name in named if f"{within}/{name}" not in recorded]
    return sorted(extras)
