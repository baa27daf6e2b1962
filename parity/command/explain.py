"""`parity explain RULE`: prints a rule's entry of `golden/traceability.json`."""

import argparse
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from parity.command.exit_code import ExitCode
from parity.command.streams import write

if TYPE_CHECKING:
    from parity.operations.evidence import Evidence

HELP = "say what decides a rule, in which releases of Harbor it holds, and what shows it"

DESCRIPTION = """\
Print the evidence for a rule: its sentence, the function of Harbor, pydantic or Python that decides it, the releases of
Harbor that answer all its golden vectors alike, the places in the clean room that implement it, its vectors, and the
faulty runners of the kit's tests that break it.
"""

EPILOG = """\
exit codes:
  0  it was printed
  2  wrong usage, or no rule has this slug: one line has similar ones
  3  it cannot be printed
"""

_MOST_NAMES = 10
_SHOWN_VECTORS = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument("rule", metavar="RULE", help="a rule's slug, such as reward-file/json-wins")


def run(arguments: argparse.Namespace) -> int:
    """Print the evidence for the rule, and return the exit code."""
    from parity.operations.evidence import read_evidence

    evidence = read_evidence()
    if arguments.rule not in evidence:
        arguments.refuse(_problem(arguments.rule, list(evidence)))
    write("".join(f"{line}\n" for line in _lines(arguments.rule, evidence[arguments.rule])))
    return ExitCode.RIGHT


def _problem(slug: str, slugs: list[str]) -> str:
    """Return a message that no rule has this slug, with the slugs that begin with it or are similar."""
    from difflib import get_close_matches

    what = f"no rule is called {slug!r}"
    close = [each for each in slugs if each.startswith(slug)] or get_close_matches(slug, slugs)
    more = f" and {len(close) - _MOST_NAMES} more" if len(close) > _MOST_NAMES else ""
    return f"{what}; did you mean {', '.join(close[:_MOST_NAMES])}{more}?" if close else what


def _lines(slug: str, evidence: "Evidence") -> Iterator[str]:
    from parity.reference.releases import releases_in_words

    vectors = evidence.vectors
    held = "no release of Harbor decides it" if evidence.releases is None else releases_in_words(evidence.releases)
    more = ", …" * (len(vectors) > _SHOWN_VECTORS)
    yield f"{slug}, a rule of {evidence.operation}"
    yield f"  {evidence.sentence}"
    yield ""
    yield from _rows("decided by", [evidence.function])
    yield from _rows("holds in", [held])
    yield from _rows("clean room", evidence.clean_room)
    yield from _rows("vectors", [f"{len(vectors)}: {', '.join(vectors[:_SHOWN_VECTORS])}{more}"])
    yield from _rows("broken by", evidence.faulty_runners)


def _rows(label: str, values: Iterable[str]) -> Iterator[str]:
    """Yield a row for each value; only the first row has the label."""
    for number, value in enumerate(values):
        yield f"  {'' if number else label:<12} {value}"
