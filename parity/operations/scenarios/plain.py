"""A plain task, which scenarios for `run_trial` and `run_job` use."""

from parity.operations.scenarios.scenario import TaskFiles

PLAIN_TASK = TaskFiles("", {"environment/": "", "instruction.md": "Do it.\n", "tests/test.sh": "#!/bin/sh\n"})
