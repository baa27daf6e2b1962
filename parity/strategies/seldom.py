"""Plays that would hardly ever be drawn, though the wheel has a way of its own for them."""

from collections.abc import Iterator

from parity.driver.recorded.plays import JobPlay, PlaySettings, TaskFiles, TrialPlay
from parity.driver.sandboxes.recording import Effect, Script
from parity.driver.settings import AgentSettings, RetrySettings

_STEPS = """\
[[steps]]
name = "apart"
verifier = {environment_mode = "separate", env = {A = "value"}}

[[steps]]
name = "together"
"""
_STEP_FILES = {
    "environment/": "",
    "steps/apart/instruction.md": "Do it.\n",
    "steps/apart/tests/test.sh": "#!/bin/sh\n",
    "steps/together/instruction.md": "Go on.\n",
    "steps/together/tests/test.sh": "#!/bin/sh\n",
}
_TASK = TaskFiles("", {"environment/": "", "instruction.md": "Do it.\n", "tests/test.sh": "#!/bin/sh\n"})
_STOP = 10
"""Which of the calls of that task's trial stops the sandbox, if its agent does nothing."""


def seldom_trials() -> Iterator[TrialPlay]:
    """Steps whose tests are all their own, one of them with a sandbox and a variable for its verifier."""
    reward = {"/logs/verifier/reward.txt": "1"}
    yield TrialPlay(
        TaskFiles(_STEPS, _STEP_FILES), PlaySettings(AgentSettings("nop")), Script({}, (), (reward, reward))
    )


def seldom_jobs() -> Iterator[JobPlay]:
    """A trial that is verified without rewards, and run again because its sandbox could not be stopped.

    And trials whose rewards are nan, first as a text, then as the literal of reward.json.
    """
    unrewarded = Script({_STOP: Effect("raise", "OSError")}, (), ({"/logs/verifier/reward.json": "null"},))
    rewarded = Script({}, (), ({"/logs/verifier/reward.txt": "1"},))
    retry = RetrySettings(1, min_wait_sec=0.0)
    yield JobPlay((_TASK,), PlaySettings(AgentSettings("nop")), retry=retry, scripts=((unrewarded, rewarded),))
    literal = Script({}, (), ({"/logs/verifier/reward.json": '{"reward": NaN}'},))
    text = Script({}, (), ({"/logs/verifier/reward.txt": "nan"},))
    yield JobPlay((_TASK,), PlaySettings(AgentSettings("nop")), 3, scripts=((text,), (literal,), (literal,)))
