"""`parity run PATH`: runs the trials of a dataset or a task, and writes a job's directory as Harbor does."""

import argparse
import math
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from parity.driver.interrupts import Ending
from parity.driver.settings import MOST_TRIALS

HELP = "run a dataset or a task"

DESCRIPTION = """\
Run Harbor tasks as harbor run does, and write a job's directory that Harbor's own tools open. PATH is the directory of
a task, or of several tasks. Options are named as in harbor run. An option that only Harbor has is refused, with an
alternative.
"""

EPILOG = """\
If the job's directory exists already, and settings, tasks and tests are the same, the job is resumed: trials that ended
are kept, and interrupted ones are run again. The first Ctrl-C stops the sandboxes and writes the results of trials that
have ended; the second one ends the program at once.

Sandboxes have no network, unless --allow-network is given and the task asks for one. Multipliers must be finite and
above 0, because no trial succeeds without time, and JSON has no infinity.

limits of sandboxes local and docker (more in parity/driver/README.md):
  memory     memory_mb of task.toml; local without it: half of this machine's
  disk       storage_mb of task.toml; without it, half of this machine's memory (local) or 10 GB of each file (docker)
  processes  512
  downloads  256 MiB of a trial, 10,000 files each
  rewards    1 MiB and 1,000 keys of a file

exit codes:
  0    every trial has ended, none with an error
  1    every trial has ended, at least one with an error; or a directory with a task.toml cannot be run
  2    wrong usage
  3    the job cannot be run or resumed: a line for each reason
  130  stopped by Ctrl-C; to resume it, run it again with its --job-name
  143  stopped by SIGTERM; likewise
"""

_WITH_HARBOR = "run the job with harbor"
_LIMITS = "write cpus, memory_mb and storage_mb into task.toml"
ANOTHER_AGENT = "choose oracle, nop or command with --agent, or run the job with harbor"
_HOSTS = "leave it out; sandboxes have a network or, without --allow-network, none"
_REGISTRY = "fetch the tasks with harbor download, and give their directory as PATH"
_CHOOSE = "give the directory as PATH, and choose from it with --include-task-name"
_HUB = "run without it, and then harbor upload the job's directory"
_TRACES = "run without it, and then harbor traces export the job's directory"
_KEPT = "leave it out; nothing is kept but the images, by the engine"

ALTERNATIVES: Mapping[tuple[str, ...], str] = {
    ("-c", "--config"): "give its settings as options",
    ("--debug",): "leave it out; each trial has a trial.log",
    ("--env-file",): "set its variables in the shell, and name those for tasks with --allow-host-env",
    ("--artifact",): "write artifacts into task.toml",
    ("--verifier-import-path", "--verifier-kwarg"): _WITH_HARBOR,
    ("--enable-verification",): "leave it out; tests are run unless there is --disable-verification",
    ("--agent-import-path", "-m", "--model", "--mcp-config", "--skill", "--skills"): ANOTHER_AGENT,
    ("--allow-agent-host", "--allow-environment-host"): _HOSTS,
    ("--environment-import-path",): "use --sandbox harbor:MODULE:CLASS",
    ("--ek", "--environment-kwarg", "--mounts", "--mounts-json", "--extra-docker-compose"): _WITH_HARBOR,
    ("--force-build", "--no-force-build"): "leave it out; images are built from what has changed",
    ("--delete", "--no-delete"): _KEPT,
    ("--cpus", "--memory", "--override-cpus", "--override-memory-mb", "--override-storage-mb"): _LIMITS,
    ("--override-gpus", "--override-tpu"): _WITH_HARBOR,
    ("--extra-instruction-path",): "write it into instruction.md",
    ("-t", "--task"): f"{_CHOOSE}; a task of the registry: {_REGISTRY}",
    ("--task-git-url", "--task-git-commit"): "clone the repository, and give the task's directory as PATH",
    ("-d", "--dataset", "--registry-url", "--registry-path"): _REGISTRY,
    ("--plugin", "--pk", "--plugin-kwarg"): _WITH_HARBOR,
    ("--upload", "--public", "--private", "--share-org", "--share-user"): _HUB,
    (
        *("--export-traces", "--no-export-traces", "--export-sharegpt", "--no-export-sharegpt", "--export-episodes"),
        *("--export-push", "--no-export-push", "--export-repo", "--export-instruction-metadata"),
        *("--no-export-instruction-metadata", "--export-verifier-metadata", "--no-export-verifier-metadata"),
    ): _TRACES,
}
"""The alternative to each refused option, by the option's names."""


