"""The base class of both `HarborEnv` classes: the tasks, and the documented hooks from the set-up to the reward."""

import logging
from collections.abc import Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from parity.driver.agent_processes import LIST_PROCESSES
from parity.driver.documents.templates import resolve
from parity.driver.sandbox import Sandboxes
from parity.harbor_env.dataset import DatasetTask, Row, read_tasks, to_dataset
from parity.harbor_env.errors import SandboxError, agent_fault, message_of
from parity.harbor_env.rollout import INSTRUCTION, TASK, Rollout
from parity.harbor_env.settings import EnvSettings
from parity.scorer.printable import printable
from parity.scorer.series import OFFICIAL, Series

if TYPE_CHECKING:
    from datasets import Dataset

type State = dict[str, Any]
"""The state of a rollout, with the documented keys."""

_LOG = logging.getLogger("parity.harbor_env")


class HarborHooks:
    """The base class, to be listed first, of an environment that runs agents on Harbor tasks."""

    series: Series = OFFICIAL
    """The Python series (such as 3.12) whose behaviour Harbor's scoring follows."""

    sandbox_client: Any
    timeout_seconds: float | None
    """The agent's timeout from the arguments; None if they set no timeout."""

    def read_dataset(self, settings: EnvSettings, sandboxes: Sandboxes | None) -> None:
        """Store the settings, and read the tasks. Rollouts use the tasks as they are at the time of this call.

        Raises:
            DatasetError: there is no task, or a task cannot be used.
        """
        self.harbor_settings = settings
        tasks = read_tasks(settings, sandboxes)
        self._tasks = {task.name: task for task in tasks}
        # Rule: documented-env/order
        self.rows: list[Row] = [task.row(number) for number, task in enumerate(tasks)]
        """The tasks as rows with the keys `example_id`, `task`, `prompt` and `info`."""

        self._processes: dict[str, str] = {}
        """The processes that were running in each sandbox before its agent was started."""

    def load_harbor_dataset(self) -> "Dataset":
        """Return all tasks as a Hugging Face dataset with the columns `example_id`, `task`, `prompt` and `info`.

        Raises:
            DatasetError: the tasks do not fit into one dataset.
        """
        return to_dataset(self.rows)

    async def get_docker_image(self, state: State) -> str:
        """Return the image that task.toml names, or else the environment's `docker_image`."""
        # Rule: documented-env/image
        return self.task_of(state).image or self.harbor_settings.docker_image

    def variables(self, state: State, own: Mapping[str, str]) -> dict[str, str]:
        """Return the environment variables for the sandbox: those that the task sets, overridden by `own`."""
        workdir, task = self.harbor_settings.agent_workdir, self.task_of(state)
        # Rules: documented-env/variables, documented-env/workdir, documented-env/given-variables
        return {
            **resolve(task.agent_env, self.harbor_settings.host),
            "HARBOR_TASK_NAME": task.name,
            "HARBOR_TASK_DIR": TASK,
            "HARBOR_INSTRUCTION_PATH": INSTRUCTION,
            **({"AGENT_WORKDIR": workdir} if workdir else {}),
            **own,
        }

    def agent_seconds(self, state: State) -> float | None:
        """Return the agent's timeout: `timeout_seconds`, or else, under Harbor's scoring, the one in task.toml.

        None if there is no timeout.
        """
        # Rule: run-trial/agent-timeout
        return self.task_of(state).config.agent.timeout_sec if self.timeout_seconds is None else self.timeout_seconds

    async def post_sandbox_setup(self, state: State) -> None:
        """Upload instruction.md and task.toml. A subclass that overrides this method should call it first.

        Raises:
            Exception: the upload failed, or the task's directory no longer exists.
        """
        task = self.task_of(state)
        state["harbor_config"], state["harbor_task_dir"] = deepcopy(task.toml), str(task.directory)
        await self._rollout(state).upload_task()

    async def list_processes(self, state: State) -> None:
        """Remember the processes that are running right before the agent starts.

        Later, all processes except these may have to be killed.
        """
        listed = await self._rollout(state).run(LIST_PROCESSES)
        self._processes[state["sandbox_id"]] = listed.stdout

    async def post_rollout(self, state: State) -> None:
        """Score the agent's work before its sandbox is deleted, unless the infrastructure failed.

        A fault caused by the agent or its tests is recorded in `state["fault"]`, under the name of Harbor's exception.
        """
        state.update(reward=0.0, rewards=None, fault=None)
        # Rule: documented-env/skipped
        if self.is_infrastructure(state.get("error")):
            return
        try:
            state["reward"] = float(await self.compute_reward(state))
        except Exception as error:  # of a subclass
            warn(state, error)
            state["error"] = self.as_error(error)
        if fault := agent_fault(state, self.agent_seconds(state)):
            self._record_fault(state, fault)

    async def compute_reward(self, state: State) -> float:
        """Upload `tests/` and `solution/`, run the tests, and score the result.

        This method never raises an exception. If there is no reward, the reason is logged and is stored in
        `state["fault"]`, or in `state["error"]` if the infrastructure failed, unless the key was already set. Under
        Harbor's scoring, all rewards are stored in `state["rewards"]`.
        """
        processes = self._processes.pop(state["sandbox_id"], None)
        was_cut_off = state.get("timed_out") or state.get("agent_exit_code") is None
        kept = processes if self.harbor_settings.end_processes or was_cut_off else None
        try:
            score = await self._rollout(state).score(kept, series=self.series)
        except Exception as error:
            warn(state, error)
            if state.get("error") is None:
                state["error"] = self.as_error(error)
            return 0.0
        state["rewards"] = score.rewards
        if score.fault is not None:
            warn(state, score.fault)
            self._record_fault(state, score.fault)
        return score.reward

    @property
    def rollout_client(self) -> Any:
        """The sandbox client for rollouts, with the methods that `Rollout` needs."""
        return self.sandbox_client

    def as_error(self, error: Exception) -> Exception:
        """Convert an exception to the one that is stored in `state["error"]`."""
        return error

    def is_infrastructure(self, error: object) -> bool:
        """Return whether an error means that the rollout cannot be scored."""
        return isinstance(error, SandboxError)

    def task_of(self, state: State) -> DatasetTask:
        """Return the rollout's task, as `read_dataset` read it.

        Raises:
            ValueError: the state's task is not a task of this environment.
        """
        task, directory = self._tasks.get(state["task"]), state["info"]["task_dir"]
        if task is None or directory != str(task.directory):
            raise ValueError(f"{directory} is not a task of this environment: use rows from its dataset")
        return task

    def _record_fault(self, state: State, fault: Exception) -> None:
        """Record a fault, unless one is already recorded; also record it as an error if the settings require that."""
        if state.get("fault") is None:
            state["fault"] = printable(message_of(fault))
        if self.harbor_settings.faults == "error" and state.get("error") is None:
            state["error"] = self.as_error(fault)

    def _rollout(self, state: State) -> Rollout:
        return Rollout(self.task_of(state), self.harbor_settings, self.rollout_client, state["sandbox_id"])


def warn(state: State, error: Exception) -> None:
    """Log a rollout's error or fault as one line."""
    _LOG.warning("%s", printable(f"task {state.get('task')}: {message_of(error)}"))
