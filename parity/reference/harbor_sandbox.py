"""One environment of Harbor as a sandbox."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from harbor.environments.base import BaseEnvironment
from harbor.environments.definition import should_upload_environment_dir
from harbor.environments.factory import EnvironmentFactory
from harbor.models.environment_type import EnvironmentType
from harbor.models.task.config import EnvironmentConfig, NetworkMode, NetworkPolicy
from harbor.models.trial.config import EnvironmentConfig as Choice
from harbor.models.trial.paths import TrialPaths

from parity.driver.sandbox import Executed, SandboxSpec, User
from parity.driver.sandboxes.archive import limits_of
from parity.reference.carrying import carry_over, carry_over_file


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
