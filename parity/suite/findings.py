"""Records the findings of the suite's tests, and keeps the simplest case for each rule, kind and harm.

A record is plain JSON, because tests may run in other processes. The summary and the report of a session both show the
merged records, so that they agree.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from traceback import format_exception
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.answers import Crash, Malformed, Value
from parity.operations.compare import compare_answers
from parity.operations.finding import GoldenFinding, SuiteFinding
from parity.operations.wire import canonical
from parity.runners.pipe import PipeRunner
from parity.suite.attribution import applying_rules
from parity.suite.checker import Checker
from parity.suite.declared import StaleDeclaration
from parity.suite.declared.writing import case_row
from parity.suite.display_order import place_of
from parity.suite.divergence import (
    Divergence,
    DivergenceFound,
    Rows,
    ShownDivergence,
    describe,
    describe_more,
    described_lines,
    safe_repr,
)
from parity.suite.divergence_records import divergence_record
from parity.suite.harm import Harm, harm_word, rank
from parity.suite.own_errors import own_error
from parity.suite.replay import WrittenReplay, write_replay, write_repr
from parity.suite.shapes import WrongShape
from parity.suite.similar_vectors import similar_vector

_MOST_NAMES = 4
"""Maximum number of rules that are listed in the section of a failed test."""

_DIVERGES = "diverges: "
_GAP = ("like vector", "no golden vector shows this")

type Entry = dict[str, Any]
"""A divergence. The key `record` is for the report; `rows`, `more` (shown by -v) and `traceback` are for the terminal.

