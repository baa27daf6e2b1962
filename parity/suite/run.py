"""The findings of a run, as one value that adds up: over tests, processes and machines.

Its `|` is commutative and associative, so neither the order nor the grouping of its parts changes anything. A test
counts each finding at once, so a failure of the test or of its report loses none. All verdicts, tables and pages are
sums over the counts.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass, field, replace

from parity.operations import OPERATIONS
from parity.operations.wire import canonical
from parity.suite.display_order import place_of
from parity.suite.harm import DifferenceKind, Harm, rank
from parity.suite.plain import from_plain, to_plain
from parity.suite.records import Count, DeclaredReason, DivergenceRecord, Outcome, Question, Source

type Counts = Counter[Question]

type Key = tuple[str, str, DifferenceKind, Harm, DeclaredReason | None]
"""The rule under which a divergence is shown, its own rule, kind of difference and harm, and what declares it."""

DIVERGED: tuple[Outcome, ...] = ("diverges", "shown", "hung")
"""The outcomes of questions that diverge in a way that is not declared."""

COMPARED: tuple[Outcome, ...] = ("agrees", *DIVERGED, "declared")
"""The outcomes of questions that both sides answered."""

_DISAGREES: tuple[Outcome, ...] = (*DIVERGED, "stale", "wrong-shape")

_NO_REPLAY = "none: a plainer or worse case of the rule has it"


@dataclass
class Run:
    """The counts of all questions, and the plainest divergence of each rule, kind and harm."""

    counts: Counts = field(default_factory=Counter)
    worst: dict[Key, DivergenceRecord] = field(default_factory=dict)

    def __or__(self, other: "Run") -> "Run":
        """Return both together."""
        worst = dict(self.worst)
        for key, record in other.worst.items():
            worst[key] = _plainest(worst[key], record) if key in worst else record
        return Run(self.counts + other.counts, worst)

    @classmethod
    def of(cls, counts: Iterable[Count], divergences: Iterable[DivergenceRecord]) -> "Run":
        """Return the run of a report."""
        run = cls()
        for count in counts:
            *question, number = astuple(count)
            run.counts[Question(*question)] += number
        for record in divergences:
            run.keep(record)
        return run

    def keep(self, record: DivergenceRecord) -> None:
        """Add a divergence, unless a plainer one is known of its rule, kind and harm."""
        key = record.shown, record.rule, record.kind, record.harm, record.declared
        self.worst[key] = _plainest(self.worst[key], record) if key in self.worst else record

    def count_failure(self, test: str, concerned: Iterable[str], reason: str = "") -> None:
        """Count a test that failed for the operations that it concerns; for all operations if it names none.

        Args:
            test: the name of the test.
            concerned: the operations.
            reason: why it failed, if not because of a difference between runner and reference.
        """
        for name in tuple(concerned) or OPERATIONS:
            self.counts[Question("test", "failed", name, test=test, reason=reason)] += 1

    @property
    def rows(self) -> tuple[Count, ...]:
        """The counts as rows of a report, sorted."""
        return tuple(sorted(Count(*astuple(question), count=number) for question, number in (+self.counts).items()))

    @property
    def divergences(self) -> tuple[DivergenceRecord, ...]:
        """The divergences, as they are shown: the worst rules first, and declared divergences last."""
        share = vectors_shown(self.counts)
        harms: dict[str, Harm] = {}
        for record in sorted(self.worst.values(), key=lambda each: rank(each.harm)):
            harms.setdefault(record.shown, record.harm)

        def order(record: DivergenceRecord) -> tuple[object, ...]:
            place = place_of(record.shown, harms[record.shown], *share(record.shown))
            return record.declared is not None, place, rank(record.harm), *_plainness(record)

        return tuple(sorted(self.worst.values(), key=order))

    @property
    def disagrees(self) -> bool:
        """Whether the runner differs from the reference, or from what is declared of it."""
        return bool(total(self.counts, *_DISAGREES))

    @property
    def replay_files(self) -> set[str]:
        """The names of the replay files of all divergences."""
        return {record.replay_file for record in self.worst.values() if record.replay_file}

    def with_one_replay_a_rule(self) -> "Run":
        """Return the same run with a replay file for only the divergence that is shown first of each rule."""
        first: dict[str, DivergenceRecord] = {}
        for record in self.divergences:
            first.setdefault(record.shown, record)
        kept = {record.replay_file for record in first.values()} | {None}
        return Run(
            self.counts,
            {
                key: each if each.replay_file in kept else replace(each, replay=_NO_REPLAY, replay_file=None)
                for key, each in self.worst.items()
            },
        )

    def dumps(self) -> str:
        """Return the run as JSON in ASCII, for another process."""
        plain = {"counts": [*map(to_plain, self.rows)], "divergences": [*map(to_plain, self.worst.values())]}
        return json.dumps(plain)

    @classmethod
    def loads(cls, text: str) -> "Run":
        """Return the run that another process has written."""
        plain = json.loads(text)
        counts = (from_plain(Count, each) for each in plain["counts"])
        return cls.of(counts, (from_plain(DivergenceRecord, each) for each in plain["divergences"]))


def _plainest(one: DivergenceRecord, other: DivergenceRecord) -> DivergenceRecord:
    """Return the plainer divergence, with the tests of both."""
    return replace(min(one, other, key=_plainness), tests=tuple(sorted({*one.tests, *other.tests})))


def _plainness(record: DivergenceRecord) -> tuple[object, ...]:
    """Return a sort key: short descriptions, few bytes, generated cases before vectors; then the rest but its tests."""
    others = canonical(to_plain(replace(record, tests=(), replay="", replay_file=None)))
    return len(record.case_text), record.case_bytes, record.vector or "", others, record.replay


def total(counts: Counts, *outcomes: Outcome, source: Source | None = None) -> int:
    """Return the number of questions with one of these outcomes, from one source or from all."""
    return sum(count for each, count in counts.items() if each.outcome in outcomes and source in (None, each.source))


def comparisons(counts: Counts) -> int:
    """Return the number of generated and replayed questions that both sides answered."""
    return total(counts, *COMPARED, source="drawn")


def answered_vectors(counts: Counts) -> int:
    """Return the number of golden vectors that the runner answered."""
    return total(counts, *COMPARED, source="vector")


def grouped(counts: Counts, key: Callable[[Question], str]) -> defaultdict[str, Counts]:
    """Return the counts by a part of the question, such as its operation; empty counts for anything else."""
    groups: defaultdict[str, Counts] = defaultdict(Counter)
    for question, count in counts.items():
        groups[key(question)][question] += count
    return groups


def broken_rules(counts: Counts) -> dict[str, Harm]:
    """Return the rules with undeclared divergences, each with its worst harm.

    The summary, the report and all pages use this one list of broken rules.
    """
    harms: dict[str, Harm] = {}
    for question in sorted((each for each in counts if each.harm), key=lambda each: rank(each.harm or "form")):
        if question.outcome in DIVERGED and question.harm and counts[question]:
            harms.setdefault(question.rule, question.harm)
    return harms


def unanswered(counts: Counts) -> dict[str, int]:
    """Return the number of questions that the reference could not answer here, by reason, without declared cases."""
    reasons: Counter[str] = Counter()
    for question, count in counts.items():
        if question.outcome == "unanswered" and question.source != "case":
            reasons[question.reason] += count
    return dict(sorted(reasons.items()))


def wrong_shapes(counts: Counts) -> dict[str, str]:
    """Return a sentence for each operation without an answer of the right shape; see `parity.suite.shapes`."""
    return {each.operation: each.reason for each in counts if each.outcome == "wrong-shape"}


def diverging_vectors(counts: Counts) -> Callable[[str], tuple[int, int]]:
    """Return a function that returns, for a rule, the number of its golden vectors that diverge, and of those answered.

    Where none diverges undeclared, those that are declared to diverge count.
    """
    rules = grouped(counts, lambda each: each.rule)

    def numbers(rule: str) -> tuple[int, int]:
        diverging = total(rules[rule], *DIVERGED, source="vector") or total(rules[rule], "declared", source="vector")
        return diverging, answered_vectors(rules[rule])

    return numbers


def vectors_shown(counts: Counts) -> Callable[[str], tuple[int, int]]:
    """Return a function that returns two numbers of golden vectors for a rule, from which its place is computed.

    These are the vectors, also of other rules, that are shown under the rule, and its own that the runner answered.
    """
    rules = grouped(counts, lambda each: each.rule)
    return lambda rule: (total(rules[rule], "displayed"), answered_vectors(rules[rule]))
