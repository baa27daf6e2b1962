"""`parity diff JOB JOB`: shows where two jobs differ, or where a job is not a complete run of a tasks directory."""

import argparse
import os
from pathlib import Path

from parity.command.exit_code import ExitCode
from parity.command.streams import counted, say, write
from parity.scorer.job_directory.files import FileError, is_of_a_trial
from parity.scorer.printable import printable

HELP = "compare two jobs, or a job with its directory of tasks"

DESCRIPTION = """\
Compare two jobs of the same tasks: settings that change scores, tasks whose trials differ in reward, error or number,
the numbers in both result.json (counts of trials, metrics and pass@k, to the last bit), and metrics as they follow from
the trials, each with those that it counts. If a job's own result.json is not what its trials say, a line says so, and
parity score --check says where. The means of the common tasks are compared by a paired sign-flip permutation: p is the
probability of such a difference by chance alone. If there are too many flips to try all, it is estimated from 10,000
random ones.

With a directory of tasks in place of the second job, check what leaderboards check: every task has all attempts, no
timeout is multiplied or overridden, no resource is overridden, verification is on, the digests in lock.json are those
of the directory, and result.json says what its trials say.
"""

EPILOG = """\
Both jobs must have ended, and need config.json, lock.json, result.json and the result.json of each trial. Metrics are
computed from the trials as harbor 0.13.1 does. The attempts at a task are compared without their order, with the errors
of their steps.

exit codes:
  0  nothing differs; every check passes
  1  something differs; a check fails
  2  wrong usage; a directory is no complete job and no directory of tasks, a job has not ended, both jobs are one
     directory, or they have no task in common
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument("job", metavar="JOB", type=Path, help="a job's directory")
    parser.add_argument("other", metavar="JOB_OR_TASKS", type=Path, help="another job's, or a directory of tasks")


def run(arguments: argparse.Namespace) -> int:
    """Show the differences, and return the exit code."""
    # These imports are slow, because they build the models of a job's files.
    from parity.command.diff_jobs import job_differences
    from parity.command.diff_tasks import failed_checks, task_names

    try:
        names = task_names(arguments.other)
        for directory in [arguments.job] if names else [arguments.job, arguments.other]:
            _check_is_job(directory)
        if arguments.job.samefile(arguments.other):
            raise FileError(arguments.other, f"the same directory as {arguments.job}", "name another job")
        if names:
            lines = failed_checks(arguments.job, arguments.other, names)
            differs, end = bool(lines), "every check passes" if not lines else counted(len(lines), "fault")
        else:
            lines, differing = job_differences(arguments.job, arguments.other)
            differs, end = bool(differing), f"{counted(differing, 'difference')} in settings, tasks and result.json"
    except OverflowError as error:
        problems = [f"a reward is beyond the range of a double: {error}; correct it"]
    except FileError as error:
        problems = str(error).splitlines()
    else:
        write("".join(f"{printable(line)}\n" for line in [*lines, end]))
        return ExitCode.DIFFERS if differs else ExitCode.RIGHT
    for line in problems:
        say(f"parity diff: {printable(line)}")
    return ExitCode.USAGE


def _check_is_job(directory: Path) -> None:
    """Check that a directory is a job's.

    Raises:
        FileError: it is another one, or there is none.
    """
    names = os.listdir(directory) if directory.is_dir() else []
    if is_of_a_trial(names):
        raise FileError(directory, "a trial's directory", "name the job's, which is above it")
    if "config.json" not in names:
        remedy = "name a directory with config.json, lock.json and result.json"
        raise FileError(directory, "not a job's directory", remedy)
