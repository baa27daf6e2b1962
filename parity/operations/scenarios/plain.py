"""Plain tasks that scenarios of `run_trial` and `run_job` share."""

from parity.operations.scenarios.scenario import TaskFiles

PLAIN_TASK = TaskFiles("", {"environment/": "", "instruction.md": "Do it.\n", "tests/test.sh": "#!/bin/sh\n"})
