"""The image of a Docker sandbox: the one that the task names, or one that is built from its Dockerfile."""

import asyncio
import re
from collections.abc import Callable

from parity.driver.sandbox import SandboxSpec
from parity.driver.sandboxes.command import Commands
from parity.driver.sandboxes.starting import HostProgram, Process

_BUILDING: dict[str, asyncio.Lock] = {}


async def image_of(spec: SandboxSpec, commands: Commands, built_images: set[str]) -> str:
    """The image to start; trials of one task wait for each other's build, which then costs nothing.

    Args:
        spec: what the sandbox is made for.
        commands: runs docker.
        built_images: takes the name of one that is built, which the engine keeps for the next run.

    Raises:
        RuntimeError: the image can neither be found nor built.
    """
    if spec.image is not None:
        if (await commands.run(_docker("image", "inspect", "--", spec.image))).code:
            pulled = await commands.run(_docker("pull", "--quiet", "--", spec.image))
            if pulled.code:
                raise RuntimeError(f"docker pull of {spec.image}: {last_line(pulled.stderr)}")
        return spec.image
    tag = "parity-" + (re.sub(r"[^a-z0-9]+", "-", spec.task.lower()).strip("-") or "task")
    lock = _BUILDING.setdefault(tag, asyncio.Lock())
    async with lock:
        built = await commands.run(_docker("build", "--quiet", "--tag", tag, "--", str(spec.folder)))
    if built.code:
        raise RuntimeError(f"docker build of {spec.folder}: {last_line(built.stderr)}")
    built_images.add(tag)
    # Another task may come to the same tag; the image's number is its own.
    return built.stdout.strip().rpartition("\n")[2] or tag


def _docker(*arguments: str) -> Callable[[], Process]:
    return HostProgram(("docker", *arguments)).start


def last_line(text: str) -> str:
    """The last line of what docker prints, which says what went wrong."""
    return text.strip().rpartition("\n")[2] or "no message"
