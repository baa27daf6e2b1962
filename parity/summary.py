"""The terminal summary: per operation what was asked, what came of it, and which corners were reached."""

import pytest

from parity.flags import FLAGS
from parity.runners import claims
from parity.session import Session
from parity.tally import OperationTally


def write_summary(terminal: pytest.TerminalReporter, session: Session, *, complete: bool, verbose: bool) -> None:
    """Write the table of operations and the counts by flag; after a complete run also flags that no case carried."""
    runner = session.checker.runner
    terminal.section(f"parity: {runner.name} against harbor {session.identity.harbor}", sep="=")
    terminal.write_line(f"{'operation':<14}{'cases':>9}{'comparisons':>13}{'vectors':>9}  verdict")
    for name, counts in session.tally.operations.items():
        verdict = verdict_of(session, name, counts)
        bad = bool(counts.rules_broken or counts.failures)
        terminal.write_line(
            f"{name:<14}{counts.cases:>9,}{counts.comparisons:>13,}{counts.vectors:>9,}  {verdict}",
            red=bad,
            green=verdict == "agrees",
        )
    for name, counts in session.tally.operations.items():
        for reason, count in sorted(counts.unanswered.items()):
            terminal.write_line(f"{name}: {count:,} drawn cases were compared with nothing: {reason}", yellow=True)
        for told in sorted(counts.unjudged):
            terminal.write_line(f"declared, but compared with nothing: {told}", yellow=True)
    for counts in session.tally.operations.values():
        for slug in sorted(counts.rules_broken):
            terminal.write_line(f"broken: {slug}", red=True)
    for name, counts in session.tally.operations.items():
        if counts.flags:
            _write_flags(terminal, name, counts, verbose=verbose)
    for entry in session.unmatched() if complete else ():
        terminal.write_line(
            f"declared, but no case diverged: {entry.name}; remove the entry at {entry.at()}, or widen its flags",
            red=True,
        )
    if session.complaint:
        terminal.write_line(f"{runner.name}: {session.complaint}", yellow=True)
    for name, missing in session.unreached_flags().items() if complete else ():
        terminal.write_line(f"{name}: no case carried {', '.join(missing)}", red=True)


def verdict_of(session: Session, operation: str, counts: OperationTally) -> str:
    """What came of an operation, in a few words."""
    if not claims(session.checker.runner, operation):
        return "not claimed"
    if counts.rules_broken:
        return f"diverges: {len(counts.rules_broken)} rule(s) broken"
    if counts.failures:
        return f"undecided: {counts.failures} test(s) failed"
    if not counts.comparisons and not counts.vectors:
        return "not claimed" if counts.not_claimed else "not asked"
    agrees = f"diverges as declared in {counts.declared:,} cases, else agrees" if counts.declared else "agrees"
    if counts.spared:
        agrees += f"; {counts.spared:,} not asked, where it is declared to crash,"
    return f"{agrees} where claimed; {counts.not_claimed:,} not claimed" if counts.not_claimed else agrees


def _write_flags(terminal: pytest.TerminalReporter, operation: str, counts: OperationTally, *, verbose: bool) -> None:
    carried = {flag: counts.flags[flag] for flag in FLAGS[operation]}
    if verbose:
        terminal.write_line(f"{operation}: cases by flag")
        for flag, count in carried.items():
            terminal.write_line(f"  {flag:<24}{count:>9,}  {FLAGS[operation][flag]}")
        return
    reached = [flag for flag, count in carried.items() if count]
    rarest = min(reached, key=lambda flag: carried[flag], default=None)
    least = f"; the rarest is {rarest} with {carried[rarest]:,} cases" if rarest else ""
    terminal.write_line(f"{operation}: {len(reached)} of {len(carried)} flags reached{least} (-v shows all)")
