"""What tests of the suite found, recorded and merged: each rule, kind and harm once, by its plainest case.

A record is plain JSON, because tests may run in other processes. The summary and the report of a session show what is
merged, so that both show the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from traceback import format_exception
from typing import Any

from parity.judging.checking import Checker
from parity.judging.divergence import DivergenceFound, describe, describe_more
from parity.judging.divergence_records import divergence_record
from parity.judging.harm import Harm, harm_word, rank
from parity.judging.own_errors import own_error
from parity.judging.replay import WrittenReplay, write_replay
from parity.operations import OPERATIONS
from parity.operations.answers import Crash, Value
from parity.operations.compare import compare_answers
from parity.operations.finding import GoldenFinding, SuiteFinding
from parity.operations.rule import Rule
from parity.operations.rules import RULES
from parity.operations.wire import canonical

_NAMED = 4
"""Rules that the section of a failed test names."""

_DIVERGES = "diverges: "

type Entry = dict[str, Any]
"""`record`, a divergence as a report holds it; what the terminal says: `rows`, with -v `more`, and a `traceback`."""


@dataclass(frozen=True)
class Recorder:
    """Records the divergences of one test."""

    checker: Checker
    replay_folder: Path
    test: str
    replay_command: Callable[[Path], str]
    traces: bool = False
    """Whether every error of the runner has its traceback, also where Harbor raises such an error."""

    def record(self, error: BaseException) -> str | None:
        """What the section of a failed test says: its findings in short; None where it failed for another reason.

        Args:
            error: what the test raised: a finding, another error, or a group of both.
        """
        leaves = list(_leaves(error))
        texts = [
            leaf.text for leaf in leaves if isinstance(leaf, SuiteFinding) and not isinstance(leaf, DivergenceFound)
        ]
        divergences = [leaf for leaf in leaves if isinstance(leaf, DivergenceFound)]
        if divergences:
            texts.append(_in_short(divergences))
        plainest: dict[object, DivergenceFound] = {}
        for found in sorted(divergences, key=lambda each: each.divergence.plainness):
            divergence = found.divergence
            if found.vector is None:
                self.checker.tally.note_drawn(divergence.rule.slug, divergence.harm)
            plainest.setdefault(divergence.classified, found)
        for found in plainest.values():
            self._record(found)
        if texts:  # whatever else went wrong in the same test must not be hidden by it
            texts += ["".join(format_exception(leaf)) for leaf in leaves if not isinstance(leaf, SuiteFinding)]
        return "\n\n".join(texts) or None

    def _record(self, found: DivergenceFound) -> None:
        divergence, vector = found.divergence, found.vector
        if not isinstance(divergence.runner, Crash):
            divergence = replace(divergence, repeatable=self._repeats(found))
        replay = self._replay(found)
        record = divergence_record(divergence, replay, vector, tests=(self.test,))
        rows = [list(row) for row in describe(divergence, replay.command, vector)]
        traceback = own_error(divergence.operation, divergence.reference, divergence.runner, always=self.traces)
        more = [list(row) for row in describe_more(divergence)]
        entry: Entry = {"record": record, "rows": rows, "more": more, "traceback": traceback}
        self.checker.tally.reported.append(entry)

    def _replay(self, found: DivergenceFound) -> WrittenReplay:
        """Write the case down; the command that asks it again."""
        divergence = found.divergence
        try:
            operation = OPERATIONS[divergence.operation]
            reference = operation.settle(operation.decode(divergence.case), divergence.reference)
            path = write_replay(divergence.operation, divergence.case, reference, self.replay_folder)
        except OSError as error:
            return WrittenReplay(f"none: {self.replay_folder} cannot be written: {error.strerror}", None)
        return WrittenReplay(self.replay_command(path), path)

    def _repeats(self, found: DivergenceFound) -> bool:
        before, operation = found.divergence.runner, OPERATIONS[found.divergence.operation]
        if isinstance(before, Value) and compare_answers(before, before) is not None:
            return True  # an answer that does not even equal itself cannot be compared with the next one
        with self.checker.clock.installed():
            case = operation.decode(found.divergence.case)
            again = self.checker.ask_runner(operation, case)
        return operation.compare(case, before, again) is None


def is_disagreement(error: BaseException) -> bool:
    """Whether a test failed because the runner differs from what it is held to.

    Args:
        error: what the test raised: a finding, another error, or a group of both.
    """
    return any(isinstance(leaf, SuiteFinding) and not isinstance(leaf, GoldenFinding) for leaf in _leaves(error))


def is_in_summary(report: str) -> bool:
    """Whether a failed test found divergences only, all of which the summary shows, so that its section says no more.

    Args:
        report: what `Recorder.record` gave.
    """
    return report.startswith(_DIVERGES) and "\n" not in report


def merged(entries: list[Entry]) -> list[Entry]:
    """The plainest entry of each rule, kind and harm, the worst first, with the tests of all; declared ones last.

    Every witness of a declaration stays.
    """
    alike: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=_plainness):
        record = entry["record"]
        names = [record["rule"], record["kind"], record["harm"]] if record["declared"] is None else record
        alike.setdefault(canonical(names), []).append(entry)
    first = [
        {**same[0], "record": {**same[0]["record"], "tests": sorted({test for each in same for test in _tests(each)})}}
        for same in alike.values()
    ]
    return sorted(first, key=_place)


def _tests(entry: Entry) -> list[str]:
    tests: list[str] = entry["record"]["tests"]
    return tests


def _plainness(entry: Entry) -> tuple[bool, int, int, str, str]:
    """Cases with a flag of the rule first, then few flags, then short ones, and drawn cases before vectors."""
    record = entry["record"]
    borrowed = _is_borrowed(RULES[record["rule"]], frozenset(record["flags"]))
    return borrowed, len(record["flags"]), record["case_bytes"], record["vector"] or "", canonical(record)


def _place(entry: Entry) -> tuple[object, ...]:
    record = entry["record"]
    where = list(OPERATIONS).index(record["operation"]), list(RULES).index(record["rule"])
    return record["declared"] is not None, rank(record["harm"]), *where, *_plainness(entry)


def _in_short(divergences: list[DivergenceFound]) -> str:
    harms: dict[str, Harm] = {}
    for divergence in sorted((found.divergence for found in divergences), key=lambda each: rank(each.harm)):
        harms.setdefault(divergence.rule.slug, divergence.harm)
    names = [f"{slug} ({harm_word(harm)})" for slug, harm in harms.items()]
    more = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
    return f"{_DIVERGES}{', '.join(names[:_NAMED] + more)}"


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """The exceptions that a group of them holds, or the exception itself."""
    if isinstance(error, BaseExceptionGroup):
        for nested in error.exceptions:
            yield from _leaves(nested)
    else:
        yield error


def _is_borrowed(rule: Rule, flags: frozenset[str]) -> bool:
    """Whether a case shows a rule though it carries none of the rule's flags."""
    return bool(rule.flags) and rule.flags.isdisjoint(flags)
