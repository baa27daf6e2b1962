"""The releases of Harbor that can be the reference: their hashes, and the pinned packages in their environments.

Rules, golden vectors and verdicts are about 0.13.1; `--reference` can select another release. `environment.txt` pins
the packages in the environment for 0.13.1, as a constraints file for pip. Harbor states only lower bounds, but the
release of pydantic determines the spelling of numbers in result.json. Environments for other releases have their own
constraints file.
"""

import os
import re
import shlex
import sys
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from parity.operations.series import running_series

ENVIRONMENT_FILE = Path(__file__).with_name("environment.txt")

_DECISIVE = ("harbor", "pydantic", "pydantic-core")


def pinned_versions(constraints: Path = ENVIRONMENT_FILE) -> dict[str, str]:
    """Return every pinned package with its version."""
    lines = constraints.read_text(encoding="utf-8").splitlines()
    pins = (line.split("==") for line in lines if "==" in line and not line.startswith("#"))
    return {name.strip(): pinned.strip() for name, pinned in pins}


def unpinned_packages(constraints: Path = ENVIRONMENT_FILE) -> list[str]:
    """Return a phrase for each package that affects answers and is not installed in its pinned version."""
    pins = pinned_versions(constraints)
    return [
        f"{name} is {installed} instead of {pins[name]}"
        for name in _DECISIVE
        if name in pins and (installed := _version(name)) != pins[name]
    ]


def is_as_recorded() -> bool:
    """Return whether this is the environment of the recorded answers: platform, interpreter series and packages.

    Packages that are not installed are ignored, because Harbor needs few of the pinned packages.
    """
    installed = ((_version(name), pinned) for name, pinned in pinned_versions().items())
    same = all(version in (pinned, _NOTHING) for version, pinned in installed)
    interpreter = f"{sys.version_info.major}.{sys.version_info.minor}"
    return same and sys.platform == "linux" and interpreter == running_series()


_NOTHING = "not installed"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return _NOTHING


HARBOR_VERSION = "0.13.1"
"""The release that rules, golden vectors and verdicts are about."""

_TABLE = Path(__file__).with_name("releases.toml")
_CONSTRAINTS = Path(__file__).with_name("releases.txt")


@cache
def wheel_hashes() -> dict[str, str]:
    """Return every known release with the hash of its wheel, from the oldest to the newest."""
    return tomllib.loads(_TABLE.read_text(encoding="utf-8"))


def trusted_hash(release: str) -> str | None:
    """Return the published hash of a release's wheel, else the one recorded at first use; None if there is neither."""
    recorded = first_use_file(release)
    return wheel_hashes().get(release) or (recorded.read_text(encoding="ascii") if recorded.is_file() else None)


def first_use_file(release: str) -> Path:
    """Return the file with the hash of a release's wheel that was recorded at its first use."""
    return cache_directory() / f"harbor-{release}.sha256"


def cache_directory() -> Path:
    """Return the absolute path of the user's directory for environments of releases."""
    cache = os.environ.get("PARITY_CACHE")
    home = Path(cache) if cache else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "harbor-parity")
    return home.absolute()


def constraints_of(release: str) -> Path:
    """Return the constraints file for pip that pins the packages in a release's environment."""
    return ENVIRONMENT_FILE if release == HARBOR_VERSION else _CONSTRAINTS


def nearest_release(release: str) -> str:
    """Return the newest known release that is not newer than an unknown one; the oldest if all are newer."""
    earlier = [each for each in wheel_hashes() if _numbers(each) <= _numbers(release)]
    return max(earlier, key=_numbers) if earlier else min(wheel_hashes(), key=_numbers)


def _numbers(release: str) -> list[int]:
    return [int(digits) for digits in re.findall("[0-9]+", release)]


def install_command(*packages: str, release: str = HARBOR_VERSION) -> str:
    """Return the command that installs packages in the versions that are pinned for a release.

    Args:
        packages: what pip installs; by default Harbor beside the kit.
        release: the release of Harbor.
    """
    named = packages or ("harbor-parity[harbor]",)
    return shlex.join(["pip", "install", "-c", str(constraints_of(release)), *named])


def releases_in_words(releases: Iterable[str]) -> str:
    """Return releases as a string, from the oldest to the newest; neighbours are joined: `0.1.45 to 0.6.6`."""
    order = list(wheel_hashes())
    runs: list[list[str]] = []
    for release in releases:
        if runs and order.index(release) == order.index(runs[-1][-1]) + 1:
            runs[-1].append(release)
        else:
            runs.append([release])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
