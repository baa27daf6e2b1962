"""Jobs that are hardly ever drawn, although the wheel treats them in a way of its own."""

from collections.abc import Iterator
from dataclasses import replace

from parity.driver.settings import AgentSettings, RetrySettings
from parity.operations.scenarios.earlier_jobs import earlier_files
from parity.operations.scenarios.plain import PLAIN_TASK
from parity.operations.scenarios.recording import Effect, Script
from parity.operations.scenarios.scenario import JobScenario, ScenarioSettings

_STOP = 10
"""The number of the call that stops the sandbox of a plain task, if the agent does nothing."""


def seldom_jobs() -> Iterator[JobScenario]:
    """Yield a trial without rewards that is run again, trials with nan rewards, and a job without config.json.

    The first trial is run again because its sandbox cannot be stopped. The nan is a text in one trial, and the literal
    of reward.json in the others. The config.json is missing beside the result.json of an earlier run.
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
