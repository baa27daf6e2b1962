"""Finds the copies of the kit, and the other paths, that a command line names."""

import shlex
from collections.abc import Sequence
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
_PLUGIN = Path("pytest_plugin", "plugin.py")
"""A file of every copy of the kit, below its package."""


def named_copies(arguments: Sequence[str], *, pyargs: bool, directory: Path) -> list[Path]:
    """Return the package of each copy of the kit that the command line names by a path inside it or by its checkout.

    Args:
        arguments: paths, or names of modules.
        pyargs: whether names of modules are allowed.
        directory: the folder that relative paths start from.
    """
    paths = [_path_of(argument.split("::")[0], pyargs, directory) for argument in arguments]
    packages = [(path, _package_of(path)) for path in paths]
    return [package for path, package in packages if package == PACKAGE or (package and path.exists())]


def refusal_of(other: Path, command: Sequence[str]) -> str:
    """Return a line that names both copies of the kit, and the commands that run them.

    Args:
        other: the package of the copy that the command line names.
        command: the command line, without `pytest`.
    """
    again = f"PYTHONPATH={shlex.quote(str(other.parent))} {shlex.join(['pytest', *command])}"
    return (
        f"two copies of harbor-parity: pytest has loaded {PACKAGE}, and the command names {other}; "
        f"run the first with: pytest --pyargs {PACKAGE.name}; or the second with: {again}"
    )


def _package_of(path: Path) -> Path | None:
    """Return the copy of the kit that contains a path, or whose checkout is at this path; else None."""
    in_checkout = [path / PACKAGE.name] if (path / "golden" / "README.md").is_file() else []
    candidates = [*in_checkout, *(each for each in (path, *path.parents) if each.name == PACKAGE.name)]
    return next((each for each in candidates if (each / _PLUGIN).is_file()), None)


def _path_of(name: str, pyargs: bool, directory: Path) -> Path:
    if pyargs and name.split(".")[0] == PACKAGE.name:
        return PACKAGE.joinpath(*name.split(".")[1:])
    return (directory / name).resolve()


def with_own_paths(arguments: Sequence[str], directory: Path) -> list[str]:
    """Return the arguments for `--pyargs`, with `./` before a name that is both a folder of the user and a module."""
    return [
        f"./{name}" if name.isidentifier() and name != PACKAGE.name and (directory / name).exists() else name
        for name in arguments
    ]
