"""The images for Docker sandboxes, which the docker command pulls, or builds from the task's Dockerfile."""

import asyncio
import re
from collections import defaultdict

from parity.driver.sandbox import SandboxSpec
from parity.driver.sandboxes.process import run

_BUILDING: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)


async def image_of(spec: SandboxSpec, built_images: set[str]) -> str:
    """Return the image to start. Trials of the same task build one after another, so that later builds are cached.

    Args:
        spec: the sandbox's specification.
        built_images: receives the name of an image that was built, which the engine keeps for the next run.

    Raises:
        RuntimeError: the image can neither be found nor built.
    """
    if spec.image is not None:
        if (await run(["docker", "image", "inspect", "--", spec.image])).code:
            pulled = await run(["docker", "pull", "--quiet", "--", spec.image])
            if pulled.code:
                raise RuntimeError(f"docker pull of {spec.image}: {last_line(pulled.stderr)}")
        return spec.image
    tag = "parity-" + (re.sub(r"[^a-z0-9]+", "-", spec.task.lower()).strip("-") or "task")
    async with _BUILDING[tag]:
        built = await run(["docker", "build", "--quiet", "--tag", tag, "--", str(spec.directory)])
    if built.code:
        raise RuntimeError(f"docker build of {spec.directory}: {last_line(built.stderr)}")
    built_images.add(tag)
    # Another task may have the same tag; the image's id is unique.
    return built.stdout.strip().rpartition("\n")[2] or tag


def last_line(text: str) -> str:
    """Return the last line of docker's output, which contains the error message."""
    return text.strip().rpartition("\n")[2] or "no message"
