"""What an environment does with Harbor's tasks, over the sandbox client of whatever runs its agents."""

import logging
import reprlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from parity.driver.documents.templates import resolve
from parity.driver.sandbox import Sandboxes, SandboxSpec
from parity.harbor_env import places
from parity.harbor_env.archives import task_archive
from parity.harbor_env.arguments import (
    check_choice,
    check_text,
    check_yes_or_no,
    folder_of_agent,
    folder_of_tasks,
    host_variables,
    names_of_tasks,
)
from parity.harbor_env.columns import to_dataset
from parity.harbor_env.dataset import Row, read_dataset, read_toml
from parity.harbor_env.errors import DatasetError, Mistake, SandboxError, one_line, told
from parity.harbor_env.faults import Faults, agent_fault, is_fault
from parity.harbor_env.inside import Inside, make_folders
from parity.harbor_env.processes import LIST_PROCESSES, end_others
from parity.harbor_env.sandbox_client import SandboxClient
from parity.harbor_env.scoring import Score, Scoring
from parity.harbor_env.states import State, info_of, name_of, task_folder
from parity.harbor_env.verification import read_verification
from parity.harbor_env.verifying import Verifying
from parity.scorer.series import OFFICIAL, Series

if TYPE_CHECKING:
    from datasets import Dataset

_LOG = logging.getLogger("parity.harbor_env")


