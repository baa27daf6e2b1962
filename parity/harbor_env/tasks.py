"""The shared part of environments over Harbor's tasks: read tasks, upload them into sandboxes, and score rollouts."""

import logging
import reprlib
from collections.abc import Mapping
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parity.driver.agent_processes import LIST_PROCESSES
from parity.driver.documents.templates import resolve
from parity.driver.sandbox import Sandboxes, SandboxSpec
from parity.harbor_env import places
from parity.harbor_env.client import SandboxClient
from parity.harbor_env.columns import to_dataset
from parity.harbor_env.dataset import DatasetTask, Row, read_tasks
from parity.harbor_env.errors import DatasetError, Mistake, SandboxError, agent_fault, is_fault, message_of
from parity.harbor_env.harbor_run import HarborRun
from parity.harbor_env.rollout import Call, Rollout, State
from parity.harbor_env.scoring import Score
from parity.harbor_env.settings import EnvSettings
from parity.scorer.printable import printable
from parity.scorer.series import OFFICIAL, Series

if TYPE_CHECKING:
    from datasets import Dataset

_LOG = logging.getLogger("parity.harbor_env")


class HarborTasks:
    """The first base class of an environment that runs agents. A state has `info`, and maybe a `sandbox_id`."""

    series: Series = OFFICIAL
    """The interpreter series of Harbor's scoring."""

    polling_seconds: float = 0.0
    """The time after which the client has noticed the end of the tests, in seconds."""

    cuts_off_agents: bool = False
    """Whether an agent may still be running when its rollout ends, even without a timeout of its own."""

    sandbox_client: Any
    timeout_seconds: float | None
    """The agent's timeout that the arguments give, if any."""

    def take_tasks(self, settings: EnvSettings) -> None:
        """Store the settings. The tasks are read later."""
        self.harbor_settings = settings
        self.dataset_path, self.task_names = settings.dataset_path, settings.tasks
        self.agent_workdir = settings.agent_workdir
        self._harbor_tasks: dict[str, DatasetTask] = {}
        self._other_processes: dict[str, str] = {}

    async def run_tests(self, state: State, command: str, *, seconds: float | None = None, **options: Any) -> None:
        """Run the test script in the background of the sandbox.

        Args:
            state: the rollout's state.
            command: bash source.
            seconds: Harbor's timeout for the script. A client that polls must enforce it inside the sandbox.
            options: `timeout`, `working_dir` and `env` of the client's own call.
        """
        await self.sandbox_client.run_background_job(state["sandbox_id"], command, **options)

    def retried(self, call: Call) -> Call:
        """Return a call to the sandbox client, with retries if these can help; never for our own client."""
        return call

    def as_error(self, error: Exception) -> Exception:
        """Return an error for `state["error"]`."""
        return error

    def is_infrastructure(self, error: object) -> bool:
        """Return whether an error means that the rollout cannot be scored."""
        return isinstance(error, SandboxError)

    def read_rows(self) -> list[Row]:
        """Read all tasks as rows with `example_id`, `task`, `prompt` and `info`. Rollouts use the tasks as they are
        here.

        Raises:
            DatasetError: a task cannot be used, or there is none.
        """
        tasks = read_tasks(self.harbor_settings)
        self._harbor_tasks = {str(task.folder): task for task in tasks}
        # Rule: documented-env/order
        return [task.row(number) for number, task in enumerate(tasks)]

    def load_harbor_dataset(self) -> "Dataset":
        """Read all tasks as a Hugging Face dataset with `example_id`, `task`, `prompt` and `info`.

        Raises:
            DatasetError: a task cannot be used, there is none, or the tasks do not fit into one dataset.
        """
        return to_dataset(self.read_rows())

    def check_builds(self, sandboxes: Sandboxes) -> None:
        """Check that the sandboxes can replace each task's Dockerfile, unless an image is named instead of it.

        Raises:
            DatasetError: the sandboxes cannot.
        """
        for task in self._harbor_tasks.values():
            build, name = task.folder / "environment", task.folder.name
            if task.harbor_run is None or task.image or not (build / "Dockerfile").exists():
                continue
            if refusal := sandboxes.refusal(SandboxSpec(name, name, build, self.harbor_settings.docker_image)):
                what = f"{refusal.partition(';')[0]}; build it, and give its name as docker_image to other sandboxes"
                raise DatasetError(Mistake.REFUSED, task.folder, what)

    async def get_docker_image(self, state: State) -> str:
        """Return the image that task.toml names, or the environment's."""
        # Rule: documented-env/image
        return _info(state).get("docker_image") or self.harbor_settings.docker_image

    def variables(self, state: State, given: Mapping[str, str]) -> dict[str, str]:
        """Return the variables of the sandbox. The environment's own variables override the others."""
        workdir, harbor_run = self.harbor_settings.agent_workdir, self._harbor_run(state)
        # Rules: documented-env/variables, documented-env/workdir, documented-env/given-variables
        return {
            **(resolve(harbor_run.agent_env, self.harbor_settings.host) if harbor_run else {}),
            "HARBOR_TASK_NAME": _name(state),
            "HARBOR_TASK_DIR": places.TASK,
            "HARBOR_INSTRUCTION_PATH": places.INSTRUCTION,
            **({"AGENT_WORKDIR": workdir} if workdir else {}),
            **given,
        }

    def resources(self, state: State, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the environment's resources. Under Harbor's scoring, the task's values override these."""
        harbor_run = self._harbor_run(state)
        return {**given, **(harbor_run.resources if harbor_run else {})}

    def starting_directory(self, state: State) -> str | None:
        """Return the directory in which the agent starts: the task's own under Harbor's scoring, if it names one."""
        harbor_run = self._harbor_run(state)
        return harbor_run.workdir if harbor_run else None

    def agent_seconds(self, state: State) -> float | None:
        """Return the agent's timeout: `timeout_seconds`, or else the task's own under Harbor's scoring; None for any
        time.
        """
        harbor_run = self._harbor_run(state)
        # Rule: run-trial/agent-timeout
        return harbor_run.agent_timeout if harbor_run and self.timeout_seconds is None else self.timeout_seconds

    async def post_sandbox_setup(self, state: State) -> None:
        """Upload instruction.md and task.toml. A subclass that adds to this calls it first.

        Raises:
            SandboxError: the upload fails.
            FileNotFoundError: the task's directory is gone.
        """
        task = self._task(state)
        state["harbor_config"], state["harbor_task_dir"] = deepcopy(task.config), str(task.folder)
        await self._rollout(state).bring_task(self.harbor_settings.agent_workdir)

    async def before_agent(self, state: State) -> None:
        """List the processes right before the agent starts, if the agent may have to be killed later."""
        if self.harbor_settings.end_processes or self.cuts_off_agents or self.agent_seconds(state) is not None:
            listed = await self._rollout(state).run(LIST_PROCESSES)
            self._other_processes[state["sandbox_id"]] = listed.stdout

    async def score(self, state: State) -> None:
        """Score the agent's work before its sandbox is deleted, unless the infrastructure failed.

        A fault of the agent or its tests is recorded in `state["fault"]`, by Harbor's name.
        """
        state.setdefault("fault", None)
        # Rule: documented-env/skipped
        if self.is_infrastructure(state.get("error")):
            _LOG.info("task %s is not scored: %s", _name(state), state["error"])
            state["reward"], state["rewards"] = 0.0, None
            return
        reward: object = await self.compute_reward(state)
        if ended := agent_fault(state, self.agent_seconds(state)):
            self._keep_fault(state, ended)
        try:
            state["reward"] = _number(reward)
        except (TypeError, OverflowError) as error:
            wrong = TypeError(f"compute_reward of task {_name(state)} returned {error}; return a float")
            _LOG.warning("%s", printable(str(wrong)))
            state["reward"], state["rewards"], state["error"] = 0.0, None, self.as_error(wrong)

    async def compute_reward(self, state: State) -> float:
        """Upload `tests/` and `solution/`, run the tests, and score the result.

        This method never raises. The reason for a missing reward is logged, and is in `state["fault"]`, or in
        `state["error"]` if the infrastructure failed, unless these were set before. `state["rewards"]` has all rewards
        of Harbor's scoring.
        """
        try:
            score = await self._verify(state)
            is_theirs = True
        except Exception as error:
            score, is_theirs = Score(0.0, None, error), is_fault(error)
        if self._is_gone(state):  # closed meanwhile; an error after that is not the agent's fault
            score, is_theirs = Score(0.0, None, SandboxError("the sandbox was deleted before all was scored")), False
            state["error"] = None
        state["rewards"] = score.rewards
        if score.error is not None:
            causes = [score.error, *([score.error.__cause__] if score.error.__cause__ else [])]
            _LOG.warning("%s", printable(f"task {_name(state)}: {': '.join(map(message_of, causes))}"))
            if is_theirs:
                self._keep_fault(state, score.error)
            elif state.get("error") is None:
                state["error"] = self.as_error(score.error)
        return score.reward

    async def _verify(self, state: State) -> Score:
        if not state.get("sandbox_id"):
            raise SandboxError("there is no sandbox to score")
        rollout, run_tests = self._rollout(state), partial(self.run_tests, state)
        is_cut_off = state.get("timed_out") or state.get("agent_exit_code") is None
        listed = self._other_processes.pop(rollout.sandbox_id, None)
        kept = listed if self.harbor_settings.end_processes or is_cut_off else None
        return await rollout.score(
            run_tests,
            kept,
            host=self.harbor_settings.host,
            series=self.series,
            polling_seconds=self.polling_seconds,
        )

    def _keep_fault(self, state: State, error: Exception) -> None:
        """Record a fault, unless there is an earlier one; make it an error if the environment is set to do so."""
        if state.get("fault") is None:
            state["fault"] = printable(message_of(error))
        if self.harbor_settings.faults == "error" and state.get("error") is None:
            state["error"] = self.as_error(error)

    def _rollout(self, state: State) -> Rollout:
        return Rollout(state, self._task(state), self.sandbox_client, state["sandbox_id"], self.retried)

    def _task(self, state: State) -> DatasetTask:
        """Return the rollout's task, as it was read: by its directory in the state, or else by its name.

        Raises:
            ValueError: the state names no task, or one of another environment.
            FileNotFoundError: the task's directory is gone.
        """
        folder = state.get("harbor_task_dir") or _info(state).get("task_dir")
        if not folder and not _name(state):
            raise ValueError("the rollout's state names no task: take its rows from load_harbor_dataset")
        folder = Path(folder) if folder else self.harbor_settings.dataset_path / _name(state)
        if str(folder) not in self._harbor_tasks:
            raise ValueError(f"{folder} is no task of this environment: take rows from load_harbor_dataset")
        if not folder.is_dir():
            raise FileNotFoundError(f"the task's directory is gone: {folder}")
        return self._harbor_tasks[str(folder)]

    def _harbor_run(self, state: State) -> HarborRun | None:
        return self._task(state).harbor_run if self.harbor_settings.scoring == "harbor" else None

    def _is_gone(self, state: State) -> bool:
        client, sandbox = self.sandbox_client, state.get("sandbox_id")
        return isinstance(client, SandboxClient) and sandbox is not None and not client.has(sandbox)


def _info(state: State) -> dict[str, Any]:
    """Return the dataset's `info` of the rollout's task."""
    info: dict[str, Any] = state.get("info") or {}
    return info


def _name(state: State) -> str:
    return str(_info(state).get("task_name") or state.get("task") or "")


def _number(reward: object) -> float:
    """Return a reward as a double, or raise an error that shows the other value."""
    if not isinstance(reward, int | float):
        raise TypeError(reprlib.repr(reward))
    try:
        return float(reward)
    except OverflowError:
        raise OverflowError("an int beyond the range of a double") from None
