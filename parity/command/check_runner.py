"""`parity check-runner`: checks that a program follows the pipe's protocol, and shows wrong answers of any runner."""

import argparse
import re
import shlex
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parity.command.exit_code import CommandFailure, ExitCode
from parity.command.shared_options import add_series
from parity.command.streams import say, write
from parity.judging.suite_arguments import seconds, suite_arguments
from parity.scorer.printable import printable

if TYPE_CHECKING:
    from parity.judging.checking import Checker
    from parity.runners import Runner
    from parity.runners.smoke import Check, Wrong

_SPEC = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")

HELP = "smoke-test a runner: check that a program follows the protocol, and show wrong answers"

DESCRIPTION = """\
Ask a runner some questions, in seconds. It is a program over the pipe, or package.module:name, a runner in Python. A
runner in Python is asked the shortest golden vector of each rule. Every mistake is shown with the line that was sent,
the line that was received, and what was expected. Wrong answers are shown once for each rule. This is a smoke test:
only the suite decides whether all answers are right.

The conversation, one JSON object a line (PROTOCOL.md describes it; its path is at the end of this help):

  ->  {"hello": {"protocol": 1, "reference": "harbor==0.13.1", "interpreter": "3.12"}}
  <-  {"hello": {"name": "my-runner", "operations": ["aggregate"]}}
  ->  {"id": "1", "operation": "aggregate", "input": {"metric": "mean", "rewards": [{"reward": {"int": "1"}}, null]}}
  <-  {"id": "1", "value": {"mean": {"f64": "3fe0000000000000"}}}
  <-  {"id": "2", "fault": {"kind": "RewardFileEmptyError"}}
  <-  {"id": "3", "unsupported": "no max yet"}

Flush after every line; write nothing else to standard output; end when standard input ends.
"""

_PROTOCOL = Path(__file__).parent.parent / "runners" / "pipe" / "PROTOCOL.md"

EPILOG = f"""\
exit codes:
  0  the runner is ready for the suite; answers may be wrong
  1  the runner makes mistakes
  2  wrong usage
  3  the runner cannot be started or loaded

the protocol: {_PROTOCOL}
"""

_MOMENT = 3.0
"""Seconds after which a line says that the command waits for the runner."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument(
        "command",
        metavar="RUNNER",
        help="package.module:name, or else a program and its arguments, quoted as for a shell",
    )
    parser.add_argument(
        "--case-timeout",
        type=seconds,
        metavar="SECONDS",
        help="time limit of one answer (10)",
    )
    add_series(parser)


def run(arguments: argparse.Namespace) -> int:
    """Show the runner's mistakes, and return the exit code.

    Raises:
        CommandFailure: the runner cannot be started or loaded.
    """
    from parity.runners import CleanRoom, RunnerError
    from parity.runners.pipe import PipeError

    is_python = arguments.command == CleanRoom.name or _SPEC.fullmatch(arguments.command)
    check = _check_object if is_python else _check_program
    try:
        mistakes, option = check(arguments)
    except (PipeError, RunnerError) as error:
        raise CommandFailure(*(line.removeprefix("--runner ") for line in str(error).splitlines())) from None
    if mistakes:
        write(f"not ready: {mistakes} mistake{'s' if mistakes > 1 else ''}\n")
        return ExitCode.DIFFERS
    suite = shlex.join(suite_arguments())
    timeout = f" --case-timeout {arguments.case_timeout:g}" if arguments.case_timeout else ""
    write(f"ready: pytest {suite} {option} {shlex.quote(arguments.command)}{timeout}\n")
    return ExitCode.RIGHT


def _check_program(arguments: argparse.Namespace) -> tuple[int, str]:
    """Show the mistakes of a program, and return their number and the suite's option for programs."""
    from parity.runners.asking import Clock
    from parity.runners.pipe import PipeRunner
    from parity.runners.pipe.messages import Hello
    from parity.runners.pipe.runner import START_SECONDS, split_command
    from parity.runners.pipe.smoke import smoke

    command = split_command(arguments.command)
    limit = arguments.case_timeout or Clock.DEFAULT
    waiting = f"waiting for the program: it has {START_SECONDS:g} s for its hello, and {limit:g} s for an answer"
    found = _saying(waiting, smoke(command, arguments.series, limit))

    def findings() -> Iterator["Check | Wrong"]:
        for each in found:
            if isinstance(each, Hello):
                write(f"{each.introduction}\n")
            else:
                yield each

    with _asking_again(lambda: PipeRunner(arguments.command, arguments.series), limit) as checker:
        return _show(findings(), checker), "--runner-cmd"


def _check_object(arguments: argparse.Namespace) -> tuple[int, str]:
    """Show the mistakes of a runner in Python, and return their number and the suite's option for such runners."""
    from platform import python_version

    from parity.runners import load_runner
    from parity.runners.asking import Clock
    from parity.runners.pipe.runner import START_SECONDS
    from parity.runners.smoke import smoke_object

    runner = load_runner(arguments.command)
    limit = arguments.case_timeout or Clock.DEFAULT
    first = arguments.case_timeout or START_SECONDS
    write(f"{printable(runner.name)} (Python {python_version()})\n")
    waiting = f"waiting for the runner: it has {first:g} s for its first answer, and {limit:g} s for another"
    with _asking_again(lambda: runner, limit) as checker:
        return _show(_saying(waiting, smoke_object(runner, limit, first)), checker), "--runner"


def _show(found: "Iterator[Check | Wrong]", checker: "Callable[[], Checker]") -> int:
    """Write the findings, operation by operation, and return the number of mistakes."""
    from parity.command.check_findings import shown_findings

    mistakes = 0
    for _, group in groupby(found, key=lambda each: each.about):
        text, count = shown_findings([*group], checker)
        write(text)
        mistakes += count
    return mistakes


@contextmanager
def _asking_again(start: Callable[[], Any], seconds: float) -> "Iterator[Callable[[], Checker]]":
    """Provide a function that returns a checker, which asks the runner again to attribute wrong answers to rules."""
    from typing import cast

    from parity.judging.checking import Checker
    from parity.reference.identity import GoldenOnly
    from parity.runners.asking import Clock, end

    made: list[Checker] = []

    def checker() -> Checker:
        if not made:
            made.append(Checker(cast("Runner", GoldenOnly()), start(), Clock(seconds)))
        return made[0]

    try:
        yield checker
    finally:
        for each in made:
            end(each.runner)


def _saying[Found](line: str, finds: Iterator[Found]) -> Iterator[Found]:
    """Yield the findings, and write a line to standard error whenever one takes more than a moment."""
    while True:
        timer = threading.Timer(_MOMENT, say, [line])
        timer.start()
        try:
            found = next(finds, None)
        finally:
            timer.cancel()
        if found is None:
            return
        yield found
