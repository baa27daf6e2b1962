"""Whether a command line asks for the suite, and what else it names."""

from collections.abc import Sequence
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def asks_for_suite(arguments: Sequence[str], *, pyargs: bool, directory: Path) -> bool:
    """Whether the command line names the suite, a part of it, or the checkout that holds it.

    Args:
        arguments: what it names.
        pyargs: whether that may be names of modules.
        directory: the one that paths start from.
    """
    checkout = PACKAGE.parent
    is_checkout = (checkout / "golden" / "README.md").is_file()
    paths = [_path_of(argument.split("::")[0], pyargs, directory) for argument in arguments]
    return any(is_in(path, PACKAGE) or (path == checkout and is_checkout) for path in paths)


def _path_of(name: str, pyargs: bool, directory: Path) -> Path:
    if pyargs and name.split(".")[0] == PACKAGE.name:
        return PACKAGE.joinpath(*name.split(".")[1:])
    return (directory / name).resolve()


def with_own_paths(arguments: Sequence[str], directory: Path) -> list[str]:
    """What a run with `--pyargs` collects, where a folder of the user's stands before a module of the same name."""
    return [
        f"./{name}" if name.isidentifier() and name != PACKAGE.name and (directory / name).exists() else name
        for name in arguments
    ]


def is_in(path: Path, folder: Path) -> bool:
    """Whether a path is this folder, or below it."""
    return path == folder or folder in path.parents
