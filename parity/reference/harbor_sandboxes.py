"""Harbor's own environments as sandboxes, so that a job can run on another machine: `--sandbox harbor:modal`.

Each sandbox wraps one of the wheel's environments, and uses it to transfer files and to run commands. Nothing is
mounted, even if the environment supports mounts: files leave the sandbox only by download. Downloaded files are not
trusted: they are packed and unpacked under the same rules as an archive from one of this kit's sandboxes.
"""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from harbor.environments.base import BaseEnvironment
from harbor.environments.definition import should_upload_environment_dir
from harbor.environments.factory import EnvironmentFactory
from harbor.models.environment_type import EnvironmentType
from harbor.models.task.config import EnvironmentConfig, NetworkMode, NetworkPolicy
from harbor.models.trial.config import EnvironmentConfig as Choice
from harbor.models.trial.paths import TrialPaths
from harbor.utils.import_path import import_class

from parity.driver.sandbox import Executed, Sandbox, SandboxSpec, SandboxUnavailable, User
from parity.driver.sandboxes.process import Program
from parity.driver.sandboxes.transfer import receive


def make_environment(choice: Choice, spec: SandboxSpec, root: Path) -> BaseEnvironment:
    """Make an environment of the chosen type without mounts, with its files below an empty directory."""
    paths, nothing = TrialPaths(trial_dir=root / "trial"), root / "nothing"
    paths.mkdir()
    nothing.mkdir()
    # Harbor uploads these files to the working directory when it starts an image. Here, the driver uploads them.
    uploads = should_upload_environment_dir(spec.directory, docker_image=spec.image)
    network = NetworkMode.PUBLIC if spec.network else NetworkMode.NO_NETWORK
    return EnvironmentFactory.create_environment_from_config(
        choice,
        environment_dir=nothing if uploads else spec.directory,
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
    """A sandbox that wraps an environment. Exceptions from the environment are not translated."""

    imitates_mounts = False
    driver_timeout = 0.0

    def __init__(self, choice: Choice, spec: SandboxSpec) -> None:
        self._choice, self._spec = choice, spec
        self._directories = ExitStack()
        self._started: BaseEnvironment | None = None

    @property
    def _environment(self) -> BaseEnvironment:
        if self._started is None:
            raise RuntimeError(f"{self._spec.name} is not started")
        return self._started

    async def start(self) -> None:
        directory = self._directories.enter_context(TemporaryDirectory(prefix="parity-harbor-"))
        self._started = make_environment(self._choice, self._spec, Path(directory))
        await self._started.start(force_build=False)

    async def stop(self) -> None:
        try:
            if self._started is not None:
                # On Docker, `delete` also removes the image, which other tasks use; containers are removed anyway.
                await self._started.stop(delete=self._started.type() != EnvironmentType.DOCKER)
        finally:
            self._directories.close()

    async def exec(
        self,
        command: str,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: int | None = None,
        user: User | None = None,
    ) -> Executed:
        variables = dict(env) if env else None
        ran = await self._environment.exec(command, cwd=cwd, env=variables, timeout_sec=timeout or None, user=user)
        return Executed(ran.return_code, ran.stdout or "", ran.stderr or "")

    async def put(self, source: Path, target: str) -> None:
        upload = self._environment.upload_dir if source.is_dir() else self._environment.upload_file
        await upload(source, target)

    async def get(self, source: str, target: Path, *, directory: bool, max_bytes: int | None = None) -> None:
        with TemporaryDirectory(prefix="parity-fetched-") as fetched:
            if directory:
                await self._environment.download_dir(source, fetched)
            else:
                await self._environment.download_file(source, Path(fetched) / "file")
            packing = Program(["tar", "-C", fetched, "-c", "." if directory else "file"], collects=False)
            await receive(packing, source, target, directory=directory, max_bytes=max_bytes)


class HarborSandboxes:
    """One type of Harbor's environments as a kind of sandbox.

    Args:
        name: `harbor:`, followed by a type for `harbor run --env` or an import path `module:Class`.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def preflight(self) -> None:
        try:
            choice = self._choice()
            if choice.import_path is not None:
                import_class(choice.import_path, base=BaseEnvironment, label="environment")
            EnvironmentFactory.run_preflight(choice.type, choice.import_path)
        except (Exception, SystemExit) as error:
            raise SandboxUnavailable(f"{self.name}: {_one_line(error)}") from error

    def refusal(self, spec: SandboxSpec) -> str | None:
        """Return the environment's own message if it cannot be made for this spec, such as a missing package."""
        try:
            with TemporaryDirectory(prefix="parity-harbor-") as directory:
                make_environment(self._choice(), spec, Path(directory))
        except Exception as error:
            return f"does not run on {self.name}: {_one_line(error)}"
        return None

    def make(self, spec: SandboxSpec) -> Sandbox:
        return HarborSandbox(self._choice(), spec)

    def _choice(self) -> Choice:
        name = self.name.removeprefix("harbor:")
        if ":" not in name and name not in {*EnvironmentType}:
            raise ValueError(f"unknown; use one of {', '.join(sorted(EnvironmentType))}, or an import path")
        return Choice(import_path=name) if ":" in name else Choice(type=EnvironmentType(name))


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
