"""Parts of scenarios that `run_trial` and `run_job` share: plain tasks, and inputs that a careless runner changes."""

from parity.driver.settings import AgentSettings
from parity.operations.scenarios.recording import Script
from parity.operations.scenarios.scenario import ScenarioSettings, TaskFiles

PLAIN_TASK = TaskFiles("", {"environment/": "", "instruction.md": "Do it.\n", "tests/test.sh": "#!/bin/sh\n"})

BARE_TASK = TaskFiles("", {"environment/": "", "instruction.md": "Do it.\n", "tests/test.sh": ""})
BARE_DIGEST = "sha256:e5b9aa14ae4f4bac99714bc4d1e88ea7d84d6dbb458c8109f54e6348370fda65"
"""The digest of the plain task's folder, as lock.json has it."""

NAMED_TASK = TaskFiles(
    '[task]\nname = "org/task"\n', {"tests/test.sh": "", "instruction.md": "Do it.\n", "environment/": ""}
)
UNSORTED_VARIABLES = ScenarioSettings(AgentSettings("nop"), verifier_env={"B": "1", "A": "2"})
UNSORTED_REWARDS = Script({}, (), ({"/logs/verifier/reward.json": '{"b": 1, "a": true}'},))
