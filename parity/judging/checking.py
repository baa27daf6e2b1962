"""Asks reference and runner the same questions, counts, and raises where the answers differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from parity.judging.attribution import candidate_rules
from parity.judging.declared import Declaration, Declarations, Draft, Grade, grade_of
from parity.judging.divergence import Divergence, DivergenceFound, divergence_found, first_line
from parity.judging.failures import Failures
from parity.judging.several import ask_both
from parity.judging.tally import Tally
from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Crash, NotClaimed, without_changes
from parity.operations.compare import Difference
from parity.operations.operation import Operation
from parity.operations.rule import Rule
from parity.operations.rules import EQUIVALENTS
from parity.operations.wire import canonical
from parity.runners import Runner
from parity.runners.asking import Clock, ask, ask_watched, takes_several

_SKIPPED = Crash("it is known to crash here, and was not asked", hung=True)


@dataclass(repr=False)
class Checker:
    """The two sides of a session and what has been counted."""

    reference: Runner
    runner: Runner
    clock: Clock
    tally: Tally = field(default_factory=Tally)
    asks: bool = True
    """Off where cases are only to be generated."""

    verifies_goldens: bool = True
    """Whether the reference is asked for every golden vector again; else where the runner's answer is another one."""

    goldens_count: bool = True
    """Whether the golden vectors' answers are those of the reference's release; else it alone is asked their inputs."""

    keeps_answers: bool = True
    """Whether the tally keeps the digits of answers to golden vectors, which reports are made of."""

    declarations: Declarations = field(default_factory=Declarations)
    draft: Draft | None = None
    """Records all divergences where they are only to be written to a file."""

    _attributed: set[tuple[str, frozenset[str], Grade | None]] = field(default_factory=set)
    _failures: Failures = field(default_factory=Failures)

    def begin_test(self) -> None:
        """Forget what the test before has found."""
        self._failures = Failures()

    def check[Case](
        self, operation: Operation[Case], questions: Sequence[Case], flagged: Sequence[Case] | None = None
    ) -> None:
        """Put the questions of one drawn case to both sides.

        Args:
            operation: what to ask.
            questions: the cases.
            flagged: the questions whose flags count for the drawn case; all, by default.

        Raises:
            DivergenceFound: at the first question whose answers differ.
        """
        counts = self.tally.operations[operation.name]
        counts.cases += 1
        if not self.asks:
            return
        try:
            known = self._ask_at_once(operation, questions)
            for question in questions:
                self._check_one(operation, question, next(known, None))
        finally:  # the reference has been asked by now, which knows some flags
            self._count_flags(operation, questions if flagged is None else flagged)

    def check_known[Case](self, operation: Operation[Case], question: Case, expected: Answer) -> None:
        """Put a case to the runner whose answer the reference has given in another way; see `check`."""
        counts = self.tally.operations[operation.name]
        counts.cases += 1
        self._count_flags(operation, [question])
        actual = self.skipped(operation, question) or self.ask_runner(operation, question)
        found = self._judge(operation, question, expected, actual)
        if found:
            raise found

    def _count_flags[Case](self, operation: Operation[Case], questions: Sequence[Case]) -> None:
        """Count the flags of a drawn case, and in which declared regions it lies."""
        counts = self.tally.operations[operation.name]
        carried = [operation.flags(question) for question in questions]
        counts.flags.update(frozenset().union(*carried))
        if self.draft:
            self.draft.draw(operation, carried)
        held = {entry.name for flags in carried for entry in self.declarations.holding(operation.name, flags)}
        counts.held.update(held)

    def diverges[Case](self, operation: Operation[Case], question: Case) -> Divergence | None:
        """Ask one question and compare, without counting or raising."""
        return self.compare(operation, question, *self.ask_both(operation, question))

    def ask_reference[Case](self, operation: Operation[Case], question: Case) -> Answer:
        """The reference's answer alone, without counting."""
        with operation.arguments(question) as arguments:
            answer = ask(self.reference, operation.name, arguments)
        operation.remember(question, answer)
        return answer

    def ask_runner[Case](self, operation: Operation[Case], question: Case) -> Answer:
        """The runner's answer alone, without counting, and also where it is declared to crash."""
        with operation.arguments(question) as arguments:
            return ask_watched(self.runner, operation, arguments, self.clock)

    def ask_alone[Case](self, operation: Operation[Case], question: Case) -> Answer:
        """The runner's answer to a drawn case, without counting; none where it diverges as declared.

        After a hang it is not asked any more, and for a draft the reference is asked as well.
        """
        if self.draft:
            self._ask_and_compare(operation, question)
        elif self.asks and self._failures.asks_on and not self.skipped(operation, question):
            answer = self.ask_runner(operation, question)
            self._failures.note(answer)
            if not self._declares(operation, question, answer):
                return answer
        return NotClaimed("it was not asked")

    def _declares[Case](self, operation: Operation[Case], question: Case, actual: Answer) -> bool:
        """Whether the runner's answer alone is one that diverges as declared."""
        entries = self.declarations.entries
        if not entries or not self.declarations.holding(operation.name, operation.flags(question)):
            return False
        expected = self.ask_reference(operation, question)
        if isinstance(expected, NotClaimed):
            return False
        return bool(self.declarations.covering(operation, question, expected, actual, self._ask_witness))

    def _ask_at_once[Case](
        self, operation: Operation[Case], questions: Sequence[Case]
    ) -> Iterator[tuple[Answer, Answer]]:
        """Both sides' answers to the first of the questions; to none where they are better asked one by one."""
        simple = not (self.draft or self.declarations.entries or self._failures.found)
        several = takes_several(self.runner) or takes_several(self.reference)
        if not simple or len(questions) == 1 or not several:
            return iter(())
        return iter(ask_both(self.reference, self.runner, operation, questions, self.clock))

    def _check_one[Case](
        self, operation: Operation[Case], question: Case, known: tuple[Answer, Answer] | None = None
    ) -> None:
        failures = self._failures
        key = self._key(operation, question) if failures.found else ""
        found = failures.found.get(key)
        if found is None and failures.asks_on:
            found = self._judge(operation, question, *(known or self.ask_both(operation, question)))
        if found:
            # Hypothesis distinguishes faults by class and line, so a known one is raised from the same line.
            raise found.with_traceback(None)

    def _ask_and_compare[Case](self, operation: Operation[Case], question: Case) -> DivergenceFound | None:
        return self._judge(operation, question, *self.ask_both(operation, question))

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
        if actual is _SKIPPED:
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
        found = divergence_found(divergence)
        self._failures.found[self._key(operation, question)] = found
        self._failures.note(actual)
        return found

    def accept_declared[Case](
        self, operation: Operation[Case], question: Case, expected: Answer, actual: Answer
    ) -> bool:
        """Count and draft a divergence that is declared, or is to be; whether it is."""
        covering = self.declarations.covering(operation, question, expected, actual, self._ask_witness)
        counts = self.tally.operations[operation.name]
        for entry in covering:
            counts.regions[entry.name] += 1
        if self.draft:
            self.draft.diverge(operation, question, expected, actual)
        accepted = bool(covering or self.draft)
        counts.declared += accepted
        return accepted

    def _ask_witness(self, entry: Declaration) -> tuple[Answer, Answer]:
        return self.ask_both(OPERATIONS[entry.operation], entry.witness)

    def note_skipped[Case](self, operation: Operation[Case], question: Case) -> None:
        """Count a question that was not asked, because the runner is known to crash there."""
        counts = self.tally.operations[operation.name]
        counts.skipped += 1
        for entry in self.declarations.holding(operation.name, operation.flags(question)):
            counts.regions[entry.name] += entry.crashes

    def _attribute_declared[Case](
        self, operation: Operation[Case], question: Case, expected: Answer, actual: Answer
    ) -> None:
        """Count a case that diverges as declared for the rule that it breaks, the first of its flags and grade."""
        key = operation.name, operation.flags(question), grade_of(operation, question, expected, actual)
        if self.draft or key in self._attributed:
            return
        self._attributed.add(key)
        divergence = self.compare(operation, question, expected, actual)
        if divergence:
            self.tally.note_drawn(divergence.rule.slug, divergence.harm, declared=True)

    def ask_both[Case](self, operation: Operation[Case], question: Case) -> tuple[Answer, Answer]:
        """The reference's answer and the runner's, without counting."""
        with operation.arguments(question) as arguments:
            # The reference first, so that what the runner does to its arguments changes no answer.
            expected = ask(self.reference, operation.name, arguments)
            if isinstance(expected, NotClaimed):
                return expected, expected  # there is nothing to hold the runner's answer against
            operation.remember(question, expected)
            skipped = self.skipped(operation, question)
            return expected, skipped or ask_watched(self.runner, operation, arguments, self.clock)

    def skipped[Case](self, operation: Operation[Case], question: Case) -> Crash | None:
        """What the runner would say where it is known to crash, without asking it."""
        if not (self.declarations.entries or self.draft):
            return None
        skips = self.declarations.skips(operation.name, operation.flags(question))
        return _SKIPPED if skips or (self.draft and self.draft.skips(operation, question)) else None

    def compare[Case](
        self, operation: Operation[Case], question: Case, expected: Answer, actual: Answer, shows: Rule | None = None
    ) -> Divergence | None:
        """The divergence of two answers, if there is one; `shows` is the rule that a golden vector was chosen for."""
        difference = operation.compare(question, expected, actual)
        if difference is None:
            return None
        flags, case = operation.flags(question), operation.encode(question)
        rule = self._broken(operation, question, actual, difference, shows)
        return Divergence(operation.name, rule, flags, case, expected, actual, difference, self.runner.name)

    def _broken[Case](
        self, operation: Operation[Case], question: Case, actual: Answer, difference: Difference, shows: Rule | None
    ) -> Rule:
        """The first candidate rule that the runner breaks; before a general rule, one about a case that is alike."""
        flags = operation.flags(question)
        alike: list[Case] = []
        for rule in candidate_rules(operation.name, flags, difference, shows):
            if not rule.flags and rule is not shows:
                break
            if not self._keeps(rule, operation, question, actual):
                return rule
            alike.append(EQUIVALENTS[rule.slug](question))
        for case in alike:
            for special in candidate_rules(operation.name, operation.flags(case) - flags, difference):
                if special.flags and not self._keeps(special, operation, case, actual):
                    return special
        return rule

    def explain(self, operation: Operation[Any], question: Any, expected: Answer, actual: Answer) -> str:
        """In one line, which rule a divergence breaks and how."""
        divergence = self.compare(operation, question, expected, actual)
        return f"{divergence.rule.slug}: {first_line(divergence)}" if divergence else "it diverged once"

    def _keeps(self, rule: Rule, operation: Operation[Any], question: Any, actual: Answer) -> bool:
        """Whether the runner answers a case alike that the rule says counts the same."""
        equivalent = EQUIVALENTS.get(rule.slug)
        if equivalent is None or isinstance(actual, Crash):
            return False
        again = self.ask_runner(operation, equivalent(question))
        return operation.compare(question, without_changes(actual), without_changes(again)) is None

    @staticmethod
    def _key(operation: Operation[Any], question: Any) -> str:
        return canonical([operation.name, operation.encode(question)])
