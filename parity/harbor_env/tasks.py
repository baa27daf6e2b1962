"""The shared part of environments over Harbor's tasks: read tasks, upload them into sandboxes, and score rollouts."""

import logging
import reprlib
from collections.abc import Awaitable, Callable, Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from parity.driver.agent_processes import LIST_PROCESSES, end_others
from parity.driver.documents.templates import resolve
from parity.driver.sandbox import Sandboxes, SandboxSpec
from parity.harbor_env import places
from parity.harbor_env.archives import packed, parts_for_agent
from parity.harbor_env.columns import to_dataset
from parity.harbor_env.dataset import DatasetTask, Row, read_tasks
from parity.harbor_env.errors import DatasetError, Mistake, SandboxError, agent_fault, is_fault, message_of
from parity.harbor_env.harbor_run import HarborRun
from parity.harbor_env.inside import Inside, make_folders
from parity.harbor_env.sandbox_client import SandboxClient
from parity.harbor_env.scoring import Score
from parity.harbor_env.settings import EnvSettings
from parity.harbor_env.states import State, info_of, name_of, task_folder
from parity.harbor_env.verifying import Verifying
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

    sandbox_client: Any
    timeout_seconds: float | None
    """The agent's timeout; None for any time."""

    def take_tasks(self, settings: EnvSettings) -> None:
        """Store the settings. The tasks are read later."""
        self.dataset_path, self.task_names = settings.dataset_path, settings.task_names
        self.agent_workdir = settings.agent_workdir
        self.harbor_settings, self.host = settings, settings.host
        self._harbor_tasks: dict[str, DatasetTask] = {}
        self._other_processes: dict[str, str] = {}

    @property
    def cuts_off_agents(self) -> bool:
        """Return whether an agent may still be running when its time or its turns are used up."""
        return self.timeout_seconds is not None

    async def run_tests(self, state: State, command: str, *, seconds: float | None = None, **options: Any) -> None:
        """Run the test script in the background of the sandbox.

        Args:
            state: the rollout's state.
            command: bash source.
            seconds: Harbor's timeout for the script. A client that polls must enforce it inside the sandbox.
            options: `timeout`, `working_dir` and `env` of the client's own call.
        """
        await self.sandbox_client.run_background_job(state["sandbox_id"], command, **options)

    def retried(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
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
        return info_of(state).get("docker_image") or self.harbor_settings.docker_image

    def variables(self, state: State, given: Mapping[str, str]) -> dict[str, str]:
        """Return the variables of the sandbox. The environment's own variables override the others."""
        workdir = self.harbor_settings.agent_workdir
        # Rule: documented-env/variables
        own = {
            "HARBOR_TASK_NAME": info_of(state).get("task_name") or state.get("task") or "",
            "HARBOR_TASK_DIR": places.TASK,
            "HARBOR_INSTRUCTION_PATH": places.INSTRUCTION,
            # Rule: documented-env/workdir
            **({"AGENT_WORKDIR": workdir} if workdir else {}),
        }
        if harbor_run := self._harbor_run(state):
            own = {**resolve(harbor_run.agent_env, self.host), **own}
        # Rule: documented-env/given-variables
        return {**own, **given}

    def resources(self, state: State, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the environment's resources. Under Harbor's scoring, the task's values override these."""
        harbor_run = self._harbor_run(state)
        return {**given, **(harbor_run.resources if harbor_run else {})}

    def starting_folder(self, state: State) -> str | None:
        """Return the folder in which the agent starts: the task's own under Harbor's scoring, if it names one."""
        harbor_run = self._harbor_run(state)
        return harbor_run.workdir if harbor_run else None

    async def post_sandbox_setup(self, state: State) -> None:
        """Upload instruction.md and task.toml. A subclass that adds to this calls it first.

        Raises:
            SandboxError: the upload fails.
            FileNotFoundError: the task's folder is gone.
        """
        task = self._task(state)
        state["harbor_config"], state["harbor_task_dir"] = deepcopy(task.config), str(task.folder)
        built = task.harbor_run.built_workdir if task.harbor_run else None
        # Rules: documented-env/workdir, documented-env/before-the-agent
        wanted = [places.TASK, places.VERIFIER, *filter(None, [self.harbor_settings.agent_workdir, built])]
        async with packed(task.folder, parts_for_agent) as archive:
            await self._inside(state).unpack(archive, places.TASK_ARCHIVE, make_folders(wanted))

    async def before_agent(self, state: State) -> None:
        """List the processes right before the agent starts, if the agent may have to be killed later."""
        if self.harbor_settings.end_processes or self.cuts_off_agents:
            listed = await self._inside(state).run(LIST_PROCESSES)
            self._other_processes[state["sandbox_id"]] = listed.stdout

    async def end_agent(self, state: State) -> None:
        """Kill an agent's processes before tests are uploaded, if it was cut off, or if the environment always does
        so.
        """
        listed = self._other_processes.pop(state["sandbox_id"], None)
        is_cut_off = state.get("timed_out") or state.get("agent_exit_code") is None
        if listed is not None and (self.harbor_settings.end_processes or is_cut_off):
            await self._inside(state).execute(end_others(listed))

    async def score(self, state: State) -> None:
        """Score the agent's work before its sandbox is deleted, unless the infrastructure failed.

        A fault of the agent or its tests is recorded in `state["fault"]`, by Harbor's name.
        """
        state.setdefault("fault", None)
        # Rule: documented-env/skipped
        if self.is_infrastructure(state.get("error")):
            _LOG.info("task %s is not scored: %s", name_of(state), state["error"])
            state["reward"], state["rewards"] = 0.0, None
            return
        reward: object = await self.compute_reward(state)
        if ended := agent_fault(state, self.timeout_seconds):
            self._keep_fault(state, ended)
        try:
            state["reward"] = _number(reward)
        except (TypeError, OverflowError) as error:
            wrong = TypeError(f"compute_reward of task {name_of(state)} returned {error}; return a float")
            _LOG.warning("%s", printable(str(wrong)))
            state["reward"], state["rewards"], state["error"] = 0.0, None, self.as_error(wrong)

    async def compute_reward(self, state: State) -> float:
        """Upload `tests/` and `solution/`, run the tests, and score the result.

        This method never raises. The reason for a missing reward is logged, and is in `state["fault"]`, or in
        `state["error"]` if the infrastructure failed, unless these were set before. `state["rewards"]` has all rewards
        of Harbor's scoring.
        """
        is_theirs = True
        try:
            score = await self._verify(state)
        except Exception as error:
            score, is_theirs = Score(0.0, None, error), is_fault(error)
        if self._is_gone(state):  # closed meanwhile; an error after that is not the agent's fault
            score, is_theirs = Score(0.0, None, SandboxError("the sandbox was deleted before all was scored")), False
            state["error"] = None
        state["rewards"] = score.rewards
        if score.error is not None:
            causes = [score.error, *([score.error.__cause__] if score.error.__cause__ else [])]
            _LOG.warning("%s", printable(f"task {name_of(state)}: {': '.join(map(message_of, causes))}"))
            if is_theirs:
                self._keep_fault(state, score.error)
            elif state.get("error") is None:
                state["error"] = self.as_error(score.error)
        return score.reward

    async def _verify(self, state: State) -> Score:
        if not state.get("sandbox_id"):
            raise SandboxError("there is no sandbox to score")
        task = self._task(state)
        verifying = Verifying(self, self._inside(state), state, task.folder)
        return await (verifying.as_harbor(task.harbor_run) if task.harbor_run else verifying.as_documented())

    def _keep_fault(self, state: State, error: Exception) -> None:
        """Record a fault, unless there is an earlier one; make it an error if the environment is set to do so."""
        if state.get("fault") is None:
            state["fault"] = printable(message_of(error))
        if self.harbor_settings.faults == "error" and state.get("error") is None:
            state["error"] = self.as_error(error)

    def _task(self, state: State) -> DatasetTask:
        """Return the rollout's task, as it was read.

        Raises:
            ValueError: the state names no task, or one of another environment.
            FileNotFoundError: the task's folder is gone.
        """
        folder = task_folder(state, self.harbor_settings.dataset_path)
        if str(folder) not in self._harbor_tasks:
            raise ValueError(f"{folder} is no task of this environment: take rows from load_harbor_dataset")
        if not folder.is_dir():
            raise FileNotFoundError(f"the task's folder is gone: {folder}")
        return self._harbor_tasks[str(folder)]

    def _harbor_run(self, state: State) -> HarborRun | None:
        return self._task(state).harbor_run if self.harbor_settings.scoring == "harbor" else None

    def _is_gone(self, state: State) -> bool:
        client, sandbox = self.sandbox_client, state.get("sandbox_id")
        return isinstance(client, SandboxClient) and sandbox is not None and not client.has(sandbox)

    def _inside(self, state: State) -> Inside:
        return Inside(self.sandbox_client, state["sandbox_id"], self.retried)


def _number(reward: object) -> float:
    """Return a reward as a double, or raise an error that shows the other value."""
    if not isinstance(reward, int | float):
        raise TypeError(reprlib.repr(reward))
    try:
        return float(reward)
    except OverflowError:
        raise OverflowError("an int beyond the range of a double") from None
