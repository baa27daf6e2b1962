"""Finds out whether a command line names the kit, and which names on it are directories."""

from collections.abc import Sequence
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
_IN_CHECKOUT = (PACKAGE.parent / "golden" / "README.md").is_file()


def names_suite(arguments: Sequence[str], *, pyargs: bool, directory: Path) -> bool:
    """Return whether the command line names the kit, by a path inside the package, by the checkout or as a module.

    Args:
        arguments: paths, or names of modules.
        pyargs: whether names of modules are allowed.
        directory: the directory that relative paths start from.
    """
    paths = [_path_of(argument.split("::")[0], pyargs, directory) for argument in arguments]
    return any(path.is_relative_to(PACKAGE) or (_IN_CHECKOUT and path == PACKAGE.parent) for path in paths)


def _path_of(name: str, pyargs: bool, directory: Path) -> Path:
    if pyargs and name.split(".")[0] == PACKAGE.name:
        return PACKAGE.joinpath(*name.split(".")[1:])
    return (directory / name).resolve()


def with_own_paths(arguments: Sequence[str], directory: Path) -> list[str]:
    """Return the arguments for `--pyargs`, with `./` before a name that is a directory and a module."""
    return [
        f"./{name}" if name.isidentifier() and name != PACKAGE.name and (directory / name).exists() else name
        for name in arguments
    ]
