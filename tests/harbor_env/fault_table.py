"""A table of faults in agents and tests, with the results of their rollouts under each kind of scoring.

The results are the same in both classes, with and without verifiers. A fault is also an error if the option `faults` is
"error". A failure of the infrastructure is always an error.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec

from tests.run.tasks import reward

_NO_FILE = "RewardFileNotFoundError: No reward file found at /logs/verifier/reward.txt or /logs/verifier/reward.json"
_WORD = "VerifierOutputParseError: Failed to parse /logs/verifier/reward.txt as a number"
_DOCUMENTED_NO_FILE = (
    "RewardFileNotFoundError: neither reward.txt nor reward.json in /logs/verifier has any content that can be read"
)
_DOCUMENTED_WORD = (
    "VerifierOutputParseError: the reward file gives no number: Expecting value: line 1 column 1 (char 0)"
)
_SEVERAL = "AmbiguousRewardError: there are 2 rewards, and none is called 'reward'"
_TESTS_TIME = "VerifierTimeoutError: the tests ran into their timeout of 1.0 seconds"
_AGENT_SECONDS = 8 if find_spec("verifiers") else 1
"""The agent's timeout if it is to be exceeded; with verifiers it includes the start of the sandbox."""

_TIMED_OUT = f"AgentTimeoutError: the agent ran into its timeout of {_AGENT_SECONDS} seconds"
_TASK_TIMED_OUT = "AgentTimeoutError: the agent ran into its timeout of 1.0 seconds"
_SECONDS = {"timeout_seconds": _AGENT_SECONDS}
_BY_TEXT = "echo a lot > /logs/verifier/reward.txt"


def _exited(code: int) -> str:
    return f"NonZeroAgentExitCodeError: the command exited with code {code}"


@dataclass(frozen=True)
class Given:
    """The expected result of a rollout."""

    reward: float
    fault: str | None = None
    infrastructure: str | None = None
    """The kind of infrastructure failure, which is an error with either value of `faults`."""


@dataclass(frozen=True)
class Row:
    """An agent and tests as bash source, and their results under Harbor's scoring and under the documented scoring."""

    agent: str
    tests: str
    harbor: Given
    documented: Given
    options: Mapping[str, float] = field(default_factory=dict)
    """Options for the environment."""

    toml: str = ""
    """Lines in the task's task.toml."""


ROWS: dict[str, Row] = {
    "nothing wrong": Row("true", reward(0.75), Given(0.75), Given(0.75)),
    "agent exits with 3": Row("exit 3", reward(0.75), Given(0.75, _exited(3)), Given(0.75, _exited(3))),
    "agent is killed": Row("kill -KILL $$", reward(0.75), Given(0.75, _exited(137)), Given(0.75, _exited(137))),
    "agent's time is up": Row("sleep 600", reward(0.75), Given(0.75, _TIMED_OUT), Given(0.75, _TIMED_OUT), _SECONDS),
    "agent's time in task.toml is up": Row(
        "sleep 4; touch /app/made",
        f"[ ! -e /app/made ] || {reward(1)}",
        Given(0, _NO_FILE),
        Given(1),
        toml="agent.timeout_sec = 1\n",
    ),
    "agent's time in task.toml is up, with a reward": Row(
        "sleep 4", reward(0.75), Given(0.75, _TASK_TIMED_OUT), Given(0.75), toml="agent.timeout_sec = 1\n"
    ),
    "agent's time in task.toml is zero": Row(
        "sleep 4",
        reward(0.75),
        Given(0.75, "AgentTimeoutError: the agent ran into its timeout of 0.0 seconds"),
        Given(0.75),
        toml="agent.timeout_sec = 0\n",
    ),
    "timeout_seconds before the time in task.toml": Row(
        "sleep 2", reward(0.75), Given(0.75), Given(0.75), {"timeout_seconds": 60}, toml="agent.timeout_sec = 1\n"
    ),
    "agent exits with 3, no reward": Row("exit 3", "true", Given(0, _NO_FILE), Given(0, _DOCUMENTED_NO_FILE)),
    "tests' time is up": Row(
        "true", f"{reward(0.75)}; sleep 600", Given(0, _TESTS_TIME), Given(0, None, "SandboxError")
    ),
    "no reward": Row("true", "true", Given(0, _NO_FILE), Given(0, _DOCUMENTED_NO_FILE)),
    "reward.txt is a word": Row("true", _BY_TEXT, Given(0, _WORD), Given(0, _DOCUMENTED_WORD)),
    "several rewards": Row(
        "true", 'echo \'{"a": 1, "b": 1}\' > /logs/verifier/reward.json', Given(0, _SEVERAL), Given(0)
    ),
}
"""The rows, by the name of the fault."""