class HarborTasks:
    """The methods that HarborEnv's documentation names, to be mixed into an environment that runs agents.

    The environment has a `sandbox_client`, calls `post_sandbox_setup` and `before_agent` before the agent and
    `post_rollout` after it, and gives each rollout a state with `info`, `sandbox_id` and `error`.
    """

    dataset_path: Path
    task_names: Sequence[str] | None
    agent_workdir: str
    docker_image: str
    scoring: Scoring
    faults: Faults
    host: Mapping[str, str]
    """The variables of the host that tasks may take."""

    sandbox_client: Any
    series: Series = OFFICIAL
    """Whose sums and digits Harbor's scoring has."""

    end_processes: bool = False
    polling_seconds: float = 0
    """How much later than it is the end of the tests may be noticed."""

    def take_tasks(
        self,
        dataset_path: str | Path,
        tasks: Sequence[str] | None,
        agent_workdir: str,
        docker_image: str,
        scoring: Scoring,
        *,
        faults: Faults,
        end_processes: bool,
        network: bool,
        host_env: Sequence[str],
    ) -> None:
        """Keep what the constructor was given.

        Raises:
            TypeError: a path is none, tasks are not a list of names, or what is yes or no is neither.
            ValueError: there is no such scoring or choice of faults, or the working directory is not absolute.
        """
        names, self.host = names_of_tasks(tasks), host_variables(host_env)
        check_choice("scoring", scoring, get_args(Scoring.__value__))
        check_choice("faults", faults, get_args(Faults.__value__))
        check_yes_or_no("end_processes", end_processes)
        check_yes_or_no("network", network)
        check_text("docker_image", docker_image, "the name of an image", may_be_empty=True)
        self.dataset_path, self.task_names = folder_of_tasks(dataset_path), names
        self.agent_workdir, self.docker_image, self.scoring = folder_of_agent(agent_workdir), docker_image, scoring
        self.faults, self.end_processes, self._network = faults, end_processes, network
        self._processes: dict[str, str] = {}

    def read_rows(self) -> list[Row]:
        """All tasks, each with `example_id`, `task`, `prompt` and `info`.

        Raises:
            DatasetError: one cannot be used, or there is none.
        """
        return read_dataset(self.dataset_path, self.task_names, self.scoring, network=self._network, host=self.host)

    def check_builds(self, rows: Iterable[Mapping[str, Any]], sandboxes: Sandboxes) -> None:
        """See that sandboxes can be what a task's Dockerfile makes, where there is no image in its place.

        Raises:
            DatasetError: they cannot.
        """
        for info in [row["info"] for row in rows] if self.scoring == "harbor" else []:
            folder, name = Path(info["task_dir"]), info["task_name"]
            build = folder / "environment"
            if info["docker_image"] or not (build / "Dockerfile").exists():
                continue
            if refusal := sandboxes.refusal(SandboxSpec(name, name, build, self.docker_image)):
                what = f"{refusal.partition(';')[0]}; build it, and give its name as docker_image to other sandboxes"
                raise DatasetError(Mistake.REFUSED, folder, what)

    def load_harbor_dataset(self) -> "Dataset":
        """All tasks as a Hugging Face dataset, whose columns are the keys of `read_rows`.

        Raises:
            DatasetError: one cannot be used, there is none, or they do not fit into one dataset.
        """
        return to_dataset(self.read_rows())

    async def get_docker_image(self, state: State) -> str:
        """The image that task.toml names, or the environment's."""
        return info_of(state).get("docker_image") or self.docker_image

    async def build_env_vars(self, state: State) -> dict[str, str]:
        """The variables of the sandbox; those that the environment was given come first."""
        variables: dict[str, str] = await super().build_env_vars(state)  # type: ignore[misc]
        own = {
            "HARBOR_TASK_NAME": info_of(state).get("task_name") or state.get("task") or "",
            "HARBOR_TASK_DIR": places.TASK,
            "HARBOR_INSTRUCTION_PATH": places.INSTRUCTION,
            **({"AGENT_WORKDIR": self.agent_workdir} if self.agent_workdir else {}),
        }
        if self.scoring == "harbor":
            settings = read_verification(task_folder(state), self.host)
            own = {**resolve(settings.agent_env, self.host), **own}
        return {**own, **variables}

    def get_sandbox_resources(self, state: State) -> dict[str, Any]:
        """The environment's, and over them what the task says under Harbor's scoring."""
        resources: dict[str, Any] = super().get_sandbox_resources(state)  # type: ignore[misc]
        if self.scoring == "harbor":
            resources |= read_verification(task_folder(state), self.host).resources
        return resources

    def starting_folder(self, state: State) -> str | None:
        """Where the agent begins: Harbor's is the task's own folder, if it names one."""
        return read_verification(task_folder(state), self.host).workdir if self.scoring == "harbor" else None

    async def post_sandbox_setup(self, state: State, *client: Any) -> None:
        """Upload instruction and task.toml; whoever adds to it calls this first.

        Args:
            state: the rollout's.
            client: the sandbox client, where the environment hands one over.

        Raises:
            SandboxError: the sandbox does not take them.
            FileNotFoundError: the task's folder is gone.
        """
        folder = task_folder(state)
        sandbox_client = client[0] if client else self.sandbox_client
        state["harbor_config"], state["harbor_task_dir"] = read_toml(folder), str(folder)
        built = read_verification(folder, self.host).built_workdir if self.scoring == "harbor" else None
        wanted = [places.TASK, places.VERIFIER, *filter(None, [self.agent_workdir, built])]
        async with task_archive(folder) as archive:
            await self._inside(state, sandbox_client).unpack(archive, places.TASK_ARCHIVE, make_folders(wanted))

    async def before_agent(self, state: State) -> None:
        """Note what runs besides the agent, where the agent may have to be ended."""
        await super().before_agent(state)  # type: ignore[misc]
        if self.may_end_agents():
            listed = await self._inside(state, self.sandbox_client).run(LIST_PROCESSES)
            self._processes[state["sandbox_id"]] = listed.stdout

    def may_end_agents(self) -> bool:
        """Whether what an agent leaves running may have to be ended."""
        return self.end_processes or getattr(self, "timeout_seconds", None) is not None

    async def post_rollout(self, state: State) -> None:
        """Score what the agent left, before its sandbox goes; not where the infrastructure failed.

        What the agent or its tests did wrong is then in `state["fault"]`, as Harbor calls it.
        """
        await super().post_rollout(state)  # type: ignore[misc]
        state.setdefault("fault", None)
        if self.is_infrastructure(state.get("error")):
            _LOG.info("task %s is not scored: %s", name_of(state), state["error"])
            state["reward"], state["rewards"] = 0.0, None
            return
        reward: object = await self.compute_reward(state)
        if ended := agent_fault(state, getattr(self, "timeout_seconds", None)):
            self._keep_fault(state, ended)
        try:
            state["reward"] = _number(reward)
        except (TypeError, OverflowError) as error:
            wrong = TypeError(f"compute_reward of task {name_of(state)} returned {error}; return a float")
            _LOG.warning("%s", one_line(str(wrong)))
            state["reward"], state["rewards"], state["error"] = 0.0, None, self.as_error(wrong)

    async def harbor_reward(self, state: State, **kwargs: Any) -> float:
        """The reward that was computed, for a rubric."""
        reward: float = state.get("reward", 0.0)
        return reward

    async def compute_reward(self, state: State) -> float:
        """Upload `tests/` and `solution/`, run the tests, and score what they leave.

        Never raises: why there is no reward is in `state["fault"]`, or in `state["error"]` where the infrastructure
        failed, unless something was there before, and in the log. All rewards of Harbor's scoring are in
        `state["rewards"]`.
        """
        is_theirs = True
        try:
            score = await self._verify(state)
        except Exception as error:
            score, is_theirs = Score(0.0, None, error), is_fault(error)
        if self._is_gone(state):  # closed meanwhile: whatever that looks like is not the agent's doing
            score, is_theirs = Score(0.0, None, SandboxError("the sandbox was deleted before all was scored")), False
            state["error"] = None
        state["rewards"] = score.rewards
        if score.error is not None:
            causes = [score.error, *([score.error.__cause__] if score.error.__cause__ else [])]
            _LOG.warning("%s", one_line(f"task {name_of(state)}: {': '.join(map(told, causes))}"))
            if is_theirs:
                self._keep_fault(state, score.error)
            elif state.get("error") is None:
                state["error"] = self.as_error(score.error)
        return score.reward

    def _keep_fault(self, state: State, error: Exception) -> None:
        """Record a fault, unless there is an earlier one, and make it an error where that is asked for."""
        if state.get("fault") is None:
            state["fault"] = one_line(told(error))
        if self.faults == "error" and state.get("error") is None:
            state["error"] = self.as_error(error)

    def as_error(self, error: Exception) -> Exception:
        """An error as `state["error"]` takes it."""
        return error

    def is_infrastructure(self, error: object) -> bool:
        """Whether an error says that nothing can be scored."""
        return isinstance(error, SandboxError)

    async def run_tests(self, state: State, command: str, *, seconds: float | None = None, **options: Any) -> None:
        """Run the test script in the background of the sandbox.

        Args:
            state: the rollout's.
            command: bash source.
            seconds: how long Harbor lets it run; whoever asks now and then only has to see to that inside.
            options: `timeout`, `working_dir` and `env` of the client's own call.
        """
        await self.sandbox_client.run_background_job(sandbox_id=state["sandbox_id"], command=command, **options)

    async def end_agent(self, state: State) -> None:
        """End what may run on of an agent; called before the tests are brought."""
        if self.end_processes or state.get("timed_out"):
            listed = self._processes.pop(state["sandbox_id"], "")
            await self._inside(state, self.sandbox_client).execute(end_others(listed))

    def retried(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """A call to the sandbox client that is retried where the environment retries."""
        return call

    async def _verify(self, state: State) -> Score:
        if not state.get("sandbox_id"):
            raise SandboxError("there is no sandbox to score")
        verifying = Verifying(self, self._inside(state, self.sandbox_client), state, task_folder(state))
        return await (verifying.as_harbor() if self.scoring == "harbor" else verifying.as_documented())

    def _is_gone(self, state: State) -> bool:
        client, sandbox = self.sandbox_client, state.get("sandbox_id")
        return isinstance(client, SandboxClient) and sandbox is not None and not client.has(sandbox)

    def _inside(self, state: State, client: Any) -> Inside:
        return Inside(client, state["sandbox_id"], self.retried)


def _number(reward: object) -> float:
    """A reward as a double; the message of an error says what it is instead."""
    if not isinstance(reward, int | float):
        raise TypeError(reprlib.repr(reward))
    try:
        return float(reward)
    except OverflowError:
        raise OverflowError("an int beyond the range of a double") from None
