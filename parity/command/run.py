"""`parity run PATH`: runs the trials of a dataset or a task, and writes a job's folder as Harbor does."""

import argparse

from parity.command.run_options import add_options
from parity.driver.interrupts import Ending

HELP = "run a dataset or a task"

DESCRIPTION = """\
Run Harbor tasks as harbor run does, and write a job's folder that Harbor's own tools open. PATH is a folder of tasks,
or a task's folder. Options are named as in harbor run. An option that only Harbor has is refused, with an alternative.
"""

EPILOG = """\
If the job's folder exists already, the job is resumed, if it is run with the same settings: trials that ended are kept,
and trials that were cut off are run again. The first Ctrl-C stops the sandboxes and writes the results of trials that
have ended; the second one ends the program at once.

Sandboxes have no network, unless --allow-network is given and the task asks for one. Multipliers must be finite and
above 0, because no trial succeeds without time, and JSON has no infinity.

exit codes:
  0    every trial has ended, none with an error
  1    every trial has ended, at least one with an error; or a folder with a task.toml cannot be run
  2    wrong usage
  3    the job cannot be run or resumed: a line for each reason
  130  stopped by Ctrl-C; to resume it, run it again with its --job-name
  143  stopped by SIGTERM; likewise
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.allow_abbrev = False
    add_options(parser)


def run(options: argparse.Namespace) -> int:
    """Run the job, and return the exit code.

    Raises:
        CommandFailure: the job cannot be run.
    """
    # Once the job runs, it handles Ctrl-C itself; before that, there is nothing to stop.
    with Ending():
        # Imported here, because only this subcommand needs the whole driver, and importing it is slow.
        from parity.command.run_and_report import run_and_report

        return run_and_report(options)
