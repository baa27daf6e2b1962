"""Ends the summary of a run with `--reference golden`: the number of right answers, and what to read and run next."""

import pytest

from parity.operations.goldens import golden_directory
from parity.operations.rules import OPERATION_OF
from parity.plugin.options import relative, suite_command
from parity.plugin.session import Session
from parity.reference.releases import install_command
from parity.suite.harm import counted
from parity.suite.tally import OperationTally, Tally


def write_recorded_answers(terminal: pytest.TerminalReporter, session: Session, first_rule: str | None) -> None:
    """Write the number of recorded answers that the runner gives, what to read about the first rule, and what to run.

    Args:
        terminal: where to write.
        session: the session, with its counts.
        first_rule: the rule of the divergence that is shown first, if there is one.
    """
    asked = {name: counts for name, counts in session.tally.operations.items() if counts.vectors}
    if not asked:
        return
    totals = {name: _number_of_vectors(counts) for name, counts in asked.items()}
    right = {name: _number_of_right(session.tally, name) for name in asked}
    terminal.write_line("right answers: " + ", ".join(f"{name} {right[name]:,} of {totals[name]:,}" for name in asked))
    if first_rule:
        broken = counted(len(session.tally.broken()), "rule")
        terminal.write_line(f"to read: {relative(golden_directory() / 'SPEC.md')}#{first_rule}; {broken} broken in all")
    number, total = sum(right.values()), sum(totals.values())
    agrees = f"{number:,}" if number == total else f"{number:,} of {total:,}"
    again = suite_command(terminal.config, *_without_reference(session.options))
    terminal.write_line(
        f"agrees with {agrees} recorded answers; the wheel and generated cases decide: {install_command()} && {again}"
    )


def _number_of_vectors(counts: OperationTally) -> int:
    """Return the number of vectors of an operation, without those that cannot be asked here."""
    return counts.vectors + counts.not_claimed + counts.skipped + counts.after_hangs.total()


def _number_of_right(tally: Tally, operation: str) -> int:
    rules = [counts for slug, counts in tally.rules.items() if OPERATION_OF[slug].name == operation]
    return sum(counts.asked - counts.divergent - counts.declared for counts in rules)


def _without_reference(options: list[str]) -> list[str]:
    place = options.index("--reference")
    return options[:place] + options[place + 2 :]
