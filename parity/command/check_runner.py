"""`parity check-runner`: whether a program speaks the pipe's protocol."""

import argparse
import shlex
import threading
from collections.abc import Iterator
from typing import Any

from parity.command.exit_code import ExitCode
from parity.command.faults import Fault
from parity.command.series_option import add_series
from parity.command.streams import say, write
from parity.judging.seconds import seconds
from parity.judging.suite_arguments import suite_arguments

_DESCRIPTION = """\
Start a program, ask it some questions over the pipe, and explain every mistake: what was sent, what was received,
and what was expected. It is a smoke test: whether the answers are right, the suite decides.

The conversation, one JSON object a line (PROTOCOL.md, whose path is at the end of this help, has all of it):

  ->  {"hello": {"protocol": 1, "reference": "harbor==0.13.1", "interpreter": "3.12"}}
  <-  {"hello": {"name": "my-runner", "operations": ["aggregate"]}}
  ->  {"id": "1", "operation": "aggregate", "input": {"metric": "mean", "rewards": [{"reward": {"int": "1"}}, null]}}
  <-  {"id": "1", "value": {"mean": {"f64": "3fe0000000000000"}}}
  <-  {"id": "2", "fault": {"kind": "RewardFileEmptyError"}}
  <-  {"id": "3", "unsupported": "no max yet"}

Flush after every line; write nothing else to standard output; end when standard input ends.
"""

_CODES = """\
exit codes:
  0  ready
  1  it makes mistakes
  2  wrong usage
  3  it cannot be started
"""


_MOMENT = 3.0
"""Seconds after which it is said that the program is waited for."""


def add_parser(subparsers: Any) -> None:
    """Add this subcommand to those of `parity`."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "check-runner",
        help="check that a program speaks the protocol of --runner-cmd",
        description=_DESCRIPTION,
        epilog=f"{_CODES}\nthe protocol: {_protocol()}\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", metavar="COMMAND", help="the program and its arguments, quoted as for a shell")
    parser.add_argument(
        "--case-timeout",
        type=seconds,
        metavar="SECONDS",
        help="how long the program may think about one question (10)",
    )
    add_series(parser)
    parser.set_defaults(run=_run)


def _protocol() -> str:
    from importlib.resources import files

    return str(files("parity").joinpath("runners", "pipe", "PROTOCOL.md"))


def _run(arguments: argparse.Namespace) -> int:
    from parity.runners.asking import Clock
    from parity.runners.pipe import PipeError
    from parity.runners.pipe.messages import Hello
    from parity.runners.pipe.runner import START_SECONDS, split_command
    from parity.runners.pipe.smoke import smoke

    try:
        command = split_command(arguments.command)
    except PipeError as error:
        raise Fault(str(error)) from None
    mistakes = 0
    limit = arguments.case_timeout or Clock.DEFAULT
    waiting = f"waiting for the program: it has {START_SECONDS:g} s for its hello, and {limit:g} s for an answer"
    try:
        for found in _saying(waiting, smoke(command, arguments.series, limit)):
            if isinstance(found, Hello):
                write(f"{found.introduction}\n")
                continue
            mistakes += found.is_mistake
            write(f"  {found.about:<13} {'MISTAKE: ' if found.is_mistake else ''}{found.message}\n")
            if found.is_mistake:
                rows = {"sent": found.sent, "received": found.received, "expected": found.expected}
                write("".join(f"  {'':<13} {name:<9} {text}\n" for name, text in rows.items() if text))
    except PipeError as error:
        raise Fault(str(error)) from None
    if mistakes:
        write(f"not ready: {mistakes} mistake{'s' if mistakes > 1 else ''}\n")
        return ExitCode.DIFFERS
    suite = shlex.join(suite_arguments())
    patience = f" --case-timeout {arguments.case_timeout:g}" if arguments.case_timeout else ""
    write(f"ready: pytest {suite} --runner-cmd {shlex.quote(arguments.command)}{patience}\n")
    return ExitCode.RIGHT


def _saying[Found](line: str, finds: Iterator[Found]) -> Iterator[Found]:
    """What is found, with a line on standard error wherever it takes more than a moment."""
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
