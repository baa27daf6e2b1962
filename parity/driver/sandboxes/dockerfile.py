"""Read from a task's `environment/` whether a sandbox without images can run the task."""

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
    """The instructions of a Dockerfile that decide whether a sandbox without images can run the task."""

    workdir: str | None = None
    """Absolute path of the working directory; None without a WORKDIR."""

    unsupported: str | None = None
    """The name of the first instruction that needs a built image; None if there is no such instruction."""


def read_dockerfile(path: Path) -> Dockerfile:
    """Read a Dockerfile. A missing Dockerfile is treated as empty."""
    try:
        with path.open(errors="replace") as file:
            text = file.read(_LIMIT)
    except OSError:
        return Dockerfile()
    workdir, unsupported = None, None
    for instruction, arguments in _instructions(text):
        if instruction == "WORKDIR" and "$" not in arguments:
            directory = arguments.strip("\"'")
            workdir = directory if directory.startswith("/") or workdir is None else f"{workdir}/{directory}"
        elif instruction not in _HARMLESS or instruction == "WORKDIR":
            # An unknown word is not shown, because the Dockerfile may be a symlink to any file on the host.
            is_known = instruction in _BUILDING or instruction in _HARMLESS
            unsupported = unsupported or (instruction if is_known else "an unknown instruction")
    return Dockerfile(workdir and "/" + workdir.strip("/"), unsupported)


def _instructions(text: str) -> Iterator[tuple[str, str]]:
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    for line in re.sub(r"\\[ \t]*\n", " ", "\n".join(lines)).splitlines():
        name, *arguments = line.split(maxsplit=1)
        yield name.upper(), "".join(arguments).strip()


def compose_file(directory: Path) -> str | None:
    """Return the name of the compose file in a directory, or None. Tasks with a compose file cannot be run here."""
    return next((name for name in _COMPOSE_FILES if (directory / name).exists()), None)
