"""Harbor's own environments as sandboxes: `--sandbox harbor:docker`, `harbor:daytona`, `harbor:package.module:Class`.

Each sandbox wraps one environment of the wheel, and uses its transfer and execution. Nothing is mounted, even if the
environment supports it: files leave the sandbox only by download, and only under this kit's rules. The fetched files
lie in a folder of their own, and are as untrusted as the sandbox: they may be links to anywhere, pipes, or too large.
They are packed and unpacked like an archive from a sandbox, under the same rules.
"""

import asyncio
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from harbor.environments.base import BaseEnvironment
from harbor.environments.definition import should_upload_environment_dir
from harbor.environments.factory import EnvironmentFactory
from harbor.models.environment_type import EnvironmentType
from harbor.models.task.config import EnvironmentConfig, NetworkMode, NetworkPolicy
from harbor.models.trial.config import EnvironmentConfig as Choice
from harbor.models.trial.paths import TrialPaths
from harbor.utils.import_path import import_class

from parity.driver.sandbox import Executed, Sandbox, SandboxSpec, SandboxUnavailable, TransferError, User
from parity.driver.sandboxes.archive import LIMITS, Limits, limits_of, pack
from parity.driver.sandboxes.streaming import PADDING, log_left_out
from parity.driver.sandboxes.unpacking import unpack, unpack_file


def carry_over(source: Path, target: Path, limits: Limits = LIMITS) -> None:
    """Copy the entries of a folder into an existing folder, and overwrite entries there.

    Raises:
        TransferError: the entries exceed the limits, or cannot be read or written.
    """
    log_left_out(target.name, _through_pipe(source, ".", lambda stream: unpack(stream, target, limits)))


def carry_over_file(source: Path, target: Path, limits: Limits = LIMITS) -> None:
    """Copy one file to a path, and overwrite a file there.

    Raises:
        TransferError: the source is not a file, exceeds the limits, or cannot be read or written.
    """
    if source.is_symlink():
        raise TransferError(f"{source.name!r} is a link")
    _through_pipe(source, source.name, lambda stream: unpack_file(stream, target, limits))


def _through_pipe[T](source: Path, name: str, take: Callable[[IO[bytes]], T]) -> T:
    """Pack into a pipe and unpack from it, so that packing stops as soon as a limit is exceeded."""
    out, into = os.pipe()
    with ThreadPoolExecutor(max_workers=1) as threads:
        packing = threads.submit(_pack, source, name, into)
        try:
            with os.fdopen(out, "rb") as stream:
                taken = take(stream)
                stream.read(PADDING)
        except TransferError as error:
            # A failure to pack leaves an incomplete archive, and explains it better than the failure to unpack.
            packed = packing.exception()
            raise packed if isinstance(packed, TransferError) else error from None
        packing.result()
        return taken


def _pack(source: Path, name: str, into: int) -> None:
    with os.fdopen(into, "wb") as stream:
        pack(source, stream, name=name)


def make_environment(choice: Choice, spec: SandboxSpec, root: Path) -> BaseEnvironment:
    """Make an environment of the chosen type without mounts, with its files below an empty folder."""
    paths, nothing = TrialPaths(trial_dir=root / "trial"), root / "nothing"
    paths.mkdir()
    nothing.mkdir()
    # Harbor uploads these files to the working directory when it starts an image. Here, the driver uploads them.
    uploads = should_upload_environment_dir(spec.folder, docker_image=spec.image)
    network = NetworkMode.PUBLIC if spec.network else NetworkMode.NO_NETWORK
    return EnvironmentFactory.create_environment_from_config(
        choice,
        environment_dir=nothing if uploads else spec.folder,
        environment_name=spec.task,
        session_id=spec.name,
        trial_paths=paths,
        task_env_config=EnvironmentConfig(
            docker_image=spec.image,
            network_mode=network,
            cpus=spec.cpus,
            memory_mb=spec.memory_mb,
            storage_mb=spec.storage_mb,
        ),
        mounts=[],
        network_policy=NetworkPolicy(network_mode=network),
    )


