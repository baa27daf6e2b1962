"""`parity lint TASKS`: finds reasons why tasks do not score as their authors intend."""

import argparse
from pathlib import Path

from parity.driver.interrupts import Ending

HELP = "find reasons why tasks do not score as intended"

DESCRIPTION = """\
Find reasons why a Harbor task does not score as its author intends. TASKS are task folders, or folders of tasks. Each
task.toml is read field by field as Harbor reads it, and test scripts are read for faults that are certain without a
run. Then the task is run three times: with its solution, with an agent that does nothing, and with one that leaves a
reward in /logs/verifier before the tests. The files of its test script are judged by the rules of Harbor 0.13.1, and
of other releases if they differ. A fourth agent leaves rewards at the paths that the tests name; and if the tests call
pip, uv, curl, wget or apt-get, the solution is verified once more while these fail. A finding is one line: task, rule,
what is wrong, what to do.
"""

EPILOG = """\
Tasks run in sandboxes without this machine's variables, and without a network unless --allow-network is given. The
local sandbox builds no image: choose --sandbox docker for tasks that need their image. A task whose run lacked its
image or a network is reported as not-run; then only its files are judged.

exit codes:
  0    nothing was found
  1    something was found
  2    wrong usage
  3    a folder has no task, or the sandbox does not work here: one line for each reason
  130  stopped by Ctrl-C
  143  stopped by SIGTERM
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument("tasks", nargs="+", type=Path, metavar="TASKS", help="a task's folder, or a folder of tasks")
    parser.add_argument("--no-run", action="store_true", help="read task.toml and scripts, and run nothing")
    parser.add_argument("--sandbox", default="local", metavar="KIND", help="local (default), docker, or harbor:KIND")
    parser.add_argument(
        "--allow-network", action="store_true", help="give a network to tasks that ask for one (default: no network)"
    )
    parser.add_argument(
        "--repeat", type=int, default=1, metavar="N",
        help="verify the work of the solution, and of an agent that does nothing, N times, each time in a new sandbox; "
        "rewards that differ are a finding (default: 1)",
    )  # fmt: skip
    parser.add_argument("-n", "--concurrent", type=int, default=4, metavar="N", help="tasks at a time (default: 4)")
    parser.add_argument("--json", action="store_true", help="write the findings as one JSON array")


def run(options: argparse.Namespace) -> int:
    """Check all tasks, and return the exit code.

    Raises:
        CommandFailure: a folder has no task, or the sandbox does not work here.
    """
    for name, number in ("-n", options.concurrent), ("--repeat", options.repeat):
        if number < 1:
            options.refuse(f"argument {name}: takes a whole number from 1, not {number}")
    with Ending():
        from parity.command.lint_tasks import lint

        return lint(options)
