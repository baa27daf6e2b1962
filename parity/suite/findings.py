"""Records the findings of the suite's tests: the simplest case of each rule, kind and harm, with a replay file."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from traceback import format_exception

from parity.operations.answers import Crash, Value
from parity.operations.compare import compare_answers
from parity.operations.finding import GoldenFinding, SuiteFinding
from parity.operations.rules import OPERATION_OF
from parity.runners.pipe import PipeRunner
from parity.suite.checker import Checker
from parity.suite.declared import StaleDeclaration
from parity.suite.declared.writing import case_row
from parity.suite.divergence import Divergence, DivergenceFound, safe_repr
from parity.suite.divergence_records import divergence_record, lines_of
from parity.suite.harm import Harm, harm_word, rank
from parity.suite.records import Lines
from parity.suite.replay import WrittenReplay, write_replay, write_repr
from parity.suite.shapes import WrongShape
from parity.suite.similar_vectors import similar_vector

_MOST_NAMES = 4
"""Maximum number of rules that are listed in the section of a failed test."""

_DIVERGES = "diverges: "
_GAP = "no golden vector shows this"


@dataclass(frozen=True)
class Recorder:
    """Records the divergences of one test."""

    checker: Checker
    replay_directory: Path
    replay_command: Callable[[Path], str]
    repeats: bool = True
    """Whether the runner is asked each reported case again, to see whether it gives the same answer."""

    def record(self, error: BaseException | None) -> str | None:
        """Record the test's findings, and return the failed test's section for the terminal; None without findings.

        Args:
            error: the error that the test raised: a finding, another error, or a group of both. The checker has kept
                the findings that it lacks: if the test was interrupted, or another plugin replaced its error.
        """
        leaves = list(leaves_of(error))
        leaves += [finding for finding in self.checker.findings if not _is_among(finding, leaves)]
        others = [leaf for leaf in leaves if isinstance(leaf, SuiteFinding) and not isinstance(leaf, DivergenceFound)]
        sections = [f"{_DIVERGES}{leaf.text}" if isinstance(leaf, WrongShape) else leaf.text for leaf in others]
        for leaf in others:
            if isinstance(leaf, StaleDeclaration):
                name = OPERATION_OF[leaf.rule].name
                self.checker.count("stale", name, source="case", rule=leaf.rule, reason=leaf.place)
        divergences = [leaf.divergence for leaf in leaves if isinstance(leaf, DivergenceFound)]
        if divergences:
            sections.append(_short_line(divergences))
        simplest: dict[object, Divergence] = {}
        for divergence in sorted(divergences, key=lambda each: each.simplicity):
            simplest.setdefault((divergence.classified, divergence.shown.slug), divergence)
        for divergence in simplest.values():
            self._record(divergence)
        if sections:  # the findings must not hide another error of the same test
            sections += ["".join(format_exception(leaf)) for leaf in leaves if not isinstance(leaf, SuiteFinding)]
        return "\n\n".join(sections) or None

    def _record(self, divergence: Divergence) -> None:
        if self.repeats and not isinstance(divergence.runner, Crash):
            divergence = replace(divergence, repeatable=self._repeats(divergence))
        is_case = self.checker.declarations.entries and not divergence.vector and divergence.wire_form is not None
        record = divergence_record(
            divergence,
            self._replay(divergence),
            test=self.checker.test,
            like=self._like(divergence),
            lines=self._lines(divergence),
            declare=case_row(divergence) if is_case else None,
        )
        self.checker.run.keep(record)

    def _like(self, divergence: Divergence) -> str | None:
        """Return the golden vector that shows a drawn case, or that is most like it; None for a golden vector.

        If the vectors were asked, and none shows it, a phrase says so: vectors or a condition of a rule are missing.
        """
        name = divergence.operation.name
        if divergence.vector:
            return None
        similar = divergence.like
        if similar is None and divergence.operation.general:
            similar = similar_vector(self.checker, divergence)
        elif similar is None:
            similar = self.checker.shown.get(name, {}).get(divergence.look)
        return similar or (_GAP if name in self.checker.shown else None)

    def _lines(self, divergence: Divergence) -> Lines | None:
        """Return the lines sent, expected and received, if the runner is a program."""
        if not isinstance(self.checker.runner, PipeRunner):
            return None
        operation = divergence.operation
        try:
            with operation.arguments(divergence.case) as arguments:
                return lines_of(divergence, operation.question(*arguments))
        except Exception:  # such as a case without a wire form
            return None

    def _replay(self, divergence: Divergence) -> WrittenReplay:
        """Write the replay file of the case, and return it with the command that runs the case again.

        A case without a wire form cannot be run again. Its repr is written in place of a replay file.
        """
        operation = divergence.operation
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

    def _repeats(self, divergence: Divergence) -> bool:
        """Return whether the runner gives the same answer again; True if that cannot be found out."""
        before, operation = divergence.runner, divergence.operation
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


def _short_line(divergences: list[Divergence]) -> str:
    harms: dict[str, Harm] = {}
    for divergence in sorted(divergences, key=lambda each: rank(each.harm)):
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
        isinstance(finding, DivergenceFound) and finding.is_shrunk and type(finding) in map(type, leaves)
    )
