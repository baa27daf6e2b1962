"""Plain tasks that scenarios of `run_trial` and `run_job` share."""

from parity.operations.scenarios.scenario import TaskFiles

PLAIN_TASK = TaskFiles("", {"environment/": "", "instruction.md": "Do it.\n", "tests/test.sh": "#!/bin/sh\n"})

BARE_TASK = TaskFiles("", {"environment/": "", "instruction.md": "Do it.\n", "tests/test.sh": ""})
BARE_DIGEST = "sha256:e5b9aa14ae4f4bac99714bc4d1e88ea7d84d6dbb458c8109f54e6348370fda65"
"""The digest of the plain task's folder, as lock.json has it."""
