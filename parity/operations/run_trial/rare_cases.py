"""Trials that would hardly ever be drawn, though the wheel has a way of its own for them."""

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
"""Which of the calls of a mounted trial lets the host read its logs, if its agent does nothing."""


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
"""What Harbor reads though it is written otherwise, and two times that are hardly any."""


def seldom_trials() -> Iterator[TrialScenario]:
    """Steps whose tests are all their own, odd values in task.toml, and mounted logs that the host may not read.

    One of the steps has a sandbox and a variable for its verifier. The others are about a reward file that reads like a
    reason, and a reward that Python spells otherwise.
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
