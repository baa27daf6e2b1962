"""Jobs that would hardly ever be drawn, though the wheel has a way of its own for them."""

from collections.abc import Iterator
from dataclasses import replace

from parity.driver.settings import AgentSettings, RetrySettings
from parity.operations.scenarios.earlier_jobs import earlier_files
from parity.operations.scenarios.plain import PLAIN_TASK
from parity.operations.scenarios.recording import Effect, Script
from parity.operations.scenarios.scenario import JobScenario, ScenarioSettings

_STOP = 10
"""Which of the calls of that task's trial stops the sandbox, if its agent does nothing."""


def seldom_jobs() -> Iterator[JobScenario]:
    """A trial that is verified without rewards, and run again because its sandbox could not be stopped.

    Trials whose rewards are nan, first as a text, then as the literal of reward.json. And a job of which an earlier run
    left a result without a configuration.
    """
    unrewarded = Script({_STOP: Effect("raise", "OSError")}, (), ({"/logs/verifier/reward.json": "null"},))
    rewarded = Script({}, (), ({"/logs/verifier/reward.txt": "1"},))
    retry = RetrySettings(1, min_wait_sec=0.0)
    idle = ScenarioSettings(AgentSettings("nop"))
    yield JobScenario((PLAIN_TASK,), idle, retry=retry, scripts=((unrewarded, rewarded),))
    literal = Script({}, (), ({"/logs/verifier/reward.json": '{"reward": NaN}'},))
    text = Script({}, (), ({"/logs/verifier/reward.txt": "nan"},))
    yield JobScenario((PLAIN_TASK,), idle, 3, scripts=((text,), (literal,), (literal,)))
    again = JobScenario((PLAIN_TASK,), idle, scripts=((rewarded,),))
    left = {name: text for name, text in earlier_files(again, []).items() if name != "config.json"}
    yield replace(again, earlier=left)