class _Refusal(argparse.Action):
    """An action that ends the program with a usage error if its option is given."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option_string: str | None = None
    ) -> None:
        parser.error(f"{option_string}: only in harbor run; {self.const}")


_AGENTS = ("oracle", "nop", "command")
_MULTIPLIERS = {
    "timeout-multiplier": "factor of all timeouts (default: 1.0)",
    "agent-timeout-multiplier": "factor of the agent's timeout, instead of --timeout-multiplier",
    "verifier-timeout-multiplier": "factor of the verifier's timeout, instead of --timeout-multiplier",
    "agent-setup-timeout-multiplier": "factor of the time for the agent's setup, instead of --timeout-multiplier",
    "environment-build-timeout-multiplier": "factor of the time for a sandbox's start, instead of --timeout-multiplier",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments. The help does not show the options that only Harbor has."""
    parser.allow_abbrev = False
    parser.add_argument(
        "dataset", nargs="?", type=Path, metavar="PATH", help="a directory of tasks, or a task's directory"
    )
    parser.add_argument("-p", "--path", type=Path, metavar="PATH", help="the same, by the name in harbor run")
    _add_choice(parser.add_argument_group("choice of a dataset's tasks, by the names of their directories"))
    _add_job(parser.add_argument_group("job"))
    _add_agent(parser.add_argument_group("agent and verifier"))
    _add_sandbox(parser.add_argument_group("sandbox"))
    for names, instead in ALTERNATIVES.items():
        parser.add_argument(
            *names, action=_Refusal, nargs="?", const=instead, dest=argparse.SUPPRESS, help=argparse.SUPPRESS
        )


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


def _add_choice(group: "argparse._ArgumentGroup") -> None:
    group.add_argument(
        "-i", "--include-task-name", action="append", default=[], metavar="PATTERN",
        help="run only tasks that match; * and ? are wildcards; repeatable",
    )  # fmt: skip
    group.add_argument(
        "-x", "--exclude-task-name", action="append", default=[], metavar="PATTERN",
        help="do not run tasks that match, even if they are included; repeatable",
    )  # fmt: skip
    group.add_argument(
        "-l", "--n-tasks", type=partial(_at_least, 1), metavar="N",
        help="run at most N tasks, the first ones in the order of the directory's listing",
    )  # fmt: skip
    group.add_argument(
        "--strict", action="store_true",
        help="run nothing if a directory with a task.toml cannot be run (default: leave that directory out)",
    )  # fmt: skip


def _add_job(group: "argparse._ArgumentGroup") -> None:
    group.add_argument(
        "--job-name", type=_file_name, metavar="NAME", help="name of the job's directory (default: the local time)"
    )
    group.add_argument(
        "-o", "--jobs-dir", type=Path, default=Path("jobs"), metavar="DIRECTORY",
        help="where the job's directory is created (default: %(default)s)",
    )  # fmt: skip
    group.add_argument(
        "-k",
        "--n-attempts",
        type=partial(_at_least, 1),
        default=1,
        metavar="N",
        help="trials of each task (default: %(default)s)",
    )
    group.add_argument(
        "-n", "--n-concurrent", type=partial(_at_least, 1), default=4, metavar="N",
        help="trials that run at a time (default: %(default)s)",
    )  # fmt: skip
    group.add_argument(
        "-r", "--max-retries", type=partial(_at_least, 0), default=0, metavar="N",
        help="how often a trial with an error is tried again (default: %(default)s)",
    )  # fmt: skip
    group.add_argument(
        "--retry-include", action="append", metavar="ERROR",
        help="class name of an error to try again; no others are; repeatable (default: all that are not excluded)",
    )  # fmt: skip
    group.add_argument(
        "--retry-exclude", action="append", metavar="ERROR",
        help="class name of an error not to try again; repeatable; replaces the default: timeouts of agent and "
        "verifier, and rewards that are missing or do not parse",
    )  # fmt: skip
    for name, explanation in _MULTIPLIERS.items():
        group.add_argument(f"--{name}", type=_multiplier, metavar="FACTOR", help=explanation)
    group.set_defaults(timeout_multiplier=1.0)
    group.add_argument(
        "-q", "--quiet", "--silent", action="store_true", help="show no progress, and only notes on tasks left out"
    )
    group.add_argument(
        "-y", "--yes", action="store_true", help="give tasks all variables of the host that they take, without asking"
    )
    group.add_argument(
        "--allow-host-env", action="append", default=[], metavar="NAME",
        help="a variable of the host that tasks get without asking; repeatable",
    )  # fmt: skip