class HarborSandbox:
    """A sandbox that wraps an environment, and keeps its folder while it runs. Its errors pass through."""

    copies_mounts = False
    own_timeout = 0.0

    def __init__(self, choice: Choice, spec: SandboxSpec) -> None:
        self._choice = choice
        self._spec = spec
        self._folder: TemporaryDirectory[str] | None = None
        self._made: BaseEnvironment | None = None

    @property
    def _environment(self) -> BaseEnvironment:
        if self._made is None:
            raise RuntimeError(f"{self._spec.name} is not started")
        return self._made

    async def start(self) -> None:
        self._folder = TemporaryDirectory(prefix="parity-harbor-")
        self._made = make_environment(self._choice, self._spec, Path(self._folder.name))
        await self._made.start(force_build=False)

    async def stop(self) -> None:
        try:
            if self._made is not None:
                # On Docker, `delete` also removes the image, which other tasks use; containers are removed anyway.
                await self._made.stop(delete=self._made.type() != EnvironmentType.DOCKER)
        finally:
            if self._folder is not None:
                self._folder.cleanup()

    async def exec(
        self,
        command: str,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: int | None = None,
        user: User | None = None,
    ) -> Executed:
        result = await self._environment.exec(
            command,
            cwd=cwd,
            env=dict(env) if env else None,
            timeout_sec=timeout or None,
            user=user,
        )
        return Executed(result.return_code, result.stdout or "", result.stderr or "")

    async def upload(self, source: Path, target: str) -> None:
        if source.is_dir():
            await self._environment.upload_dir(source, target)
        else:
            await self._environment.upload_file(source, target)

    async def download(self, source: str, target: Path, *, directory: bool, room: int | None = None) -> None:
        with TemporaryDirectory(prefix="parity-fetched-") as fetched:
            if directory:
                await self._environment.download_dir(source, fetched)
                await asyncio.to_thread(carry_over, Path(fetched), target, limits_of(room))
            else:
                place = Path(fetched) / target.name
                await self._environment.download_file(source, place)
                await asyncio.to_thread(carry_over_file, place, target, limits_of(room))


PROBE = SandboxSpec(name="probe", task="probe", folder=Path(), image="debian:stable-slim")


class HarborSandboxes:
    """A provider of sandboxes from one type of Harbor's environments.

    Args:
        name: `harbor:` and either the name of a type for `harbor run --env`, or an import path `module:Class`.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._environment = name.removeprefix("harbor:")

    def preflight(self) -> None:
        """Check that the type exists, can be imported, and has its credentials.

        Raises:
            SandboxUnavailable: the type cannot be used.
        """
        try:
            choice = self._choice()
            if choice.import_path is not None:
                import_class(choice.import_path, base=BaseEnvironment, label="environment")
            EnvironmentFactory.run_preflight(choice.type, choice.import_path)
            self._require_dependencies()
        except (Exception, SystemExit) as error:
            raise SandboxUnavailable(f"{self.name}: {_one_line(error)}") from error

    def refusal(self, spec: SandboxSpec) -> str | None:
        """Return the environment's own message if it cannot be made for this spec, else None."""
        try:
            self._try(spec)
        except Exception as error:
            return f"does not run on {self.name}: {_one_line(error)}"
        return None

    def make(self, spec: SandboxSpec) -> Sandbox:
        """Make a sandbox; its environment is made only when it starts."""
        return HarborSandbox(self._choice(), spec)

    def _try(self, spec: SandboxSpec) -> None:
        with TemporaryDirectory(prefix="parity-harbor-") as folder:
            make_environment(self._choice(), spec, Path(folder))

    def _choice(self) -> Choice:
        if ":" in self._environment:
            return Choice(import_path=self._environment)
        try:
            return Choice(type=EnvironmentType(self._environment))
        except ValueError:
            known = ", ".join(sorted(EnvironmentType))
            raise ValueError(f"unknown type of environment; use one of {known}, or an import path") from None

    def _require_dependencies(self) -> None:
        """Make a trial environment, because some report a missing package only then; ignore its other errors."""
        try:
            self._try(PROBE)
        except ImportError:
            raise
        except Exception:
            return


def _one_line(error: BaseException) -> str:
    """Return an error's message in one line, without Harbor's repetitions for other installers."""
    first, _, rest = str(error).strip().partition("\n")
    command = next((line.strip() for line in rest.splitlines() if line.strip().startswith("pip install")), None)
    return f"{first} {command}" if command else " ".join([first, *rest.split()]) or type(error).__name__
