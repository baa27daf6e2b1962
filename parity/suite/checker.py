"""Asks the reference and the runner the same questions, counts the answers, and raises an exception if they differ."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from parity.operations.answers import Answer, Crash, NotClaimed
from parity.operations.finding import GoldenFinding, SuiteFinding
from parity.operations.goldens import Vector, read_vectors
from parity.operations.operation import HARBOR, Operation
from parity.operations.rule import Rule
from parity.operations.series import running_series
from parity.runners.asking import can_pipeline
from parity.suite.attribution import rule_of_hang
from parity.suite.comparer import SKIPPED, Comparer, ask_both, left_out
from parity.suite.divergence import Divergence, DivergenceFound, Look, exception_class
from parity.suite.harm import Harm
from parity.suite.records import Outcome, Question, Source
from parity.suite.run import Run
from parity.suite.vector_questions import MOST_RULES_HUNG, NotAsked, ask_vectors

_MOST_CRASHES = 50
"""Number of crashes after which a test asks nothing more, because a program may have to be restarted after each."""

_MOST_CASES = 100
"""Number of cases that a test may ask in order to shrink its divergences.

Hypothesis shrinks them when it has generated as many cases after the first one as before it, or all that the test
draws. These cases come in addition.
"""


_AFTER_HANG = Crash("it hung on such a case before, and was not asked", hung=True)
"""Takes the place of an answer if the runner hung in the same test on a case of the same rule."""


class _TestOver(BaseException):
    """Ends the running test of generated cases, because it asks nothing more.

    It is no `Exception`, so Hypothesis neither shrinks nor draws on.
    """


@dataclass
class _Test:
    """The divergences, cases and crashes of the running test."""

    divergences: dict[object, Divergence] = field(default_factory=dict)
    """The divergences to be shrunk, by question, so that a repeated question diverges again without a new call."""

    findings: dict[object, SuiteFinding] = field(default_factory=dict)
    """What the test has found so far."""

    cases: int = 0
    """The number of cases."""

    first: int = 0
    """The number of cases up to the first divergence that is to be shrunk; 0 if there is none."""

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
        at_limit = len(self.hung) >= MOST_RULES_HUNG or self.crashes >= _MOST_CRASHES
        return says_little or at_limit or (self.first > 0 and self.cases >= 2 * self.first + _MOST_CASES)

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
    answers: Sequence[Answer | NotAsked]


@dataclass(repr=False)
class Checker(Comparer):
    """The reference and the runner of a session, with the counts of their answers."""

    run: Run = field(default_factory=Run)
    """What was found so far; in a session, what the running test has found."""

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

    @contextmanager
    def running(self, name: str = "") -> Iterator[None]:
        """Run a test inside the `with` block.

        Args:
            name: the test, by its file and name.

        Raises:
            ExceptionGroup: the test has found divergences that it did not raise, because golden vectors show them, or
                because it asks nothing more.
        """
        self.test, self._test = name, _Test()
        with suppress(_TestOver):
            yield
        if divergences := [each for each in self.findings if isinstance(each, DivergenceFound)]:
            raise ExceptionGroup("divergences", divergences)

    @property
    def findings(self) -> list[SuiteFinding]:
        """What the running test has found so far."""
        return [*self._test.findings.values()]

    def count(
        self,
        outcome: Outcome,
        operation: str = "",
        *,
        source: Source = "drawn",
        rule: str = "",
        harm: Harm | None = None,
        reason: str = "",
    ) -> None:
        """Count the outcome of a question of the running test."""
        self.run.counts[Question(source, outcome, operation, rule, harm or "", self.test, reason)] += 1

    def count_divergence(self, outcome: Outcome, divergence: Divergence, source: Source) -> None:
        """Count the outcome of a question that diverges."""
        name, rule = divergence.operation.name, divergence.rule.slug
        self.count(outcome, name, source=source, rule=rule, harm=divergence.harm)

    def keep[Finding: SuiteFinding](self, finding: Finding) -> Finding:
        """Keep a finding of the running test, and return it. So it counts even if the test's exception gets lost.

        Of the divergences of generated cases that agree in rule, kind and harm, the plainest is kept, and the plainest
        of those that golden vectors show.
        """
        key: object = id(finding)
        if isinstance(finding, DivergenceFound) and finding.divergence.vector is None:
            key = finding.is_shrunk, finding.divergence.classified
            known = self._test.findings.get(key)
            if isinstance(known, DivergenceFound) and known.divergence.simplicity <= finding.divergence.simplicity:
                return finding
        self._test.findings[key] = finding
        return finding

    def check[Case](self, operation: Operation[Case], questions: Sequence[Case]) -> None:
        """Ask the reference and the runner the questions of one generated case.

        A divergence that a golden vector shows is only counted; `running` raises it.

        Raises:
            DivergenceFound: the answers to a question differ in a way that no golden vector shows. There is a subclass
                for each rule, kind and harm.
            _TestOver: the test asks nothing more.
        """
        if self._test.has_ended:
            raise _TestOver
        self.count("begun", operation.name)
        self._test.cases += 1
        known = self._ask_at_once(operation, questions)
        for question in questions:
            self._check_one(operation, question, next(known, None))

    def check_replay[Case](self, operation: Operation[Case], case: Case) -> DivergenceFound | None:
        """Ask a case of a replay file, and return the finding if it diverges; it is not shrunk."""
        self.count("begun", operation.name)
        divergence = self._judge(operation, case, *self.ask_both(operation, case))
        if divergence is None:
            return None
        self.count_divergence("diverges", divergence, "drawn")
        return self.keep(DivergenceFound(divergence))

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
            if divergence and self._count_divergence(divergence) == "shown":
                return
        if divergence:
            test.first = test.first or test.cases
            test.divergences[key or _key(operation, question)] = divergence
            raise self.keep(exception_class(*divergence.classified)(divergence))

    def _count_divergence(self, divergence: Divergence) -> Outcome:
        """Count the divergence of a generated case, and return whether a golden vector shows it or it is to be shrunk.

        Of those that a vector shows, the plainest is kept. General rules say little about a case, so the first
        divergence of each is shrunk in any case.
        """
        outcome: Outcome = "diverges"
        try:
            vector = self._vector_that_shows(divergence)
            shrunk = {each.rule for each in self._test.divergences.values()}
            if vector and not (divergence.rule.is_general and divergence.rule not in shrunk):
                outcome = "shown"
                self.keep(DivergenceFound(replace(divergence, like=vector)))
        finally:  # no interruption loses it
            self.count_divergence(outcome, divergence, "drawn")
        return outcome

    def _vector_that_shows(self, divergence: Divergence) -> str | None:
        """Return a golden vector that shows a divergence, or None. The vectors are asked now if they were not yet."""
        operation = divergence.operation
        if operation.name not in self.shown:
            finding = self.keep(exception_class(*divergence.classified)(divergence))  # so that no interruption loses it
            try:
                self._ask_vectors(operation)
            except GoldenFinding:  # which the test of the vectors reports
                self.shown[operation.name] = {}
            del self._test.findings[finding.is_shrunk, divergence.classified]
        return self.shown[operation.name].get(divergence.look)

    def _ask_vectors(self, operation: Operation[Any]) -> None:
        """Ask an operation's golden vectors, and note which divergences they show."""
        expected = {vector.id: self._expected(operation, vector) for vector in read_vectors(operation.name)}
        vectors = [each for each in read_vectors(operation.name) if expected[each.id] is not None]
        answers = [*ask_vectors(self, operation, vectors)]
        self._asked[operation.name] = _AskedVectors(vectors, answers)
        self.shown[operation.name] = {}
        for vector, actual in zip(vectors, answers, strict=True):
            recorded = expected[vector.id]
            if recorded is None or isinstance(actual, str):
                continue
            divergence = self.compare(operation, vector.case, recorded, actual, vector)
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
        if not divergence or self.draft or self.declarations.covers(divergence):
            return None
        attributed = self.attributed(divergence)
        for look in (divergence.look, attributed.look):
            shown.setdefault(look, vector.id)
        return attributed.rule

    def take_answers(self, operation: Operation[Any], vectors: Sequence[Vector]) -> Iterator[Answer | None]:
        """Yield the runner's answer to each vector, and count it; None for a vector that is left out.

        If the vectors were asked before, because a generated case diverged, those answers are used.
        """
        earlier = self._asked.pop(operation.name, None)
        if earlier is None or [each.id for each in earlier.vectors] != [each.id for each in vectors]:
            answers: Iterable[Answer | NotAsked] = ask_vectors(self, operation, vectors)
        else:
            answers = earlier.answers
        for vector, answer in zip(vectors, answers, strict=True):
            if isinstance(answer, str):
                self.count(answer, operation.name, source="vector", rule=vector.rule)
            yield None if isinstance(answer, str) else answer

    def _judge[Case](
        self, operation: Operation[Case], question: Case, expected: Answer, actual: Answer
    ) -> Divergence | None:
        """Return the divergence of two answers, if it is not declared; otherwise count the outcome."""
        if isinstance(expected, NotClaimed):
            self.count("unanswered", operation.name, reason=expected.reason)
            return None
        if isinstance(actual, NotClaimed):
            self.count("not-claimed", operation.name)
            return None
        if actual is SKIPPED:
            self.count("no-answer", operation.name)
            return None
        if actual is _AFTER_HANG:
            self.count("left-out", operation.name)
            return None
        divergence = self.compare(operation, question, expected, actual)
        if divergence is None:
            self.count("agrees", operation.name)
            return None
        if self.accepts(divergence):
            self.count_divergence("declared", divergence, "drawn")
            return None
        self._test.note(divergence)
        return divergence

    def accepts(self, divergence: Divergence) -> bool:
        """Return whether a divergence is declared, or recorded by a draft, which is done here."""
        if self.draft:
            self.draft.add(divergence)
        return self.draft is not None or self.declarations.covers(divergence)
