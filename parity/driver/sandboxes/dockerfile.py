"""What a task's `environment/` asks for, as far as a sandbox without images has to know."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_HARMLESS = frozenset({"FROM", "WORKDIR", "LABEL", "CMD", "ENTRYPOINT", "EXPOSE"})
_BUILDING = frozenset(
    {"ADD", "ARG", "COPY", "ENV", "HEALTHCHECK", "ONBUILD", "RUN", "SHELL", "STOPSIGNAL", "USER", "VOLUME"}
)
_LIMIT = 1 << 20
_COMPOSE_FILES = ("docker-compose.yaml", "docker-compose.yml", "compose.yaml", "compose.yml")


@dataclass(frozen=True)
class Dockerfile:
    """The instructions that matter."""

    workdir: str | None = None
    """Absolute; None where there is none."""

    unsupported: str | None = None
    """The first instruction that needs an image to be built, by its name if it has one."""


def read_dockerfile(path: Path) -> Dockerfile:
    """What a Dockerfile asks for; nothing if it is missing."""
    try:
        with path.open(errors="replace") as file:
            text = file.read(_LIMIT)
    except OSError:
        return Dockerfile()
    workdir, unsupported = None, None
    for instruction, arguments in _instructions(text):
        if instruction == "WORKDIR" and "$" not in arguments:
            folder = arguments.strip("\"'")
            workdir = folder if folder.startswith("/") or workdir is None else f"{workdir}/{folder}"
        elif instruction not in _HARMLESS or instruction == "WORKDIR":
            # What is none may be a word of any file, by a link.
            known = instruction in _BUILDING or instruction in _HARMLESS
            unsupported = unsupported or (instruction if known else "an unknown instruction")
    return Dockerfile(workdir and "/" + workdir.strip("/"), unsupported)


def _instructions(text: str) -> Iterator[tuple[str, str]]:
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    for line in re.sub(r"\\[ \t]*\n", " ", "\n".join(lines)).splitlines():
        name, *arguments = line.split(maxsplit=1)
        yield name.upper(), "".join(arguments).strip()


def compose_file(folder: Path) -> str | None:
    """The name of the compose file of a task of several containers, which no sandbox here runs; None if it has none."""
    return next((name for name in _COMPOSE_FILES if (folder / name).exists()), None)
