"""Trials that are hardly ever drawn, although the wheel treats them in a way of its own."""

from collections.abc import Iterator

from parity.driver.settings import AgentSettings
from parity.operations.scenarios.plain import PLAIN_TASK
from parity.operations.scenarios.recording import Effect, Script
from parity.operations.scenarios.scenario import ScenarioSettings, TaskFiles, TrialScenario

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


_PREPARE = 2
"""The number of the call of a mounted trial that lets the host read the logs, if the agent does nothing."""


_SETTINGS = """\
[agent]
user = true
timeout_sec = {time}

[verifier]
timeout_sec = {time}

[environment]
allow_internet = "no"
memory = "2G"
"""
"""A task.toml with values that Harbor converts, and with a place for an unusual timeout."""


def seldom_trials() -> Iterator[TrialScenario]:
    """Yield trials with unusual steps, values in task.toml, rewards, and mounted logs that the host may not read.

    The steps have only tests of their own, and the verifier of one step has a sandbox and a variable of its own. The
    last two trials leave a reward file with a word of a reason code, and a reward that Python spells differently.
    """
    reward = {"/logs/verifier/reward.txt": "1"}
    for time in ("inf", "nan"):
        task = TaskFiles(_SETTINGS.format(time=time), PLAIN_TASK.files)
        late = {2: Effect("wait", "", 5)}
        yield TrialScenario(task, ScenarioSettings(AgentSettings("command", "solve")), Script(late, (), (reward,)))
    mounted = ScenarioSettings(AgentSettings("nop"), mounted=True)
    yield TrialScenario(PLAIN_TASK, mounted, Script({_PREPARE: Effect("raise", "OSError")}, (), (reward,)))
    yield TrialScenario(
        TaskFiles(_STEPS, _STEP_FILES), ScenarioSettings(AgentSettings("nop")), Script({}, (), (reward, reward))
    )
    for text in ("missing", "1e-7"):
        told = Script({}, (), ({"/logs/verifier/reward.txt": text},))
        yield TrialScenario(PLAIN_TASK, ScenarioSettings(AgentSettings("nop")), told)
