"""The check, before any case runs, that the harbor that will be executed is the published one, file by file.

The wheel's RECORD lists a hash for every file. Each file must have its hash, and harbor's directory may contain no
other importable file. A hash over all these hashes must equal the release's hash in `releases.toml`, so a change to
both a file and RECORD is noticed. For a release that is newer than this table, the hash from the first use is required.

Python executes a module's bytecode instead of its source if there is some. Bytecode that it would execute must equal
what the verified source compiles to.

Pydantic decides what harbor's models accept and print, so its files, too, must have the hashes in their RECORD. No
published hash is known for them.
"""

import base64
import csv
import hashlib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader, all_suffixes
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import cache_from_source, find_spec
from pathlib import Path

from parity.reference.releases import HARBOR_VERSION, install_command, nearest_release, trusted_hash

_REPAIR = "pip install --force-reinstall --no-deps "
_MODELS = ("pydantic", "pydantic-core")


class WheelError(Exception):
    """The reference cannot be trusted. The message is one line with the problem and the command that repairs it."""

    def __init__(self, problem: str, repair: str) -> None:
        super().__init__(f"{problem}; repair it with: {repair}")
        self.problem = problem
        self.repair = repair


class NotInstalledError(WheelError):
    """Harbor is not installed."""


def verify_wheel(release: str | None = HARBOR_VERSION) -> str:
    """Check the installed harbor against its RECORD and against the published wheel, and pydantic against its RECORD.

    Args:
        release: the required release; None allows any known release.

    Returns:
        The version of the installed release.

    Raises:
        NotInstalledError: harbor is not installed.
        WheelError: the installed harbor is a different release, edited, or incomplete; or its bytecode is not that of
            its source; or pydantic is edited or incomplete.
    """
    try:
        installed = distribution("harbor")
    except PackageNotFoundError:
        version = release or HARBOR_VERSION
        repair = install_command(f"harbor=={version}", release=version)
        raise NotInstalledError("harbor is not installed", repair) from None
    version = installed.version
    if release is not None and version != release:
        raise _other(version, release)
    trusted = trusted_hash(version)
    if trusted is None:
        raise WheelError(
            f"harbor {version} is not a release that can be asked", f"installing {nearest_release(version)}"
        )
    harbor = _package("harbor", installed)
    _verify_package(harbor)
    if wheel_hash(harbor.recorded) != trusted:
        raise WheelError(f"harbor's RECORD is not the one published with {version}", harbor.repair)
    _verify_bytecode(harbor)
    for name in _MODELS:
        _verify_package(_package(name, _installed(name)))
    return version


def _other(version: str, release: str) -> WheelError:
    alternative = "where another package needs the other one, ask an environment of its own: --reference"
    return WheelError(
        f"harbor {version} is installed, but the reference is {release}",
        f"{_REPAIR}harbor=={release}; or, {alternative} {release}",
    )


def shipped_files(record: str, directory: str = "harbor") -> dict[str, str]:
    """Return the files in a package's directory in a RECORD, each with its hash, without those of the installer."""
    rows = [row for row in csv.reader(record.splitlines()) if len(row) == 3]
    return {name: digest for name, digest, _ in rows if name.startswith(f"{directory}/") and "__pycache__" not in name}


def wheel_hash(recorded: Mapping[str, str]) -> str:
    """Return one hash over the recorded hashes of all files, as lower-case hex."""
    lines = sorted(f"{name} {digest}\n" for name, digest in recorded.items())
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def record_hash(content: bytes) -> str:
    """Return the hash of a file's content in the format that RECORD uses."""
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


@dataclass(frozen=True)
class _Package:
    """An installed package."""

    name: str
    version: str
    site: Path
    """The directory that the names in RECORD are relative to."""

    recorded: Mapping[str, str]
    """The files in the package's directory, each with the hash that RECORD gives it."""

    @property
    def module(self) -> str:
        return self.name.replace("-", "_")

    @property
    def repair(self) -> str:
        return f"{_REPAIR}{self.name}=={self.version}"


def _installed(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError:
        raise WheelError(f"{name} is not installed", install_command(name)) from None


def _package(name: str, installed: Distribution) -> _Package:
    recorded = shipped_files(installed.read_text("RECORD") or "", name.replace("-", "_"))
    package = _Package(name, installed.version, Path(str(installed.locate_file(""))), recorded)
    if not recorded:
        problem = f"{name} is installed without a RECORD of its files (an editable install, perhaps)"
        raise WheelError(problem, package.repair)
    return package


def _verify_package(package: _Package) -> None:
    """Check that all files of a package are there and have their hashes, and that nothing shadows them."""
    for name, digest in package.recorded.items():
        _verify_file(package, name, digest)
    _verify_origin(package)
    for extra in _importable_extras(package):
        raise WheelError(f"{extra} is not a file of {package.name} {package.version}", f"rm -r '{extra}'")


def _verify_file(package: _Package, name: str, digest: str) -> None:
    path = package.site / name
    try:
        content = path.read_bytes()
    except OSError as error:
        raise WheelError(f"{package.name} is incomplete: {path}: {error.strerror}", package.repair) from None
    if digest != record_hash(content):
        problem = f"{package.name} was edited: {path} does not have the hash that RECORD gives it"
        raise WheelError(problem, package.repair)


def _verify_origin(package: _Package) -> None:
    """Check that Python itself will import the verified package: no other one, and not through an import hook."""
    module, site = package.module, package.site
    spec = find_spec(module)
    origin = Path(spec.origin) if spec and spec.origin else None
    if origin is None or origin.resolve() != (site / module / "__init__.py").resolve():
        where = origin.parent if origin else "something without a file"
        raise WheelError(f"{where} comes before the installed {package.name} in {site}", "moving it out of sys.path")
    loader = type(spec.loader if spec else None)
    if loader is not SourceFileLoader:
        hook = f"{loader.__module__}.{loader.__qualname__}"
        problem = f"{package.name} would not be executed as it was published, because {hook} imports it"
        raise WheelError(problem, f"leaving out what installs this import hook, or exempting {module} from it")


def _importable_extras(package: _Package) -> list[Path]:
    """Return files in the package's directory that are not part of it, but can be imported in place of its modules."""
    importable = tuple(all_suffixes())
    extras: list[Path] = []
    for directory, subdirectories, files in (package.site / package.module).walk():
        if "__pycache__" in subdirectories:
            subdirectories.remove("__pycache__")
        within = directory.as_posix().removeprefix(f"{package.site.as_posix()}/")
        unknown = [directory / name for name in files if f"{within}/{name}" not in package.recorded]
        # A link to a directory is among the files.
        extras += [path for path in unknown if path.name.endswith(importable) or path.is_dir()]
    return sorted(extras)


def _verify_bytecode(package: _Package) -> None:
    """Check that importing each module will execute what its verified source compiles to.

    The module's loader decides whether there is bytecode that it would execute: of this interpreter, at its level of
    optimisation, in its directory of bytecode, for a source of this size and time, unless that is not to be checked.
    """
    for name in package.recorded:
        path = package.site / name
        if path.suffix != ".py" or not Path(cached := cache_from_source(str(path))).exists():
            continue
        loader = SourceFileLoader(package.module, str(path))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the compiler, about the source
            source = loader.source_to_code(path.read_bytes(), str(path))
            try:
                executed = loader.get_code(package.module)
            except Exception:  # damaged bytecode may fail in any way
                executed = None
        if executed != source:
            problem = f"{cached} would be executed, but is not what {path} compiles to"
            raise WheelError(problem, f"rm -r '{Path(cached).parent}'")
