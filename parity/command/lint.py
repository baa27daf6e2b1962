"""`parity lint TASKS`: what makes tasks score otherwise than their authors mean."""

import argparse
from pathlib import Path

from parity.driver.interrupts import Ending

HELP = "find what makes tasks score otherwise than meant"

DESCRIPTION = """\
Look for what makes a Harbor task score otherwise than its author means. TASKS are task folders, or folders of tasks.
Each task.toml is read field by field as Harbor reads it, and test scripts are read for what is certain without running
them. Then the task is run three times: with its solution, with an agent that does nothing, and with one that leaves a
reward in /logs/verifier before the tests. What its test script leaves is judged by the rules of Harbor 0.13.1, and of
other releases where they differ. A finding is one line: task, rule, what was found, what to do.
"""

EPILOG = """\
Tasks run in sandboxes without this machine's variables, and without a network unless --allow-network is given. The
local sandbox builds no image: choose --sandbox docker for tasks that need theirs. A task that lacks one or the other is
said to be not-run; of its test scripts only what can be read is judged.

exit codes:
  0    nothing was found
  1    something was found
  2    wrong usage
  3    a folder holds no task, or there is no sandbox: one line for each reason
  130  stopped by Ctrl-C
  143  stopped by SIGTERM
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the subcommand takes."""
    parser.add_argument("tasks", nargs="+", type=Path, metavar="TASKS", help="a task's folder, or a folder of tasks")
    parser.add_argument("--no-run", action="store_true", help="read task.toml and scripts, and run nothing")
    parser.add_argument("--sandbox", default="local", metavar="KIND", help="local (default), docker, or harbor:KIND")
    parser.add_argument(
        "--allow-network", action="store_true", help="give the network to tasks that ask for it (default: to none)"
    )
    parser.add_argument("-n", "--concurrent", type=int, default=4, metavar="N", help="tasks at a time (default: 4)")
    parser.add_argument("--json", action="store_true", help="write the findings as one JSON array")


def run(options: argparse.Namespace) -> int:
    """Look at all tasks and give the exit code.

    Raises:
        CommandFailure: a folder holds no task, or there is no sandbox.
    """
    if options.concurrent < 1:
        options.refuse(f"argument -n: takes a whole number from 1, not {options.concurrent}")
    with Ending():
        from parity.command.lint_tasks import lint

        return lint(options)
