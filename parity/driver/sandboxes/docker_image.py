"""The image of a Docker sandbox: the image that the task names, or one built from its Dockerfile."""

import asyncio
import os
import re
from collections.abc import Mapping, Sequence
from functools import partial

from parity.driver.sandbox import SandboxSpec
from parity.driver.sandboxes.command import Commands
from parity.driver.sandboxes.starting import Startable, program

_BUILDING: dict[str, asyncio.Lock] = {}


async def image_of(spec: SandboxSpec, commands: Commands, built_images: set[str]) -> str:
    """Return the image to start. Trials of one task wait for each other's build, which is then cached.

    Args:
        spec: the sandbox's specification.
        commands: runs docker.
        built_images: receives the name of a built image, which the engine keeps for the next run.

    Raises:
        RuntimeError: the image can neither be found nor built.
    """
    if spec.image is not None:
        if (await commands.run(docker("image", "inspect", "--", spec.image))).code:
            pulled = await commands.run(docker("pull", "--quiet", "--", spec.image))
            if pulled.code:
                raise RuntimeError(f"docker pull of {spec.image}: {last_line(pulled.stderr)}")
        return spec.image
    tag = "parity-" + (re.sub(r"[^a-z0-9]+", "-", spec.task.lower()).strip("-") or "task")
    lock = _BUILDING.setdefault(tag, asyncio.Lock())
    async with lock:
        built = await commands.run(docker("build", "--quiet", "--tag", tag, "--", str(spec.folder)))
    if built.code:
        raise RuntimeError(f"docker build of {spec.folder}: {last_line(built.stderr)}")
    built_images.add(tag)
    # Another task may have the same tag; the image's id is unique.
    return built.stdout.strip().rpartition("\n")[2] or tag


def docker(*arguments: str, env: Mapping[str, str] | None = None, pass_fds: Sequence[int] = ()) -> Startable:
    """Return a callable that starts the docker command, with variables in addition to this process's own."""
    return partial(program, ("docker", *arguments), env={**os.environ, **(env or {})}, pass_fds=pass_fds)


def last_line(text: str) -> str:
    """Return the last line of docker's output, which has the error."""
    return text.strip().rpartition("\n")[2] or "no message"
