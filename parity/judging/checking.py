"""Asks reference and runner the same questions, counts the answers, and raises an exception if they differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from parity.judging.comparing import SKIPPED, Comparer, ask_both
from parity.judging.declared import Grade, grade_of
from parity.judging.divergence import DivergenceFound
from parity.judging.failures import Failures, Shrunk, question_key
from parity.judging.shrinking import check_smaller
from parity.judging.tally import Tally
from parity.operations.answers import Answer, NotClaimed
from parity.operations.operation import Operation
from parity.runners.asking import takes_several


@dataclass(repr=False)
class Checker(Comparer):
    """The reference and the runner of a session, with the counts of their answers."""

    tally: Tally = field(default_factory=Tally)
    asks: bool = True
    """Whether questions are asked; False if cases are only generated."""

    verifies_goldens: bool = True
    """Whether the reference answers every golden vector again, or only those that the runner answers differently."""

    goldens_count: bool = True
    """Whether the golden files are of the reference's release; if not, the reference answers the vectors' inputs."""

    keeps_answers: bool = True
    """Whether the tally keeps the digits of answers to golden vectors, for a report."""

    _attributed: set[tuple[str, frozenset[str], Grade | None]] = field(default_factory=set)
    _failures: Failures = field(default_factory=Failures)
    _shrunk: Shrunk = field(default_factory=Shrunk)

    def begin_test(self) -> None:
        """Discard the findings of the previous test."""
        self._failures = Failures(self._shrunk)

    def collect(self) -> Failures:
        """Collect the findings of the test from now on, instead of raising them, and return them."""
        self._failures.collects = True
        return self._failures

    def check[Case](
        self, operation: Operation[Case], questions: Sequence[Case], flagged: Sequence[Case] | None = None
    ) -> None:
        """Ask reference and runner the questions of one drawn case.

        Args:
            operation: the operation that is asked.
            questions: the cases.
            flagged: the questions whose flags count for the drawn case, in declared regions; by default, all.

        Raises:
            DivergenceFound: the answers to a question differ, and divergences are not collected.
            EnoughFound: divergences are collected, and no more cases are to be drawn.
        """
        if self._failures.target:
            check_smaller(self, self._failures, operation, questions)
            return
        self._failures.draw()
        counts = self.tally.operations[operation.name]
        counts.cases += 1
        if not self.asks:
            return
        try:
            known = self._ask_at_once(operation, questions)
            for question in questions:
                self._check_one(operation, question, next(known, None))
        except DivergenceFound as found:
            self._collect(found)
        finally:  # the reference has been asked, and its answer decides some flags
            self._count_regions(operation, questions if flagged is None else flagged)

    def check_known[Case](self, operation: Operation[Case], question: Case, expected: Answer) -> None:
        """Ask the runner a case to which the reference's answer is already known; see `check`."""
        if self._failures.target:
            check_smaller(self, self._failures, operation, [question], expected)
            return
        self._failures.draw()
        counts = self.tally.operations[operation.name]
        counts.cases += 1
        self._count_regions(operation, [question])
        actual = self.skipped(operation, question) or self.ask_runner(operation, question)
        found = self._judge(operation, question, expected, actual)
        if found:
            self._collect(found)

    def _collect(self, found: DivergenceFound) -> None:
        """Collect a divergence, or raise it."""
        if not self._failures.collects:
            raise found.with_traceback(None)
        self._failures.collect(found)

    def _count_regions[Case](self, operation: Operation[Case], questions: Sequence[Case]) -> None:
        """Count the declared regions that a drawn case lies in."""
        counts = self.tally.operations[operation.name]
        carried = [operation.flags(question) for question in questions]
        if self.draft:
            self.draft.draw(operation, carried)
        held = {entry.name for flags in carried for entry in self.declarations.holding(operation.name, flags)}
        counts.held.update(held)

    def _ask_at_once[Case](
        self, operation: Operation[Case], questions: Sequence[Case]
    ) -> Iterator[tuple[Answer, Answer]]:
        """Yield both answers to each question, up to the first that took too long; nothing if each is asked alone."""
        simple = not (self.draft or self.declarations.entries or self._failures.found)
        several = takes_several(self.runner) or takes_several(self.reference)
        if not simple or len(questions) == 1 or not several:
            return iter(())
        return iter(ask_both(self.reference, self.runner, operation, questions, self.clock))

    def _check_one[Case](
        self, operation: Operation[Case], question: Case, known: tuple[Answer, Answer] | None = None
    ) -> None:
        failures = self._failures
        key = question_key(operation, question) if failures.found else ""
        found = failures.found.get(key)
        if found is None and failures.asks_on:
            found = self._judge(operation, question, *(known or self.ask_both(operation, question)))
        if found:
            raise found

    def _judge[Case](
        self, operation: Operation[Case], question: Case, expected: Answer, actual: Answer
    ) -> DivergenceFound | None:
        counts = self.tally.operations[operation.name]
        if isinstance(expected, NotClaimed):
            counts.unanswered[expected.reason] += 1
            return None
        if isinstance(actual, NotClaimed):
            counts.not_claimed += 1
            return None
        if actual is SKIPPED:
            self.note_skipped(operation, question)
            return None
        counts.comparisons += 1
        if operation.compare(question, expected, actual) is None:
            if self.draft:
                self.draft.agree(operation, question)
            return None
        if self.accept_declared(operation, question, expected, actual):
            self._attribute_declared(operation, question, expected, actual)
            return None
        divergence = self.compare(operation, question, expected, actual)
        assert divergence is not None
        found = DivergenceFound(divergence)
        self._failures.found[question_key(operation, question)] = found
        self._failures.note(actual)
        return found

    def accept_declared[Case](
        self, operation: Operation[Case], question: Case, expected: Answer, actual: Answer
    ) -> bool:
        """Count a divergence that is declared, or record it for a draft; return whether it was either."""
        covering = self.declarations.covering(operation, question, expected, actual, self.ask_witness)
        counts = self.tally.operations[operation.name]
        for entry in covering:
            counts.regions[entry.name] += 1
        if self.draft:
            self.draft.diverge(operation, question, expected, actual)
        accepted = bool(covering or self.draft)
        counts.declared += accepted
        return accepted

    def note_skipped[Case](self, operation: Operation[Case], question: Case) -> None:
        """Count a question that was not asked because the runner is declared to crash on it."""
        counts = self.tally.operations[operation.name]
        counts.skipped += 1
        for entry in self.declarations.holding(operation.name, operation.flags(question)):
            counts.regions[entry.name] += entry.crashes

    def _attribute_declared[Case](
        self, operation: Operation[Case], question: Case, expected: Answer, actual: Answer
    ) -> None:
        """Count a case that diverges as declared, for the rule that it breaks; one case for equal flags and grade."""
        key = operation.name, operation.flags(question), grade_of(operation, question, expected, actual)
        if self.draft or key in self._attributed:
            return
        self._attributed.add(key)
        divergence = self.compare(operation, question, expected, actual)
        if divergence:
            self.tally.note_drawn(divergence.rule.slug, divergence.harm, declared=True)
