"""`parity explain`: explains a rule, a flag, an operation or a harm; for other words, shows where they are found."""

import argparse
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType

from parity.command.exit_code import ExitCode
from parity.command.streams import write

HELP = "explain a rule, a flag, an operation or a harm; or find words in these, in options and in READMEs"

DESCRIPTION = """\
Explain a rule by its slug, a flag, an operation, or a harm. The beginning of a name is enough if it is unique. Other
words are searched for in rules, flags, harms, operations, options and READMEs; an entry that has them all is listed.

  rule       its sentence, the function of Harbor, pydantic or Python that decides it, the releases of Harbor that
             answer all its golden vectors alike, the method that asks Harbor, the lines of the clean room that
             implement it, its vectors, the faulty runners of the kit's tests that break it, and a command that shows a
             failure
  flag       the reason why a case with it is hard, the rules that name it, and the file with its predicate
  operation  its question, its rules and its flags
  harm       its meaning in a divergence; such as pays-out
"""

EPILOG = """\
exit codes:
  0  it was explained, or the words were found
  2  wrong usage, or nothing has this name or these words: one line has similar names
  3  the explanation cannot be printed
"""

_MOST_NAMES = 10
_SHOWN_VECTORS = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument(
        "words", nargs="+", metavar="NAME", help="a rule, flag, operation or harm; or words to find: golden vector"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the explanation, or where the words are found; return the exit code."""
    from parity.judging.harm import HARMS
    from parity.operations import OPERATIONS
    from parity.operations.rules import FLAGS, RULES

    flags = {flag for sentences in FLAGS.values() for flag in sentences}
    known = [*OPERATIONS, *RULES, *HARMS, *sorted(flags)]
    words = " ".join(arguments.words)
    given = words.replace(" ", "-")
    meant = [given] if given in known else [name for name in known if name.startswith(given)]
    if len(meant) == 1:
        name = meant[0]
        by_kind = {**dict.fromkeys(RULES, _of_rule), **dict.fromkeys(OPERATIONS, _of_operation)}
        lines = [*by_kind.get(name, _of_harm if name in HARMS else _of_flag)(name)]
    elif not (lines := _of_words(words, meant, arguments.commands)):
        arguments.refuse(_problem(given, meant, known))
    write("".join(f"{line}\n" for line in lines))
    return ExitCode.RIGHT


def _of_words(words: str, meant: list[str], commands: Mapping[str, ModuleType]) -> list[str]:
    """Return lines of the entries with all the words, the likeliest first; none for the beginning of several slugs."""
    from parity.command.explain_search import search

    if not words.strip() or (meant and "/" in words):
        return []
    found = search(words, commands)
    lines = [line for entry in found[:_MOST_NAMES] for line in (f"{entry.name}, {entry.where}", f"  {entry.text}")]
    more = len(found) - _MOST_NAMES
    return [*lines, f"and {more} more: add a word"] if more > 0 else lines


def _problem(given: str, meant: list[str], known: list[str]) -> str:
    """Return a message for a name that is unknown or not unique, with the possible names."""
    from difflib import get_close_matches

    what = (
        f"{len(meant)} names begin with {given!r}"
        if meant
        else f"no rule, flag, operation or harm is called {given!r}, and no option or README has all these words"
    )
    close = meant or get_close_matches(given, known)
    more = f" and {len(close) - _MOST_NAMES} more" if len(close) > _MOST_NAMES else ""
    return f"{what}; did you mean {', '.join(close[:_MOST_NAMES])}{more}?" if close else what


def _of_rule(slug: str) -> Iterator[str]:
    from parity.command.explain_sources import asking, implementations, is_checkout
    from parity.operations.evidence import read_evidence
    from parity.operations.rules import RULES
    from parity.reference.releases import releases_in_words

    rule, evidence = RULES[slug], read_evidence().get(slug)
    yield f"{slug}, a rule of {rule.operation}"
    yield f"  {rule.sentence}"
    yield ""
    yield from _rows("decided by", [rule.source])
    if evidence:  # a rule that is being added has none yet
        releases = evidence.releases
        yield from _rows(
            "holds in", ["no release of Harbor decides it" if releases is None else releases_in_words(releases)]
        )
    yield from _rows("asked by", [str(asking(rule.operation))])
    yield from _rows("clean room", map(str, implementations().get(slug, ())))
    yield from _rows("flags", [", ".join(sorted(rule.flags)) or "none, it is always in question"])
    if evidence:
        ids, more = evidence.vectors, ", …" * (len(evidence.vectors) > _SHOWN_VECTORS)
        yield from _rows("vectors", [f"{len(ids)}: {', '.join(ids[:_SHOWN_VECTORS])}{more}"])
    runners = evidence.faulty_runners if evidence else ()
    yield from _rows("broken by", runners)
    yield from _rows("see it fail", [_command(rule.operation, next(iter(runners), None) if is_checkout() else None)])


def _command(operation: str, faulty: str | None) -> str:
    """Return a command that shows a failure, with a faulty runner if one is given, else with a placeholder."""
    if faulty is None:
        return f"pytest --pyargs parity.operations.{operation} -k test_golden --runner YOURS"
    from pathlib import Path
    from shlex import quote

    from parity.command.explain_sources import CHECKOUT

    there = "" if Path.cwd() == CHECKOUT else f"cd {quote(str(CHECKOUT))} && "
    return f"{there}pytest parity/operations/{operation} --runner {faulty} --profile quick"


def _of_flag(flag: str) -> Iterator[str]:
    from parity.operations.rules import FLAGS, RULES

    yield f"{flag}, a flag of {', '.join(name for name, sentences in FLAGS.items() if flag in sentences)}"
    for operation, sentences in FLAGS.items():
        if flag in sentences:
            yield f"  {operation}: {sentences[flag]}"
            named_by = [slug for slug, rule in RULES.items() if rule.operation == operation and flag in rule.flags]
            yield from _rows("rules", named_by or ["none names it; it is counted alone"])
            yield from _rows("predicate", [f"parity/operations/{operation}/flags.py"])


def _of_operation(name: str) -> Iterator[str]:
    from parity.operations import OPERATIONS

    operation = OPERATIONS[name]
    yield f"{name}, an operation: parity/operations/{name}"
    yield f"  {' '.join((type(operation).__doc__ or '').split())}"
    yield ""
    yield from _rows(f"{len(operation.rules)} rules", (f"{rule.slug}: {rule.sentence}" for rule in operation.rules))
    sentences = operation.flag_sentences
    yield from _rows(f"{len(sentences)} flags", (f"{flag}: {sentence}" for flag, sentence in sentences.items()))


def _of_harm(name: str) -> Iterator[str]:
    from parity.judging.harm import HARMS, harm_word

    harms = list(HARMS)
    harm = harms[place := harms.index(name)]  # type: ignore[arg-type]
    yield f"{harm}, a harm, in reports `{harm_word(harm)}`"
    yield f"  {HARMS[harm]}"
    yield ""
    yield from _rows("worse", harms[:place] or ["none"])
    yield from _rows("graded by", ["parity/judging/harm.py harm_of"])


def _rows(label: str, values: Iterable[str]) -> Iterator[str]:
    """Yield a row for each value; the first row has the label."""
    for number, value in enumerate(values):
        yield f"  {'' if number else label:<12} {value}"
