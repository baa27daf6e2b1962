"""Ends the summary of a run with `--reference golden`: the number of right answers, and what to read and run next."""

import pytest

from parity.operations import OPERATIONS
from parity.operations.goldens import golden_directory
from parity.plugin.options import CALL, relative, suite_command
from parity.plugin.session import Session
from parity.reference.releases import install_command
from parity.suite.harm import counted
from parity.suite.run import COMPARED, Counts, answered_vectors, broken_rules, grouped, total


def write_recorded_answers(terminal: pytest.TerminalReporter, session: Session, first_rule: str | None) -> None:
    """Write the number of recorded answers that the runner gives, what to read about the first rule, and what to run.

    Args:
        terminal: where to write.
        session: the session, with its counts.
        first_rule: the rule of the divergence that is shown first, if there is one.
    """
    operations = grouped(session.run.counts, lambda each: each.operation)
    answered = {name: operations[name] for name in OPERATIONS if answered_vectors(operations[name])}
    if not answered:
        return
    totals = {name: _number_of_vectors(counts) for name, counts in answered.items()}
    right = {name: total(counts, "agrees", source="vector") for name, counts in answered.items()}
    terminal.write_line(
        "right answers: " + ", ".join(f"{name} {right[name]:,} of {totals[name]:,}" for name in answered)
    )
    if first_rule:
        broken = counted(len(broken_rules(session.run.counts)), "rule")
        terminal.write_line(f"to read: {relative(golden_directory() / 'SPEC.md')}#{first_rule}; {broken} broken in all")
    number, asked_for = sum(right.values()), sum(totals.values())
    agrees = f"{number:,}" if number == asked_for else f"{number:,} of {asked_for:,}"
    call = terminal.config.stash.get(CALL, None)
    again = f" && {suite_command(terminal.config, *_without_reference(session.options))}"
    if call and call.runner is not None:
        again = f", and the same call without reference='golden': {call.again}"
    terminal.write_line(
        f"agrees with {agrees} recorded answers; the wheel and generated cases decide: {install_command()}{again}"
    )


def _number_of_vectors(counts: Counts) -> int:
    """Return the number of vectors of an operation, without those that cannot be asked here."""
    return total(counts, *COMPARED, "not-claimed", "no-answer", "left-out", source="vector")


def _without_reference(options: list[str]) -> list[str]:
    place = options.index("--reference")
    return options[:place] + options[place + 2 :]
