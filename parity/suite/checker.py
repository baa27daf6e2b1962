"""Asks the reference and the runner the same questions, counts the answers, and raises an exception if they differ."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from parity.operations.answers import Answer, Crash, NotClaimed
from parity.operations.finding import SuiteFinding
from parity.operations.operation import Operation
from parity.runners.asking import can_pipeline
from parity.suite.comparer import SKIPPED, Comparer, ask_both
from parity.suite.divergence import Divergence, DivergenceFound, exception_class
from parity.suite.tally import Tally

_MOST_CRASHES = 50
"""Number of crashes after which a test asks nothing more, because a program may have to be restarted after each."""

_MOST_CASES = 500
"""Number of cases since its first divergence after which a test asks nothing more.

Most of these cases are tried in order to shrink a divergence.
"""


@dataclass
class _Test:
    """The divergences, cases and crashes of the running test."""

    divergences: dict[object, Divergence] = field(default_factory=dict)
    """The divergences so far, by question, so that a repeated question diverges again without a new call."""

    findings: dict[object, SuiteFinding] = field(default_factory=dict)
    """What the test has found so far: the last generated case of each rule, kind and harm, and everything else."""

    cases: int = 0
    """The number of cases since the first divergence."""

    crashes: int = 0
    hung: bool = False

    @property
    def has_ended(self) -> bool:
        """Whether the test asks nothing more.

        A hang ends it, because each further question could take the whole time limit.
        """
        return self.hung or self.crashes >= _MOST_CRASHES or self.cases >= _MOST_CASES

    def note(self, answer: Answer) -> None:
        """Count an answer if it is a crash."""
        if isinstance(answer, Crash):
            self.hung |= answer.hung
            self.crashes += 1


def _key(operation: Operation[Any], question: object) -> object:
    """Return what identifies a question. A question without a repr is equal to no other one."""
    try:
        return operation.name, repr(question)
    except Exception:
        return object()


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

    def check[Case](self, operation: Operation[Case], questions: Sequence[Case]) -> None:
        """Ask the reference and the runner the questions of one generated case.

        Raises:
            DivergenceFound: the answers to a question differ. There is a subclass for each rule, kind and harm.
        """
        self.tally.operations[operation.name].cases += 1
        self._test.cases += bool(self._test.divergences)
        known = self._ask_at_once(operation, questions)
        for question in questions:
            self._check_one(operation, question, next(known, None))

    def _ask_at_once[Case](
        self, operation: Operation[Case], questions: Sequence[Case]
    ) -> Iterator[tuple[Answer, Answer]]:
        """Yield both answers to each question until one takes too long; nothing if questions are asked one by one."""
        simple = not (self.draft or self.declarations.entries or self._test.divergences)
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
        if divergence:
            test.divergences[key or _key(operation, question)] = divergence
            raise self.keep(exception_class(*divergence.classified)(divergence))

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
        counts.comparisons += 1
        divergence = self.compare(operation, question, expected, actual)
        if divergence is None:
            return None
        if self.accept_declared(divergence):
            self.tally.note_drawn(divergence.rule.slug, divergence.harm, declared=True)
            return None
        self._test.note(actual)
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