def _add_agent(group: "argparse._ArgumentGroup") -> None:
    group.add_argument(
        "-a", "--agent", type=_agent, metavar="{oracle,nop,command}", default="oracle",
        help="the agent: the task's own solution, none, or a command, which finds the instruction in the variable "
        "INSTRUCTION, and in the file $INSTRUCTION_FILE if it names that (default: %(default)s)",
    )  # fmt: skip
    group.add_argument(
        "--ak", "--agent-kwarg", action="append", type=_assignment, default=[], metavar="command=SOURCE",
        help="the bash source that the agent command runs",
    )  # fmt: skip
    group.add_argument(
        "--ae", "--agent-env", action="append", type=_assignment, default=[], metavar="NAME=VALUE",
        help="a variable for the agent; ${NAME} is the host's; repeatable",
    )  # fmt: skip
    group.add_argument(
        "--ve", "--verifier-env", action="append", type=_assignment, default=[], metavar="NAME=VALUE",
        help="a variable for the verifier; repeatable",
    )  # fmt: skip
    group.add_argument("--disable-verification", action="store_true", help="run the agent only")
    group.add_argument(
        "--end-processes", action="store_true",
        help="kill the agent's processes before the tests, also servers that tests need (default: they keep running, "
        "as in harbor run, and can overwrite tests and rewards)",
    )  # fmt: skip


def _add_sandbox(group: "argparse._ArgumentGroup") -> None:
    kinds = group.add_mutually_exclusive_group()
    kinds.add_argument(
        "--sandbox", metavar="KIND", default="local",
        help="the sandbox of trials: local, with this machine's programs; docker; or harbor:NAME, an environment of "
        "Harbor's by its name or as module:Class (default: %(default)s)",
    )  # fmt: skip
    kinds.add_argument(
        "-e", "--env", metavar="NAME", help="the same, by the name in harbor run: docker, or NAME for harbor:NAME"
    )
    group.add_argument(
        "--allow-network",
        action="store_true",
        help="give a network to tasks that ask for one; not with local (default: no network)",
    )


def _agent(value: str) -> str:
    if value not in _AGENTS:
        raise argparse.ArgumentTypeError(f"this driver cannot run the agent {value!r}; {ANOTHER_AGENT}")
    return value


def _at_least(least: int, value: str) -> int:
    try:
        number = int(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{value!r} is not a whole number") from None
    if number < least:
        raise argparse.ArgumentTypeError(f"{number} is less than {least}")
    if number > MOST_TRIALS:
        raise argparse.ArgumentTypeError(f"must be at most {MOST_TRIALS:,}, the limit of a job")
    return number


def _multiplier(value: str) -> float:
    """Parse a factor above 0. With a factor of 0 every trial would fail, and JSON cannot hold an infinite number."""
    try:
        number = float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{value!r} is not a number") from None
    if not math.isfinite(number) or number <= 0:
        raise argparse.ArgumentTypeError(f"{value} is not a valid factor; give a number above 0")
    return number


def _assignment(value: str) -> tuple[str, str]:
    """Parse NAME=VALUE, and strip the blanks around both parts, as Harbor does."""
    name, equals, content = value.partition("=")
    if not equals or not name.strip():
        raise argparse.ArgumentTypeError(f"{value!r} is not NAME=VALUE")
    return name.strip(), content.strip()


def _file_name(value: str) -> str:
    if value in ("", ".", "..") or "/" in value or "\0" in value:
        raise argparse.ArgumentTypeError(f"{value!r} must be a name, not a path; give its parent with --jobs-dir")
    return value
