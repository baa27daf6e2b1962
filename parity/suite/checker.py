"""Asks the reference and the runner the same questions, counts the answers, and raises an exception if they differ."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from parity.operations.answers import Answer, Crash, NotClaimed
from parity.operations.finding import GoldenFinding, SuiteFinding
from parity.operations.goldens import Vector, read_vectors
from parity.operations.operation import HARBOR, Operation
from parity.operations.rule import Rule
from parity.operations.rules import RULES
from parity.operations.series import running_series
from parity.runners.asking import can_pipeline
from parity.suite.comparer import SKIPPED, Comparer, ask_both, left_out, rule_of_hang
from parity.suite.divergence import Divergence, DivergenceFound, Look, ShownDivergence, exception_class
from parity.suite.tally import Tally
from parity.suite.vector_questions import ask_vectors

_MOST_CRASHES = 50
"""Number of crashes after which a test asks nothing more, because a program may have to be restarted after each."""

_MOST_CASES = 200
"""Number of cases since its first divergence that is to be shrunk after which a test asks nothing more.

Most of these cases are tried in order to shrink a divergence.
"""


_MOST_HUNG = 3
"""Number of rules with a hang after which a test asks nothing more."""

_AFTER_HANG = Crash("it hung on such a case before, and was not asked", hung=True)
"""Takes the place of an answer if the runner hung in the same test on a case of the same rule."""


@dataclass
class _Test:
    """The divergences, cases and crashes of the running test."""

    divergences: dict[object, Divergence] = field(default_factory=dict)
    """The divergences to be shrunk, by question, so that a repeated question diverges again without a new call."""

    findings: dict[object, SuiteFinding] = field(default_factory=dict)
    """What the test has found so far.

    Of generated cases: for each rule, kind and harm, the last one that is to be shrunk, and the plainest of those that
    golden vectors show.
    """

    cases: int = 0
    """The number of cases since the first divergence that is to be shrunk."""

    crashes: int = 0
    hung: set[Rule] = field(default_factory=set)
    """The rules to which hangs were attributed."""

    @property
    def has_ended(self) -> bool:
        """Whether the test asks nothing more.

        Each hang takes the whole time limit. So the test ends after a hang that says little about other cases, one of a
        general rule or one that is to be shrunk, and after hangs in several rules.
        """
        says_little = any(rule.is_general for rule in self.hung) or any(map(_is_hang, self.divergences.values()))
        return says_little or len(self.hung) >= _MOST_HUNG or self.crashes >= _MOST_CRASHES or self.cases >= _MOST_CASES

    def note(self, divergence: Divergence) -> None:
        """Count a divergence if it is a crash."""
        self.crashes += isinstance(divergence.runner, Crash)
        if _is_hang(divergence):
            self.hung.add(divergence.rule)


def _is_hang(divergence: Divergence) -> bool:
    return isinstance(divergence.runner, Crash) and divergence.runner.hung


def _key(operation: Operation[Any], question: object) -> object:
    """Return what identifies a question. A question without a repr is equal to no other one."""
    try:
        return operation.name, repr(question)
    except Exception:
        return object()


@dataclass(frozen=True)
class _AskedVectors:
    """Golden vectors that were asked before the test that judges them."""

    vectors: Sequence[Vector]
    answers: Sequence[Answer | None]
    """The answer to each vector; None for a vector that was left out."""

    tally: Tally
    """The counts of the questions."""


@dataclass(repr=False)
class Checker(Comparer):
    """The reference and the runner of a session, with the counts of their answers."""

    tally: Tally = field(default_factory=Tally)
    verifies_goldens: bool = True
    """Whether the reference answers all golden vectors again, or only those that the runner answers differently."""

    goldens_count: bool = True
    """Whether the golden files were recorded from the reference's release.

    If not, the reference answers all vectors.
    """

    test: str = ""
    """The running test, by its file and name."""

    failed_vectors: defaultdict[str, dict[str, bool | None]] = field(default_factory=lambda: defaultdict(dict))
    """Whether the runner fails a golden vector, by operation and id; None if that is unknown."""

    judged_vectors: set[str] = field(default_factory=set)
    """Operations whose golden vectors were asked, so that none is asked for a hint."""

    shown: dict[str, dict[Look, str]] = field(default_factory=dict)
    """What undeclared divergences of golden vectors look like, each with a vector; by operation, if it was asked."""

    _asked: dict[str, _AskedVectors] = field(default_factory=dict)
    """The vectors that were asked for generated cases, by operation, until the test of the vectors takes them."""

    _test: _Test = field(default_factory=_Test)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print only a name, because Hypothesis prints a failing test's arguments with everything that they contain."""
        printer.text("checker")

    def begin_test(self, name: str = "") -> None:
        """Discard the findings of the previous test, and record the name of the next one."""
        self.test, self._test = name, _Test()

    @property
    def findings(self) -> list[SuiteFinding]:
        """What the running test has found so far."""
        return [*self._test.findings.values()]

    def keep[Finding: SuiteFinding](self, finding: Finding) -> Finding:
        """Keep a finding of the running test, and return it. So it counts even if the test's exception gets lost."""
        key: object = id(finding)
        if isinstance(finding, DivergenceFound) and finding.vector is None:
            key = finding.divergence.classified
        self._test.findings[key] = finding
        return finding

    def end_test(self) -> None:
        """End the running test.

        Raises:
            ExceptionGroup: the test has found divergences that golden vectors show.
        """
        if shown := [finding for finding in self.findings if isinstance(finding, ShownDivergence)]:
            raise ExceptionGroup("divergences that golden vectors show", shown)

    def check[Case](self, operation: Operation[Case], questions: Sequence[Case]) -> None:
        """Ask the reference and the runner the questions of one generated case.

        A divergence that a golden vector shows is only counted; `end_test` raises it.

        Raises:
            DivergenceFound: the answers to a question differ in a way that no golden vector shows. There is a subclass
                for each rule, kind and harm.
        """
        self.tally.operations[operation.name].cases += 1
        self._test.cases += bool(self._test.divergences)
        known = self._ask_at_once(operation, questions)
        for question in questions:
            self._check_one(operation, question, next(known, None))

    def skipped[Case](self, operation: Operation[Case], question: Case, expected: Answer) -> Crash | None:
        """Return what takes the place of the answer if the runner would hang as it did, or crash as declared."""
        is_known = bool(self._test.hung) and rule_of_hang(operation, question, expected) in self._test.hung
        return _AFTER_HANG if is_known else super().skipped(operation, question, expected)

    def _ask_at_once[Case](
        self, operation: Operation[Case], questions: Sequence[Case]
    ) -> Iterator[tuple[Answer, Answer]]:
        """Yield both answers to each question until one takes too long; nothing if questions are asked one by one."""
        simple = not (self.draft or self.declarations.entries or self._test.divergences or self._test.hung)
        several = can_pipeline(self.runner) or can_pipeline(self.reference)
        if not simple or len(questions) == 1 or not several:
            return iter(())
        return iter(ask_both(self.reference, self.runner, operation, questions, self.clock))

    def _check_one[Case](
        self, operation: Operation[Case], question: Case, known: tuple[Answer, Answer] | None = None
    ) -> None:
        test = self._test
        key = _key(operation, question) if test.divergences else None
        divergence = test.divergences.get(key)
        if divergence is None and not test.has_ended:
            divergence = self._judge(operation, question, *(known or self.ask_both(operation, question)))
            if divergence and self._count_if_shown(operation, divergence):
                return
        if divergence:
            test.divergences[key or _key(operation, question)] = divergence
            raise self.keep(exception_class(*divergence.classified)(divergence))

    def _count_if_shown(self, operation: Operation[Any], divergence: Divergence) -> bool:
        """Count a divergence if a golden vector shows it, and keep the plainest; return whether one does.

        General rules say little about a case. So the first divergence of each is shrunk in any case.
        """
        vector = self._vector_that_shows(operation, divergence)
        rule = divergence.rule
        if vector is None or (rule.is_general and rule not in {each.rule for each in self._test.divergences.values()}):
            return False
        self.tally.note_drawn(rule.slug, divergence.harm)
        key = "shown", divergence.classified
        known = self._test.findings.get(key)
        if not isinstance(known, ShownDivergence) or divergence.simplicity < known.divergence.simplicity:
            self._test.findings[key] = ShownDivergence(divergence, vector)
        return True

    def _vector_that_shows(self, operation: Operation[Any], divergence: Divergence) -> str | None:
        """Return a golden vector that shows a divergence, or None. The vectors are asked now if they were not yet."""
        if operation.name not in self.shown:
            finding = self.keep(exception_class(*divergence.classified)(divergence))  # so that no interruption loses it
            try:
                self._ask_vectors(operation)
            except GoldenFinding:  # which the test of the vectors reports
                self.shown[operation.name] = {}
            del self._test.findings[finding.divergence.classified]
        return self.shown[operation.name].get(divergence.look)

    def _ask_vectors(self, operation: Operation[Any]) -> None:
        """Ask an operation's golden vectors, and note which divergences they show."""
        expected = {vector.id: self._expected(operation, vector) for vector in read_vectors(operation.name)}
        vectors = [each for each in read_vectors(operation.name) if expected[each.id] is not None]
        tally = Tally()
        answers = [*ask_vectors(self, tally, operation, vectors)]
        self._asked[operation.name] = _AskedVectors(vectors, answers, tally)
        self.shown[operation.name] = {}
        for vector, actual in zip(vectors, answers, strict=True):
            recorded = expected[vector.id]
            if recorded is None or actual is None:
                continue
            divergence = self.compare(operation, vector.case, recorded, actual, RULES[vector.rule])
            self.note_vector(vector, divergence, claimed=not isinstance(actual, NotClaimed))
        self.judged_vectors.add(operation.name)

    def _expected(self, operation: Operation[Any], vector: Vector) -> Answer | None:
        """Return the expected answer to a golden vector; None if it is left out."""
        if left_out(operation, vector.case):
            return None
        if self.goldens_count or operation.authority(frozenset()) != HARBOR:
            return vector.answer(running_series())
        live = self.ask_reference(operation, vector.case)
        return None if isinstance(live, NotClaimed) else live

    def note_vector(self, vector: Vector, divergence: Divergence | None, *, claimed: bool) -> Rule | None:
        """Note whether the runner fails a golden vector, and what its divergence shows if it is not declared.

        Args:
            vector: the vector.
            divergence: its divergence; None if the answers agree.
            claimed: whether the runner gave an answer.

        Returns:
            The rule under which the divergence is shown; None if it is not shown.
        """
        self.failed_vectors[vector.operation][vector.id] = bool(divergence) if claimed else None
        shown = self.shown.setdefault(vector.operation, {})
        if not divergence or self.draft or self.declarations.covers(divergence, vector.id):
            return None
        attributed = self.attributed(divergence)
        for look in (divergence.look, attributed.look):
            shown.setdefault(look, vector.id)
        return attributed.rule

    def take_answers(self, operation: Operation[Any], vectors: Sequence[Vector]) -> Iterator[Answer | None]:
        """Yield the runner's answer to each vector, and count it; None for a vector that is left out.

        If the vectors were asked before, because a generated case diverged, those answers are used.
        """
        asked = self._asked.pop(operation.name, None)
        if asked is None or [each.id for each in asked.vectors] != [each.id for each in vectors]:
            yield from ask_vectors(self, self.tally, operation, vectors)
            return
        self.tally.add(asked.tally.to_plain())
        yield from asked.answers

    def _judge[Case](
        self, operation: Operation[Case], question: Case, expected: Answer, actual: Answer
    ) -> Divergence | None:
        """Count both answers to a question, and return their divergence; None if they agree, or differ as declared."""
        counts = self.tally.operations[operation.name]
        if isinstance(expected, NotClaimed):
            counts.unanswered[expected.reason] += 1
            return None
        if isinstance(actual, NotClaimed):
            counts.not_claimed += 1
            return None
        if actual is SKIPPED:
            counts.skipped += 1
            return None
        if actual is _AFTER_HANG:
            return None
        counts.comparisons += 1
        divergence = self.compare(operation, question, expected, actual)
        if divergence is None:
            return None
        if self.accept_declared(divergence):
            self.tally.note_drawn(divergence.rule.slug, divergence.harm, declared=True)
            return None
        self._test.note(divergence)
        return divergence

    def accept_declared(self, divergence: Divergence, vector: str | None = None) -> bool:
        """Count a divergence if it is declared or if a draft records it; return whether it was counted.

        Args:
            divergence: the divergence.
            vector: the id of the golden vector, if the case is one.
        """
        if self.draft:
            self.draft.add(divergence, vector)
        accepted = self.draft is not None or self.declarations.covers(divergence, vector)
        self.tally.operations[divergence.operation].declared += accepted
        return accepted
