"""What an environment does with Harbor's tasks, over the sandbox client of whatever runs its agents."""

import asyncio
import gzip
import logging
import math
import os
import shlex
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, Any, cast, get_args

from parity.driver.commands import empty_folder, make_executable, run_script
from parity.driver.errors import AddTestsDirError, DownloadVerifierDirError, VerifierTimeoutError
from parity.driver.sandboxes import left_out
from parity.driver.sandboxes.unpacking import unpack
from parity.harbor_env import places
from parity.harbor_env.archives import task_archive, tests_archive
from parity.harbor_env.columns import to_dataset
from parity.harbor_env.dataset import Row, read_dataset, read_toml
from parity.harbor_env.errors import SandboxError, one_line
from parity.harbor_env.scoring import Score, Scoring, documented_score, harbor_score
from parity.harbor_env.verification import Verification, read_verification
from parity.scorer.series import OFFICIAL, Series

if TYPE_CHECKING:
    from datasets import Dataset

type State = dict[str, Any]
"""What is known of a rollout."""

_LOG = logging.getLogger("parity.harbor_env")
_TESTS_SECONDS = 300
"""How long the tests may take by the documentation's environment; Harbor's own time is in task.toml."""

_TRANSFER_SECONDS = 900
_LONGEST_SECONDS = 24 * 60 * 60
_SLACK_SECONDS = 60
_PRINT_REWARD = f"""cd {places.VERIFIER} 2>/dev/null || exit 0
for name in reward.txt reward.json; do test -s "$name" && exec cat "$name"; done; true"""
_PACK_VERIFIER = (
    f"rm -rf {places.VERIFIER_ARCHIVE}; tar -czf {places.VERIFIER_ARCHIVE} --hard-dereference -C {places.VERIFIER} ."
)


