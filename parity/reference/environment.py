"""The pinned reference environment, `environment.txt`: a constraints file for pip.

Harbor states lower bounds only, and pydantic's release decides how result.json spells a number. The environments of
other releases have a file of their own.
"""

import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from parity.scorer.series import Series

ENVIRONMENT_FILE = Path(__file__).with_name("environment.txt")

_DECISIVE = ("harbor", "pydantic", "pydantic-core")


def pinned_versions(constraints: Path = ENVIRONMENT_FILE) -> dict[str, str]:
    """Every pinned package with its version."""
    lines = constraints.read_text(encoding="utf-8").splitlines()
    pins = (line.split("==") for line in lines if "==" in line and not line.startswith("#"))
    return {name.strip(): pinned.strip() for name, pinned in pins}


def unpinned_packages(constraints: Path = ENVIRONMENT_FILE) -> list[str]:
    """Packages that decide answers and are not installed as pinned, each as a phrase."""
    pins = pinned_versions(constraints)
    return [
        f"{name} is {found} instead of {pins[name]}"
        for name in _DECISIVE
        if name in pins and (found := _version(name)) != pins[name]
    ]


def is_as_recorded() -> bool:
    """Whether this is the very environment that answers are recorded in: the interpreter, and every package of it.

    Packages that are not installed do not count: Harbor needs few of them.
    """
    installed = ((_version(name), pinned) for name, pinned in pinned_versions().items())
    same = all(found in (pinned, _NOTHING) for found, pinned in installed)
    interpreter = f"{sys.version_info.major}.{sys.version_info.minor}"
    return same and sys.platform == "linux" and interpreter == Series.running()


_NOTHING = "not installed"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return _NOTHING
