"""An environment that runs the wheel's real trials and jobs in one of this kit's sandboxes.

    harbor run --environment-import-path parity.reference.sandbox_environment:SandboxEnvironment --ek sandbox=local ...

So the wheel's driver can be compared with this kit's driver on the same sandbox, without a container engine.
"""

from functools import cache
from pathlib import Path
from typing import Any

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities
from harbor.environments.definition import require_agent_environment_definition, should_use_prebuilt_docker_image
from harbor.models.task.config import TaskConfig
from harbor.models.task.paths import TaskPaths

from parity.driver.sandbox import Sandbox, Sandboxes, SandboxSpec, User
from parity.driver.sandboxes import sandboxes_named
from parity.reference.lookup import sandbox_name


@cache
def ready_sandboxes(name: str) -> Sandboxes:
    """Return the provider for this kind of sandbox. It is checked once for all trials in a job.

    Raises:
        ValueError: the name is unknown.
        SandboxUnavailable: such sandboxes cannot run here.
    """
    sandboxes = sandboxes_named(name)
    if sandboxes is None:
        raise ValueError(f"no sandbox {name!r}; choose local or docker")
    sandboxes.preflight()
    return sandboxes


def named_users(directory: Path) -> frozenset[User]:
    """Return the users as which a task runs its agents and verifiers, given a directory inside the task."""
    file = next(
        filter(Path.is_file, (parent / TaskPaths.CONFIG_FILENAME for parent in directory.resolve().parents)), None
    )
    if file is None:
        return frozenset()
    config = TaskConfig.model_validate_toml(file.read_text())
    users = {role.user for part in (config, *(config.steps or ())) for role in (part.agent, part.verifier)}
    return frozenset(users - {None})


class SandboxEnvironment(BaseEnvironment):  # type: ignore[misc]
    """A Harbor environment that wraps a sandbox and mounts nothing."""

    def __init__(
        self, *arguments: Any, sandbox: str, network: bool = False, end_processes: bool = False, **options: Any
    ) -> None:
        if end_processes:
            raise ValueError("end_processes: Harbor keeps the agent's processes; run the job with parity run")
        # These attributes are set first, because the base class's constructor calls `_validate_definition`.
        self._sandboxes = ready_sandboxes(sandbox)
        self._may_use_network = network
        super().__init__(*arguments, **options)
        self._sandbox = self._make()

    def _make(self) -> Sandbox:
        return self._sandboxes.make(self._spec(force_build=False))

    @staticmethod
    def type() -> str:
        return "sandbox"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        return EnvironmentCapabilities(disable_internet=True)

    def _validate_definition(self) -> None:
        require_agent_environment_definition(self.environment_dir, docker_image=self.task_env_config.docker_image)
        refusal = self._sandboxes.refusal(self._spec(force_build=False))
        if refusal is not None:
            raise RuntimeError(f"{self.environment_name} {refusal}")

    def _spec(self, force_build: bool) -> SandboxSpec:
        image = self.task_env_config.docker_image
        prebuilt = should_use_prebuilt_docker_image(self.environment_dir, docker_image=image, force_build=force_build)
        return SandboxSpec(
            name=sandbox_name(self.session_id),
            task=self.environment_name,
            directory=self.environment_dir,
            image=image if prebuilt else None,
            network=self._may_use_network and not self._network_disabled,
            users=self._users(),
            cpus=self._effective_cpus,
            memory_mb=self._effective_memory_mb,
            storage_mb=self._effective_storage_mb,
            mounts={mount["target"]: Path(mount["source"]) for mount in self._mounts},
        )

    def _users(self) -> frozenset[User]:
        return named_users(self.environment_dir)

    async def start(self, force_build: bool) -> None:
        await self._sandbox.start()
        # Not in the task's working directory, because it may not be uploaded yet.
        command = self._ensure_dirs_command(self._mount_targets(writable_only=True))
        await self.exec(command, cwd="/", user=self._reset_dirs_user())
        await self._upload_environment_dir_after_start()

    async def stop(self, delete: bool) -> None:
        await self._sandbox.stop()

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        executed = await self._sandbox.exec(
            command,
            cwd=cwd or self.task_env_config.workdir or None,
            env=self._merge_env(env),
            timeout=timeout_sec,
            user=self._resolve_user(user),
        )
        return ExecResult(stdout=executed.stdout, stderr=executed.stderr, return_code=executed.code)

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        await self._sandbox.put(Path(source_path), target_path)

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        await self._sandbox.put(Path(source_dir), target_dir)

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        await self._sandbox.get(source_path, Path(target_path), directory=False)

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        target = Path(target_dir)
        target.mkdir(parents=True, exist_ok=True)
        await self._sandbox.get(source_dir, target, directory=True)
