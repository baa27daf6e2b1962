"""The base class of both `HarborEnv` classes: the tasks, and the documented hooks from the set-up to the reward."""

import inspect
import logging
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import partial
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any, ClassVar

from parity.driver.documents.templates import resolve
from parity.driver.sandbox import Sandboxes
from parity.driver.shell_commands import LIST_PROCESSES
from parity.harbor_env.dataset import DatasetTask, Row, TaskReader, to_dataset
from parity.harbor_env.errors import SandboxError, agent_fault, message_of
from parity.harbor_env.hook_errors import hook_error, is_of_platform
from parity.harbor_env.rollout import INSTRUCTION, TASK, Rollout, RolloutSandbox
from parity.harbor_env.scoring import Score
from parity.harbor_env.settings import EnvSettings
from parity.scorer.printable import printable
from parity.scorer.series import OFFICIAL, Series

if TYPE_CHECKING:
    from datasets import Dataset

type State = dict[str, Any]
"""The state of a rollout, with the documented keys."""

_LOG = logging.getLogger("parity.harbor_env")


class HarborHooks:
    """The base class, to be listed first, of an environment that runs agents on Harbor tasks.

    Its methods and attributes have the names that they have in `HarborEnv` from `verifiers`, and are meant for
    subclasses. `agent_workdir` and `docker_image` may be changed until the first rollout.
    """

    series: Series = OFFICIAL
    """The Python series (such as 3.12) whose behaviour Harbor's scoring follows."""

    has_mcp: ClassVar[bool] = False
    """Whether agents are told of a task's MCP servers. Otherwise Harbor's scoring refuses such a task."""

    never_called: ClassVar[Mapping[str, str]] = {}
    """Methods from `verifiers` that this environment never calls, with what to do instead of overriding them."""

    sandbox_client: Any
    timeout_seconds: float | None
    """The agent's timeout from the arguments; None if they set no timeout."""

    dataset_path: Path
    """The directory that contains the task directories."""

    task_names: list[str] | None
    """Names of the tasks to use; None for all tasks."""

    agent_workdir: str
    """The directory for the agent in the sandbox; "" for none."""

    docker_image: str
    """The image for tasks that name no image."""

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Refuse a subclass that overrides a method which is never called.

        Raises:
            TypeError: the subclass, or a class from which it inherits, overrides such a method.
        """
        super().__init_subclass__(**arguments)
        environment = next(each for each in cls.__mro__ if "never_called" in vars(each))
        overriding = [each for each in cls.__mro__ if each not in environment.__mro__]
        for name, instead in cls.never_called.items():
            for each in overriding:
                if name in vars(each):
                    raise TypeError(f"{each.__name__}.{name} would never be called: {instead}")

    def read_arguments(self, settings: EnvSettings, sandboxes: Sandboxes | None) -> None:
        """Store the settings, and the kind of sandbox for which tasks are read; None for those of `verifiers`."""
        brings_tests = type(self).upload_test_assets is not HarborHooks.upload_test_assets
        self.harbor_settings = settings
        self._reader = TaskReader(settings, sandboxes, has_mcp=self.has_mcp, needs_tests=not brings_tests)
        self.dataset_path = settings.dataset_path
        self.task_names = None if settings.tasks is None else list(settings.tasks)
        self.agent_workdir, self.docker_image = settings.agent_workdir, settings.docker_image
        self._tasks: dict[str, DatasetTask] = {}
        """The tasks by their directories, as they were when the environment was made."""

        self._processes: dict[str, str] = {}
        """The processes that were running in each sandbox before its agent was started."""

    def read_rows(self) -> list[Row]:
        """Read the tasks in `dataset_path`, and return them as rows.

        Raises:
            DatasetError: there is no task, or a task cannot be used.
        """
        tasks = self._reader.read_all(self.dataset_path, self.task_names)
        for task in tasks:
            self._tasks.setdefault(str(task.directory), task)
        # Rule: documented-env/order
        return [task.row(number) for number, task in enumerate(tasks)]

    def use_rows(self, rows: list[Row]) -> None:
        """Use rows for rollouts. Tasks of other directories than `dataset_path` are read, as they are now.

        Raises:
            ValueError: a row has no `info["task_dir"]`.
            DatasetError: a task cannot be used.
        """
        self.rows = rows
        """The tasks as rows with the keys `example_id`, `task`, `prompt` and `info`."""

        for row in rows:
            directory = (row.get("info") or {}).get("task_dir")
            if not directory:
                raise ValueError(
                    "load_harbor_dataset returned a row without info['task_dir']: add the task's directory"
                )
            path = Path(directory)
            if str(path) not in self._tasks:
                self._tasks[str(path)] = self._reader.read(path)

    def load_harbor_dataset(self) -> "Dataset":
        """Return all tasks as a Hugging Face dataset with the columns `example_id`, `task`, `prompt` and `info`.

        An environment is made from the dataset that this method returns. A subclass may change its rows, or return
        others; their `info["task_dir"]` may be anywhere on the host.

        Raises:
            DatasetError: there is no task, a task cannot be used, or the tasks do not fit into one dataset.
        """
        return to_dataset(self.read_rows())

    async def get_docker_image(self, state: State) -> str:
        """Return the image in the state's `info`, which task.toml names, or else the environment's `docker_image`."""
        # Rule: documented-env/image
        image: str | None = _info(state).get("docker_image")
        return image or self.docker_image

    def variables(self, state: State, own: Mapping[str, str]) -> dict[str, str]:
        """Return the environment variables for the sandbox: those that the task sets, overridden by `own`."""
        task = self.known_task(state)
        # Rules: documented-env/variables, documented-env/workdir, documented-env/given-variables
        return {
            **(resolve(task.agent_env, self.harbor_settings.host) if task else {}),
            "HARBOR_TASK_NAME": _info(state).get("task_name", ""),
            "HARBOR_TASK_DIR": TASK,
            "HARBOR_INSTRUCTION_PATH": INSTRUCTION,
            **({"AGENT_WORKDIR": self.agent_workdir} if self.agent_workdir else {}),
            **own,
        }

    def agent_seconds(self, state: State) -> float | None:
        """Return the agent's timeout: `timeout_seconds`, or else, under Harbor's scoring, the one in task.toml.

        None if there is no timeout.
        """
        # Rule: run-trial/agent-timeout
        return self.task_of(state).config.agent.timeout_sec if self.timeout_seconds is None else self.timeout_seconds

    async def post_sandbox_setup(self, state: State) -> None:
        """Set up the sandbox for the agent: call `prepare_harbor_task`, and then `pre_mcp_setup`.

        A subclass that overrides this method should call it first.

        Raises:
            Exception: the upload failed, or the task's directory no longer exists.
        """
        task = self.task_of(state)
        state["harbor_config"], state["harbor_task_dir"] = deepcopy(task.toml), str(task.directory)
        await self.prepare_harbor_task(state["sandbox_id"], task.directory)
        await self.pre_mcp_setup(state)

    async def prepare_harbor_task(self, sandbox_id: str, task_dir: Path) -> None:
        """Upload instruction.md and task.toml from a task's directory, and make the directories for the agent."""
        task = self._tasks.get(str(task_dir))
        workdirs = [self.agent_workdir, task.built_workdir if task else None]
        await self._sandbox({"sandbox_id": sandbox_id}).upload_task(task_dir, workdirs)

    async def pre_mcp_setup(self, state: State) -> None:
        """Do nothing. A subclass may override this to prepare the sandbox for MCP servers, or for the agent."""

    async def upload_test_assets(self, sandbox_id: str, task_dir: Path) -> None:
        """Upload `tests/` and `solution/` from a task's directory, after the agent has ended.

        The directories in the sandbox are empty. A subclass may upload other files, or more.
        """
        await self._sandbox({"sandbox_id": sandbox_id}).upload_tests(task_dir)

    async def list_processes(self, state: State) -> None:
        """Remember the processes that are running right before the agent starts.

        Later, all processes except these may have to be killed.
        """
        listed = await self._sandbox(state).run(LIST_PROCESSES)
        self._processes[state["sandbox_id"]] = listed.stdout

    async def post_rollout(self, state: State) -> None:
        """Score the agent's work before its sandbox is deleted, unless the infrastructure failed.

        A fault caused by the agent or its tests is recorded in `state["fault"]`, under the name of Harbor's exception.
        """
        state.update(reward=0.0, rewards=None, fault=None)
        # Rule: documented-env/skipped
        if self.prevents_scoring(state.get("error")):
            return
        try:
            state["reward"] = float(await self.compute_reward(state))
        except Exception as error:  # of a subclass
            own = self.hook_error(error) or error
            warn(state, own)
            state["error"] = self.as_error(own)
        if fault := agent_fault(state, self.agent_seconds(state)):
            self._record_fault(state, fault)

    async def compute_reward(self, state: State) -> float:
        """Upload `tests/` and `solution/`, run the tests, and score the result.

        This method never raises an exception. If there is no reward, the reason is logged and is stored in
        `state["fault"]`, or in `state["error"]` if the infrastructure failed, unless the key was already set. Under
        Harbor's scoring, all rewards are stored in `state["rewards"]`.
        """
        try:
            score = await self._score(state)
        except Exception as error:
            own = self.hook_error(error) or error
            warn(state, own)
            if state.get("error") is None:
                state["error"] = self.as_error(own)
            return 0.0
        state["rewards"] = score.rewards
        if score.fault is not None:
            warn(state, score.fault)
            self._record_fault(state, score.fault)
        return score.reward

    async def _score(self, state: State) -> Score:
        if not state.get("sandbox_id"):
            raise SandboxError("the work was not scored: the state has no sandbox_id")
        task, sandbox = self.task_of(state), self._sandbox(state)
        processes = self._processes.pop(sandbox.sandbox_id, None)
        was_cut_off = state.get("timed_out") or state.get("agent_exit_code") is None
        kept = processes if self.harbor_settings.end_processes or was_cut_off else None
        upload = partial(self.upload_test_assets, sandbox.sandbox_id, task.directory)
        return await Rollout(task, self.harbor_settings, sandbox, upload).score(kept, series=self.series)

    async def harbor_reward(self, state: State, **arguments: Any) -> float:
        """Return the reward that `post_rollout` stored in the state. It counts, unless a subclass returns another."""
        reward: float = state.get("reward", 0.0)
        return reward

    def client_of(self, state: State) -> Any:
        """Return the client for a rollout's sandbox, with the methods that `RolloutSandbox` needs."""
        return self.sandbox_client

    def as_error(self, error: Exception) -> Exception:
        """Convert an exception to the one that is stored in `state["error"]`."""
        return error

    def prevents_scoring(self, error: object) -> bool:
        """Return whether an error means that the rollout cannot be scored."""
        return isinstance(error, SandboxError)

    def hook_error(self, error: Exception) -> Exception | None:
        """Return the exception that a hook of a subclass raised, with its place as a note; None if no hook did.

        It is the error, or one of its causes. An exception that the sandbox's client raised in a hook does not count.
        """
        return hook_error(error, frozenset(self._own_code()))

    def _own_code(self) -> Iterator[CodeType]:
        """Yield the code of all methods that subclasses define."""
        for kind in type(self).__mro__:
            if not is_of_platform(kind.__module__):
                for value in vars(kind).values():
                    function = inspect.unwrap(getattr(value, "__func__", value))
                    if inspect.isfunction(function):
                        yield function.__code__

    def task_of(self, state: State) -> DatasetTask:
        """Return the rollout's task, which the state's `info` names by its directory, as it was when it was read.

        Raises:
            ValueError: the state's task is not a task of this environment.
        """
        task = self.known_task(state)
        if task is None:
            directory = _info(state).get("task_dir")
            raise ValueError(f"{directory} is not a task of this environment: use rows from its dataset")
        return task

    def known_task(self, state: State) -> DatasetTask | None:
        """Return the rollout's task; None if the state names no task of this environment."""
        directory = _info(state).get("task_dir")
        return self._tasks.get(str(Path(directory))) if directory else None

    def _record_fault(self, state: State, fault: Exception) -> None:
        """Record a fault, unless one is already recorded; also record it as an error if the settings require that."""
        if state.get("fault") is None:
            state["fault"] = printable(message_of(fault))
        if self.harbor_settings.faults == "error" and state.get("error") is None:
            state["error"] = self.as_error(fault)

    def _sandbox(self, state: State) -> RolloutSandbox:
        return RolloutSandbox(self.client_of(state), state["sandbox_id"])


def _info(state: State) -> Mapping[str, Any]:
    info: Mapping[str, Any] = state.get("info") or {}
    return info


def warn(state: State, error: Exception) -> None:
    """Log a rollout's error or fault as one line."""
    name = state.get("task") or _info(state).get("task_name")
    _LOG.warning("%s", printable(f"task {name}: {message_of(error)}"))
