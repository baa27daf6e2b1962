"""Differences that show only when agents and tests really run, on local sandboxes.

The answers of releases are kept in `releases.json` with the others, see `tests.harbor_env.differences`.
"""

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path

from parity.harbor_env import HarborEnv, Scoring
from tests.harbor_env.local_trials import run_on_local_sandbox

_TXT = "/logs/verifier/reward.txt"


@dataclass(frozen=True)
class RolloutDifference:
    """An agent and tests, in words and as bash source."""

    case: str
    agent: str
    tests: str
    seconds: int = 60
    """The time limit of the agent, in seconds."""

    def write(self, folder: Path) -> Path:
        """Write a dataset with this task alone."""
        task = folder / "dataset" / "task"
        (task / "environment").mkdir(parents=True)
        (task / "tests").mkdir()
        (task / "instruction.md").write_text("Do it.\n")
        (task / "task.toml").write_text(
            f'[agent]\ntimeout_sec = {self.seconds}\n[environment]\ndocker_image = "x"\nnetwork_mode = "no-network"\n'
        )
        script = task / "tests" / "test.sh"
        script.write_text(f"#!/bin/bash\n{self.tests}\n")
        script.chmod(0o755)
        return task.parent

    def of_harbor(self) -> str:
        """Return the result of a trial of the wheel."""
        with tempfile.TemporaryDirectory() as folder:
            task = self.write(Path(folder)) / "task"
            return _cell(*run_on_local_sandbox(task, self.agent, Path(folder) / "job"))

    def of_environment(self, scoring: Scoring) -> str:
        """Return the result of this kit's environment."""
        with tempfile.TemporaryDirectory() as folder:
            environment = HarborEnv(self.agent, self.write(Path(folder)), scoring=scoring, timeout_seconds=self.seconds)
            state = asyncio.run(environment.evaluate())["state"][0]
        # Under the scoring of the documentation there is only a reward to compare.
        fault = state["fault"] if scoring == "harbor" else None
        return _cell(state["reward"], fault and fault.partition(":")[0])

    def of_release(self) -> str:
        """Return the result of the installed release."""
        from tests.harbor_env.verifiers.released import released_rewards

        with tempfile.TemporaryDirectory() as folder:
            # A release's time counts the making of the sandbox, too.
            outcome = released_rewards(self.agent, self.write(Path(folder)), timeout_seconds=self.seconds + 2)["task"]
        return f"raises `{outcome}`" if isinstance(outcome, str) else repr(outcome)


def _cell(reward: float | None, error: str | None) -> str:
    return " and ".join([*([] if reward is None else [repr(reward)]), *([f"`{error}`"] if error else [])])


ROLLOUT_DIFFERENCES: dict[str, RolloutDifference] = {
    "planted": RolloutDifference("the agent leaves `1` in reward.txt, the tests nothing", f"echo 1 > {_TXT}", "true"),
    "planted-text": RolloutDifference(
        'the agent leaves `1` in reward.txt, the tests `{"reward": 0}` in reward.json',
        f"echo 1 > {_TXT}",
        """echo '{"reward": 0}' > /logs/verifier/reward.json""",
    ),
    "crash": RolloutDifference("the agent exits with 3, and the tests leave `0.5`", "exit 3", f"echo 0.5 > {_TXT}"),
    "runs-on": RolloutDifference(
        "the agent's time is up, and it goes on leaving `1` while the tests take a second",
        f"while true; do echo 1 > {_TXT}; sleep 0.05; done",
        "sleep 1",
        seconds=3,
    ),
    "own-folder": RolloutDifference(
        "the tests look in their own folder for what the agent made in its own",
        "touch made",
        f"test -e made && echo 1 > {_TXT} || echo 0.25 > {_TXT}",
    ),
}
"""All rows, by name."""