class HarborTasks:
    """The methods that HarborEnv's documentation names, to be mixed into an environment that runs agents.

    The environment has a `sandbox_client`, calls `post_sandbox_setup` before the agent and `post_rollout` after it,
    and gives each rollout a state with `info`, `sandbox_id` and `error`.
    """

    dataset_path: Path
    task_names: Sequence[str] | None
    agent_workdir: str
    docker_image: str
    scoring: Scoring
    sandbox_client: Any
    series: Series = OFFICIAL
    """Whose sums and digits Harbor's scoring has."""

    def take_tasks(
        self,
        dataset_path: str | Path,
        tasks: Sequence[str] | None,
        agent_workdir: str,
        docker_image: str,
        scoring: Scoring,
    ) -> None:
        """Keep what the constructor was given.

        Raises:
            TypeError: tasks are not a list of names.
            ValueError: there is no such scoring, or the working directory is not absolute.
        """
        names = _names(tasks)
        if scoring not in get_args(Scoring.__value__):
            raise ValueError(f"scoring is {scoring!r}: choose 'harbor' or 'documented'")
        if agent_workdir and not agent_workdir.startswith("/"):
            raise ValueError(f"agent_workdir is {agent_workdir!r}: give an absolute path inside the sandbox")
        self.dataset_path, self.task_names = Path(dataset_path), names
        self.agent_workdir, self.docker_image, self.scoring = agent_workdir, docker_image, scoring

    def read_rows(self) -> list[Row]:
        """All tasks, each with `example_id`, `task`, `prompt` and `info`.

        Raises:
            DatasetError: one cannot be used, or there is none.
        """
        return read_dataset(self.dataset_path, self.task_names, self.scoring)

    def load_harbor_dataset(self) -> "Dataset":
        """All tasks as a Hugging Face dataset, whose columns are the keys of `read_rows`.

        Raises:
            DatasetError: one cannot be used, there is none, or they do not fit into one dataset.
        """
        return to_dataset(self.read_rows())

    async def get_docker_image(self, state: State) -> str:
        """The image that task.toml names, or the environment's."""
        return _info(state).get("docker_image") or self.docker_image

    async def build_env_vars(self, state: State) -> dict[str, str]:
        """The variables of the sandbox; those that the environment was given come first."""
        variables: dict[str, str] = await super().build_env_vars(state)  # type: ignore[misc]
        own = {
            "HARBOR_TASK_NAME": _info(state).get("task_name") or state.get("task") or "",
            "HARBOR_TASK_DIR": places.TASK,
            "HARBOR_INSTRUCTION_PATH": places.INSTRUCTION,
            **({"AGENT_WORKDIR": self.agent_workdir} if self.agent_workdir else {}),
        }
        return {**own, **variables}

    async def post_sandbox_setup(self, state: State, *client: Any) -> None:
        """Upload instruction and task.toml; whoever adds to it calls this first.

        Args:
            state: the rollout's.
            client: the sandbox client, where the environment hands one over.

        Raises:
            SandboxError: the sandbox does not take them.
            FileNotFoundError: the task's folder is gone.
        """
        folder = _task_folder(state)
        sandbox_client = client[0] if client else self.sandbox_client
        state["harbor_config"], state["harbor_task_dir"] = read_toml(folder), str(folder)
        wanted = [places.TASK, places.VERIFIER, *([self.agent_workdir] if self.agent_workdir else [])]
        with task_archive(folder) as archive:
            await self._unpack_inside(sandbox_client, state, archive, places.TASK_ARCHIVE, _make_folders(wanted))

    async def post_rollout(self, state: State) -> None:
        """Score what the agent left, before its sandbox goes; not where the infrastructure failed."""
        await super().post_rollout(state)  # type: ignore[misc]
        if self.is_infrastructure(state.get("error")):
            _LOG.info("task %s is not scored: %s", _name(state), state["error"])
            state["reward"], state["rewards"] = 0.0, None
            return
        state["reward"] = await self.compute_reward(state)

    async def harbor_reward(self, state: State, **kwargs: Any) -> float:
        """The reward that was computed, for a rubric."""
        reward: float = state.get("reward", 0.0)
        return reward

    async def compute_reward(self, state: State) -> float:
        """Upload `tests/` and `solution/`, run the tests, and score what they leave.

        Never raises: why there is no reward is in `state["error"]`, unless something was there before, and the
        log. All rewards of Harbor's scoring are in `state["rewards"]`.
        """
        try:
            score = await self._verify(state)
        except Exception as error:
            score = Score(0.0, None, self.as_error(error))
        state["rewards"] = score.rewards
        if score.error is not None:
            _LOG.warning("%s", one_line(f"task {_name(state)}: {_told(score.error)}"))
            if state.get("error") is None:
                state["error"] = self.as_error(score.error)
        return score.reward

    def as_error(self, error: Exception) -> Exception:
        """An error as `state["error"]` takes it."""
        return error

    def is_infrastructure(self, error: object) -> bool:
        """Whether an error says that nothing can be scored."""
        return isinstance(error, SandboxError)

    async def run_tests(self, state: State, command: str, **options: Any) -> None:
        """Run the test script in the background of the sandbox, for at most `timeout` seconds."""
        await self.sandbox_client.run_background_job(sandbox_id=state["sandbox_id"], command=command, **options)

    async def end_agent(self, state: State) -> None:
        """End an agent that may run on; called before the tests are brought."""

    def retried(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """A call to the sandbox client that is retried where the environment retries."""
        return call

    async def _verify(self, state: State) -> Score:
        if not state.get("sandbox_id"):
            raise SandboxError("there is no sandbox to score")
        if self.scoring == "harbor":
            return await self._verify_as_harbor(state, _task_folder(state))
        return await self._verify_as_documented(state, _task_folder(state))

    async def _verify_as_documented(self, state: State, folder: Path) -> Score:
        try:
            await self._upload_tests(state, folder)
            await self.run_tests(state, "bash test.sh", timeout=_TESTS_SECONDS, working_dir=places.TESTS)
            execute = self.retried(self.sandbox_client.execute_command)
            printed = await execute(state["sandbox_id"], _PRINT_REWARD, timeout=_TRANSFER_SECONDS)
        except Exception as error:
            raise error if isinstance(error, SandboxError) else SandboxError(_told(error)) from error
        return documented_score(printed.stdout or "")

    async def _verify_as_harbor(self, state: State, folder: Path) -> Score:
        settings = read_verification(folder)
        try:
            async with asyncio.timeout(settings.timeout):
                return await self._run_as_harbor(state, folder, settings)
        except TimeoutError as error:
            raise VerifierTimeoutError(f"the tests ran into their timeout of {settings.timeout} seconds") from error

    async def _run_as_harbor(self, state: State, folder: Path, settings: Verification) -> Score:
        if not (folder / "tests" / "test.sh").exists():
            raise FileNotFoundError(f"there is no tests/test.sh in {folder}")
        try:
            await self._upload_tests(state, folder)
        except Exception as error:
            raise AddTestsDirError(f"the tests were not uploaded: {_told(error)}") from error
        environment = settings.variables(os.environ)
        await self.sandbox_client.execute_command(state["sandbox_id"], make_executable(places.TEST_SCRIPT))
        await self.run_tests(
            state,
            run_script(places.TEST_SCRIPT, places.TEST_OUTPUT),
            # The time is up before: this is for clients that have a shorter one of their own.
            timeout=math.ceil(min(settings.timeout, _LONGEST_SECONDS)) + _SLACK_SECONDS,
            working_dir=settings.workdir,
            **({"env": environment} if environment else {}),
        )
        with TemporaryDirectory(prefix="harbor-env-") as local:
            await self._fetch_verifier(state, Path(local))
            return _told_from_inside(harbor_score(Path(local, "verifier"), series=self.series), f"{local}/verifier")

    async def _fetch_verifier(self, state: State, local: Path) -> None:
        """Copy the verifier's folder to `verifier` in a folder of the host."""
        archive, target = local / "archive.tar.gz", local / "verifier"
        target.mkdir()
        try:
            packed = await self.retried(self.sandbox_client.execute_command)(state["sandbox_id"], _PACK_VERIFIER)
            if packed.exit_code not in (0, 1):  # 1 means that files changed while they were read
                raise SandboxError(f"tar ended with {packed.exit_code}: {(packed.stderr or '').strip()[:200]}")
            await self.sandbox_client.download_file(state["sandbox_id"], places.VERIFIER_ARCHIVE, str(archive))
            left_out.log(places.VERIFIER, await _in_thread(_unpack, archive, target))
        except Exception as error:
            raise DownloadVerifierDirError(f"the verifier's files were not downloaded: {_told(error)}") from error

    async def _upload_tests(self, state: State, folder: Path) -> None:
        """Bring tests and solution, where by then nothing of the agent's is left."""
        await self.end_agent(state)
        await self._execute(self.sandbox_client, state, _clear())
        made = _make_folders([places.ORACLE, places.TESTS])
        with tests_archive(folder) as archive:
            await self._unpack_inside(self.sandbox_client, state, archive, places.TESTS_ARCHIVE, made)

    async def _unpack_inside(self, client: Any, state: State, archive: Path, place: str, prepare: str) -> None:
        await self.retried(client.upload_file)(state["sandbox_id"], place, str(archive))
        await self._execute(client, state, f"{prepare} && tar -xzf {place} -C / && rm {place}")

    async def _execute(self, client: Any, state: State, command: str) -> None:
        """Run a command that has to succeed."""
        execute = self.retried(client.execute_command)
        done = await execute(state["sandbox_id"], command, working_dir=None, timeout=_TRANSFER_SECONDS)
        if done.exit_code:
            raise SandboxError(f"{command!r} ended with {done.exit_code}: {(done.stderr or '').strip()[:200]}")


def bounded(command: str, seconds: float | None) -> str:
    """A command that ends with its time: it must not be there any more when the tests are."""
    if seconds is None:
        return command
    return f"timeout -s KILL {max(math.ceil(seconds), 1)} bash -c {shlex.quote(command)}"


def _clear() -> str:
    """What the agent has planted goes: a reward, and what tests would take for their own."""
    folders = (places.ORACLE, places.TESTS, places.VERIFIER)
    # A folder that may not be entered could not be emptied, by a root without capabilities neither.
    entered = f"find {' '.join(folders)} {places.TESTS_ARCHIVE} -type d ! -perm -700 -exec chmod u+rwx {{}} \\;"
    emptied = " && ".join(empty_folder(folder, open_to_all=False) for folder in folders)
    return f"{entered} 2>/dev/null; rm -rf {places.TESTS_ARCHIVE} && {emptied}"


def _unpack(archive: Path, target: Path) -> list[left_out.LeftOut]:
    with gzip.open(archive) as stream:
        return unpack(cast("IO[bytes]", stream), target)


async def _in_thread[T](work: Callable[..., T], *arguments: Any) -> T:
    """What the work gives; whoever cancels that waits until no thread uses the files any more."""
    working = asyncio.ensure_future(asyncio.to_thread(work, *arguments))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        while not working.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({working})
        working.cancelled() or working.exception()  # nobody asks any more
        raise


def _told_from_inside(score: Score, folder: str) -> Score:
    """A score whose error speaks of the sandbox's folder, not of the host's."""
    if score.error is not None:
        told = (part.replace(folder, places.VERIFIER) if isinstance(part, str) else part for part in score.error.args)
        score.error.args = tuple(told)
    return score


def _names(tasks: object) -> list[str] | None:
    if tasks is None:
        return None
    given = list(tasks) if isinstance(tasks, Iterable) and not isinstance(tasks, str) else [None]
    names = [name for name in given if isinstance(name, str)]
    if len(names) < len(given):
        raise TypeError(f"tasks is {tasks!r}: give a list of names, or None for all tasks")
    return names


def _make_folders(folders: Sequence[str]) -> str:
    return f"mkdir -p {' '.join(map(shlex.quote, folders))}"


def _info(state: State) -> dict[str, Any]:
    info: dict[str, Any] = state.get("info") or {}
    return info


def _name(state: State) -> str:
    return str(_info(state).get("task_name") or state.get("task"))


def _task_folder(state: State) -> Path:
    """The task's folder on the host.

    Raises:
        ValueError: the state names none.
        FileNotFoundError: it is gone.
    """
    told = state.get("harbor_task_dir") or _info(state).get("task_dir")
    if not told:
        raise ValueError("the rollout's state names no task_dir: take its rows from load_harbor_dataset")
    folder = Path(told)
    if not folder.is_dir():
        raise FileNotFoundError(f"the task's folder is gone: {folder}")
    return folder


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
