"""`parity run PATH`: runs the trials of a dataset or of a task, and writes a job's folder as Harbor does."""

import argparse

from parity.command.run_options import add_options
from parity.driver.interrupts import Ending

HELP = "run a dataset or a task"

DESCRIPTION = """\
Run Harbor tasks as harbor run does, and write a job's folder that Harbor's own tools open. PATH is a folder of tasks,
or a task's folder. Options are named as in harbor run; those that only Harbor has are refused, each
with what to do instead.
"""

EPILOG = """\
A job whose folder is there already goes on, if it is run with the same settings: trials that ended are kept, those
that were cut off are run again. Ctrl-C stops the sandboxes and writes what has ended; again, it ends at once.

Sandboxes have no network, unless --allow-network is given and the task asks for it. Multipliers are finite and above
0, because no trial succeeds without time, and JSON has no infinity.

exit codes:
  0    every trial has ended, none with an error
  1    every trial has ended, at least one with an error; or a folder with a task.toml cannot be run
  2    wrong usage
  3    the job cannot be run, or cannot go on: a line for each reason
  130  stopped by Ctrl-C; run it again with its --job-name, and it goes on
  143  stopped by SIGTERM; likewise
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the subcommand takes."""
    parser.allow_abbrev = False
    add_options(parser)


def run(options: argparse.Namespace) -> int:
    """Run the job and give the exit code.

    Raises:
        CommandFailure: it cannot be run.
    """
    # Ctrl-C is the job's own affair once that runs; until then nothing is there to be stopped.
    with Ending():
        # Nothing else takes the driver.
        from parity.command.run_job import run_and_report

        return run_and_report(options)
