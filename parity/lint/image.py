"""The files that a task's Dockerfile copies into its image, and the user and the folder that commands have there."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from glob import glob
from pathlib import Path

from parity.lint.scripts import commands, script_text


@dataclass(frozen=True)
class Image:
    """An image that is built from a Dockerfile."""

    files: Mapping[str, Path]
    """The copied files, by their paths in the image."""

    workdir: str
    """The folder of commands; relative if only the base image decides it."""

    user: str


def read_image(context: Path, dockerfile: str, workdir: str | None) -> Image:
    """Read the last stage of a Dockerfile.

    Args:
        context: the folder that is copied from.
        dockerfile: the text of the Dockerfile, without comments.
        workdir: the folder of commands in place of the Dockerfile's.
    """
    files: dict[str, Path] = {}
    folder, user = "", "root"
    for line in commands(dockerfile):
        instruction, *words = re.findall(r"[^\s\"',\[\]]+", line) or ("",)
        match instruction.upper(), [word for word in words if not word.startswith("--")]:
            case "FROM", _:
                files, folder, user = {}, "", "root"
            case "WORKDIR", [path]:
                folder = posixpath.normpath(posixpath.join(folder, path))
            case "USER", [name]:
                user = name.partition(":")[0]
            case "COPY" | "ADD", [*sources, target] if "--from" not in line:
                for source in sources:
                    files |= _copied(context, source, folder, target)
    ignored = [pattern.strip("/").removeprefix("**/") for pattern in script_text(context / ".dockerignore").split()]
    kept = {path: file for path, file in files.items() if not _matches(file.relative_to(context), ignored)}
    return Image(kept, workdir or folder, user)


def _copied(context: Path, source: str, folder: str, target: str) -> Iterator[tuple[str, Path]]:
    """Yield the path in the image, and the file, of each file that one source of a COPY stands for."""
    there = posixpath.join(folder, target)
    pattern = posixpath.normpath(f"/{source}").strip("/")
    for name in glob(pattern, root_dir=context) if pattern else [""]:
        found = context / name
        inside = {file: file.relative_to(found).as_posix() for file in found.rglob("*") if file.is_file()}
        if found.is_file():
            is_renamed = posixpath.splitext(there)[1] or posixpath.basename(there) == found.name
            inside = {found: "" if is_renamed else found.name}
        for file, path in inside.items():
            yield posixpath.normpath(posixpath.join(there, path)), file


def _matches(file: Path, patterns: list[str]) -> bool:
    return any(fnmatch(str(part), pattern) for part in (file, *file.parents) for pattern in patterns)