`shown` is the rule under which the divergence is shown, if that is not its own. `about` has the special rules that
apply to the case, so that a plainer case of one of them explains this one.
`mistake` exists if a program's answer violates the protocol: the mistake, and the section of PROTOCOL.md about it.
"""


@dataclass(frozen=True)
class Recorder:
    """Records the divergences of one test."""

    checker: Checker
    replay_directory: Path
    test: str
    replay_command: Callable[[Path], str]
    repeats: bool = True
    """Whether the runner is asked each reported case again, to see whether it gives the same answer."""

    def record(self, error: BaseException | None) -> str | None:
        """Record what the test found, and return the failed test's section for the terminal; None without findings.

        Args:
            error: the error that the test raised: a finding, another error, or a group of both. The checker has kept
                the findings that it lacks: if the test was interrupted, or another plugin replaced its error.
        """
        leaves = list(leaves_of(error))
        leaves += [finding for finding in self.checker.findings if not _is_among(finding, leaves)]
        others = [leaf for leaf in leaves if isinstance(leaf, SuiteFinding) and not isinstance(leaf, DivergenceFound)]
        sections = [f"{_DIVERGES}{leaf.text}" if isinstance(leaf, WrongShape) else leaf.text for leaf in others]
        complaints = [leaf.text for leaf in others if not isinstance(leaf, WrongShape | GoldenFinding)]
        self.checker.tally.complaints += complaints
        divergences = [leaf for leaf in leaves if isinstance(leaf, DivergenceFound)]
        if divergences:
            sections.append(_short_line(divergences))
        for finding in divergences:
            if finding.vector is None and not isinstance(finding, ShownDivergence):
                self.checker.tally.note_drawn(finding.divergence.rule.slug, finding.divergence.harm)
        simplest: dict[object, DivergenceFound] = {}
        for finding in sorted(divergences, key=lambda each: each.divergence.simplicity):
            simplest.setdefault((finding.divergence.classified, finding.shown.slug), finding)
        for finding in simplest.values():
            self._record(finding)
        if sections:  # the findings must not hide another error of the same test
            sections += ["".join(format_exception(leaf)) for leaf in leaves if not isinstance(leaf, SuiteFinding)]
        return "\n\n".join(sections) or None

    def _record(self, finding: DivergenceFound) -> None:
        divergence, vector = finding.divergence, finding.vector
        if self.repeats and not isinstance(divergence.runner, Crash):
            divergence = replace(divergence, repeatable=self._repeats(finding))
        replay = self._replay(finding)
        record = divergence_record(divergence, replay, vector, tests=(self.test,))
        further = [*self._lines(divergence), *self._like(finding)]
        rows = [list(row) for row in describe(divergence, replay.command, vector, further)]
        if self.checker.declarations.entries and not vector and divergence.wire_form is not None:
            rows.append(["declare", case_row(divergence)])
        traceback = own_error(divergence.operation, divergence.reference, divergence.runner)
        more = [list(row) for row in describe_more(divergence)]
        about = applying_rules(OPERATIONS[divergence.operation], divergence.case)
        entry: Entry = {"record": record, "rows": rows, "more": more, "traceback": traceback, "about": about}
        if finding.shown != divergence.rule:
            entry["shown"] = finding.shown.slug
        if isinstance(divergence.runner, Malformed):
            entry["mistake"] = divergence.runner.mistake, divergence.runner.section
        self.checker.tally.reported.append(entry)

    def _like(self, finding: DivergenceFound) -> Rows:
        """Return a row with the golden vector that shows a drawn case, or that is most like it; else no rows.

        If the vectors were asked, and none shows it, the row says so: vectors or a condition of a rule are missing.
        """
        divergence = finding.divergence
        if finding.vector:
            return []
        if isinstance(finding, ShownDivergence):
            return [("like vector", finding.shown_by)]
        if OPERATIONS[divergence.operation].general:
            similar = similar_vector(self.checker, divergence)
        else:
            similar = self.checker.shown.get(divergence.operation, {}).get(divergence.look)
        if similar:
            return [("like vector", similar)]
        return [_GAP] if divergence.operation in self.checker.shown else []

    def _lines(self, divergence: Divergence) -> Rows:
        """Return the lines sent, expected and received, if the runner is a program; else no rows."""
        if not isinstance(self.checker.runner, PipeRunner):
            return []
        operation = OPERATIONS[divergence.operation]
        try:
            with operation.arguments(divergence.case) as arguments:
                return described_lines(divergence, operation.question(*arguments))
        except Exception:  # such as a case without a wire form
            return []

    def _replay(self, finding: DivergenceFound) -> WrittenReplay:
        """Write the replay file of the case, and return it with the command that runs the case again.

        A case without a wire form cannot be run again. Its repr is written in place of a replay file.
        """
        divergence, operation = finding.divergence, OPERATIONS[finding.divergence.operation]
        try:
            try:
                case = operation.encode(divergence.case)
                reference = operation.with_stable_order(divergence.case, divergence.reference)
                path = write_replay(operation.name, case, reference, self.replay_directory)
            except OSError:
                raise
            except Exception as error:  # the case must not be lost
                path = write_repr(operation.name, safe_repr(divergence.case), self.replay_directory)
                why = f"the case cannot be written as JSON ({type(error).__name__}: {error})"
                return WrittenReplay(f"none: {why}; its repr is in {path}", None)
        except OSError as error:
            return WrittenReplay(f"none: {self.replay_directory} cannot be written: {error.strerror}", None)
        return WrittenReplay(self.replay_command(path), path)

    def _repeats(self, finding: DivergenceFound) -> bool:
        """Return whether the runner gives the same answer again; True if that cannot be found out."""
        divergence = finding.divergence
        before, operation = divergence.runner, OPERATIONS[divergence.operation]
        if isinstance(before, Value) and compare_answers(before, before) is not None:
            return True  # an answer that does not equal itself cannot be compared with the next one
        try:
            with self.checker.clock.installed():
                again = self.checker.ask_runner(operation, divergence.case)
            return operation.compare(divergence.case, before, again) is None
        except Exception:  # the finding must not be lost
            return True


def is_stale_only(error: BaseException | None) -> bool:
    """Return whether a test failed only because declared divergences no longer occur.

    Args:
        error: the error that the test raised: a finding, another error, or a group of both.
    """
    return all(isinstance(leaf, StaleDeclaration) for leaf in leaves_of(error))


def undecided_part(error: BaseException | None) -> BaseException | None:
    """Return the first error that says nothing about the runner, so that the test did not get to its end.

    Args:
        error: the error that the test raised: a finding, another error, or a group of both.

    Returns:
        An error in the kit, or a finding about the recorded answers; None if all are findings about the runner.
    """
    others = (
        leaf for leaf in leaves_of(error) if not isinstance(leaf, SuiteFinding) or isinstance(leaf, GoldenFinding)
    )
    return next(others, None)


def is_in_summary(report: str) -> bool:
    """Return whether a failed test found only divergences.

    The summary shows all divergences, so the test's section is redundant.


    Args:
        report: the text that `Recorder.record` returned.
    """
    return report.startswith(_DIVERGES) and "\n" not in report


def merged(entries: list[Entry], vectors: Callable[[str], tuple[int, int]]) -> list[Entry]:
    """Return the simplest entry for each rule, kind and harm, with the tests of all entries, in the order of display.

    Declared divergences come last, and are not merged: one case stays for each declared rule and harm.

    Args:
        entries: the entries of all tests.
        vectors: returns the number of diverging golden vectors of a rule, and of those that were asked.
    """
    alike: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=_simplicity):
        record = entry["record"]
        names = [rule_of(entry), *(record[key] for key in ("rule", "kind", "harm"))]
        alike.setdefault(canonical(names if record["declared"] is None else record), []).append(entry)
    first = [
        {**same[0], "record": {**same[0]["record"], "tests": sorted({test for each in same for test in _tests(each)})}}
        for same in alike.values()
    ]
    worst: dict[str, Harm] = {}
    for entry in sorted(first, key=lambda each: rank(each["record"]["harm"])):
        worst.setdefault(rule_of(entry), entry["record"]["harm"])

    def order(entry: Entry) -> tuple[object, ...]:
        record, rule = entry["record"], rule_of(entry)
        place = place_of(rule, worst[rule], *vectors(rule))
        return record["declared"] is not None, place, rank(record["harm"]), *_simplicity(entry)

    return sorted(first, key=order)


def rule_of(entry: Entry) -> str:
    """Return the slug of the rule under which an entry is shown."""
    slug: str = entry.get("shown") or entry["record"]["rule"]
    return slug


def keep_one_replay_a_rule(
    entries: list[Entry], directory: Path, vectors: Callable[[str], tuple[int, int]]
) -> list[Entry]:
    """Keep the replay file of only the divergence that is shown for each rule; return the entries with this change.

    Args:
        entries: the entries of all tests.
        directory: the directory of the replay files.
        vectors: see `merged`.
    """
    first: dict[str, Entry] = {}
    for entry in merged(entries, vectors):
        first.setdefault(rule_of(entry), entry)
    kept = {entry["record"]["replay_file"] for entry in first.values()}
    changed = []
    for entry in entries:
        record = entry["record"]
        if record["replay_file"] not in {None, *kept}:
            with suppress(OSError):
                (directory / record["replay_file"]).unlink(missing_ok=True)
            none = "none: a plainer or worse case of the rule has it"
            rows = [[label, none if label == "replay" else text] for label, text in entry["rows"]]
            entry = {**entry, "rows": rows, "record": {**record, "replay": none, "replay_file": None}}
        changed.append(entry)
    return changed


def _tests(entry: Entry) -> list[str]:
    tests: list[str] = entry["record"]["tests"]
    return tests


def _simplicity(entry: Entry) -> tuple[int, int, str, str]:
    """Return a sort key: short descriptions, few bytes, and generated cases before vectors."""
    record = entry["record"]
    return len(record["case_text"]), record["case_bytes"], record["vector"] or "", canonical(record)


def _short_line(divergences: list[DivergenceFound]) -> str:
    harms: dict[str, Harm] = {}
    for divergence in sorted((finding.divergence for finding in divergences), key=lambda each: rank(each.harm)):
        harms.setdefault(divergence.rule.slug, divergence.harm)
    names = [f"{slug} ({harm_word(harm)})" for slug, harm in harms.items()]
    more = [f"{len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES else []
    return f"{_DIVERGES}{', '.join(names[:_MOST_NAMES] + more)}"


def leaves_of(error: BaseException | None) -> Iterator[BaseException]:
    """Yield the exceptions in a group, or the exception itself; nothing for None."""
    if isinstance(error, BaseExceptionGroup):
        for nested in error.exceptions:
            yield from leaves_of(nested)
    elif error is not None:
        yield error


def _is_among(finding: SuiteFinding, leaves: list[BaseException]) -> bool:
    """Return whether a kept finding is among the errors of its test, where Hypothesis has shrunk a generated case."""
    return finding in leaves or (
        isinstance(finding, DivergenceFound)
        and finding.vector is None
        and not isinstance(finding, ShownDivergence)
        and type(finding) in map(type, leaves)
    )
