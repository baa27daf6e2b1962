"""The terminal summary: per operation what was asked, what came of it, and which corners were reached."""

from collections.abc import Iterator, Mapping

import pytest

from parity.judging.declared.writing import flags_line
from parity.judging.findings import Entry, is_in_summary, merged
from parity.judging.harm import Harm, harms_in_words
from parity.judging.tally import OperationTally, Tally
from parity.judging.verdict import NOT_BY_REFERENCE, class_verdicts, conformance, operation_verdict
from parity.operations.rules import FLAGS
from parity.pytest_plugin.blocks import blocks
from parity.pytest_plugin.options import suite_command
from parity.pytest_plugin.session import Session
from parity.reference.releases import HARBOR_VERSION
from parity.runners import claims

_DEFAULT_LINES = "fE"
"""Outcomes that pytest summarises by default: failures and errors."""

_IDLE = ("not asked", "not claimed")
"""Verdicts on operations that were not asked anything."""


def write_summary(terminal: pytest.TerminalReporter, session: Session, *, complete: bool, verbose: bool) -> None:
    """Write each broken rule once, the table of operations, and the counts by flag where nothing is broken.

    After a complete run also flags that no generated case carried.
    """
    entries = merged(session.tally.reported)
    _write_divergences(terminal, session, entries, verbose=verbose)
    runner = session.checker.runner
    against = "the golden vectors of " if session.golden_only else ""
    terminal.section(f"parity: {runner.name} against {against}harbor {session.identity.harbor}", sep="=")
    terminal.write_line(f"{'operation':<14}{'cases':>9}{'comparisons':>13}{'vectors':>9}  verdict")
    idle: dict[str, list[str]] = {}
    verdicts = {name: verdict_of(session, name, counts) for name, counts in session.tally.operations.items()}
    for name, counts in session.tally.operations.items():
        verdict = verdicts[name]
        if verdict.startswith(_IDLE) and not (counts.cases or counts.vectors):
            idle.setdefault(verdict, []).append(name)
            continue
        bad = bool(session.tally.broken(name) or counts.failures)
        terminal.write_line(
            f"{name:<14}{counts.cases:>9,}{counts.comparisons:>13,}{counts.vectors:>9,}  {verdict}",
            red=bad,
            green=verdict == "agrees",
        )
    for verdict, names in idle.items():
        terminal.write_line(f"{verdict}: {', '.join(names)}")
    if complete:
        terminal.write_line(conformance(class_verdicts(verdicts), session.identity.harbor))
    for name, counts in session.tally.operations.items():
        generated = "generated cases" if session.checker.goldens_count else "cases"  # else vectors may be among them
        for reason, count in sorted(counts.unanswered.items()):
            terminal.write_line(
                f"{name}: {count:,} {generated} skipped: no reference for them here ({reason})", yellow=True
            )
        for shown in sorted(counts.unjudged):
            terminal.write_line(f"declared, but compared with nothing: {shown}", yellow=True)
    if session.golden_only:
        terminal.write_line("no generated cases: harbor is not asked (--reference golden), so other faults may remain")
    elif not session.checker.goldens_count:
        asked = f"harbor {session.identity.harbor} was asked for each"
        terminal.write_line(f"vectors: {asked}; what is recorded is of harbor {HARBOR_VERSION}")
    elif not session.checker.verifies_goldens and any(counts.vectors for counts in session.tally.operations.values()):
        again = suite_command(terminal.config, "-k", "golden", *session.options)
        terminal.write_line(f"vectors: compared with their recorded answers; {again} asks harbor for each again")
    if broken := session.tally.broken():
        terminal.write_line(_total(session.tally, broken, entries, verbose=verbose), red=True)
    for name, counts in session.tally.operations.items():
        if counts.flags and (verbose or not session.tally.broken(name)):
            _write_flags(terminal, name, counts, verbose=verbose)
    for entry, count in session.wide():
        terminal.write_line(
            f"warning: {entry.name} holds {count:,} of {session.tally.operations[entry.operation].cases:,} generated "
            f"cases, where a new fault would pass with it; narrow its flags at {entry.at('flags')}",
            yellow=True,
        )
    for entry in session.unmatched() if complete else ():
        terminal.write_line(
            f"declared, but no case diverged so: {entry.name}; remove the entry at {entry.at()}, "
            f"or widen {entry.at('flags')}: {flags_line(entry.flags)}",
            red=True,
        )
    if session.complaint:
        terminal.write_line(f"{runner.name}: {session.complaint}", yellow=True)
    for line in unreached_lines(session.unreached_flags()) if complete else ():
        terminal.write_line(line, yellow=True)


def leave_out_reported(terminal: pytest.TerminalReporter) -> None:
    """Leave out pytest's line for each failed test where the summary has them all, unless `-r` asks for it."""
    failed = terminal.stats.get("failed", [])
    asked = terminal.config.option.reportchars != _DEFAULT_LINES
    if not asked and all(is_in_summary(str(report.longrepr)) for report in failed):
        terminal.reportchars = terminal.reportchars.replace("f", "")


def unreached_lines(unreached: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """A line for each operation with flags that no generated case carried.

    Args:
        unreached: by operation and flag, the number of golden vectors that carry it.
    """
    for name, missing in unreached.items():
        flags = (f"{flag} ({_carrying(count)})" for flag, count in missing.items())
        yield f"not reached by generated cases: {name}: {', '.join(flags)}"


def _carrying(vectors: int) -> str:
    match vectors:
        case 0:
            return "no vector carries it"
        case 1:
            return "1 vector carries it"
    return f"{vectors:,} vectors carry it"


def _write_divergences(
    terminal: pytest.TerminalReporter, session: Session, entries: list[Entry], *, verbose: bool
) -> None:
    shown = list(blocks(entries, session.tally, verbose=verbose))
    if shown:
        terminal.ensure_newline()  # the tests' progress stands above, where no section of a failed test does
        terminal.section("divergences", sep="=")
    for head, *lines in shown:
        terminal.write_line(head, red=True)
        for line in lines:
            terminal.write_line(line)
        if verbose:
            terminal.write_line("")


def _total(tally: Tally, broken: dict[str, Harm], entries: list[Entry], *, verbose: bool) -> str:
    """How many rules do which harm, and how much of the suite found that."""
    tests = {test for entry in entries if not entry["record"]["declared"] for test in entry["record"]["tests"]}
    vectors = sum(rule.divergent for rule in tally.rules.values())
    where = [f"{len(tests)} test{'' if len(tests) == 1 else 's'}"] if tests else []
    where += [f"{vectors:,} golden vector{'' if vectors == 1 else 's'}"] if vectors else []
    more = "" if verbose else " (-v shows flags, bits and tests)"
    return f"{harms_in_words(broken.values())}; in {' and '.join(where)}{more}"


def verdict_of(session: Session, operation: str, counts: OperationTally) -> str:
    """What came of an operation, in a few words."""
    if not claims(session.checker.runner, operation):
        return "not claimed"
    if operation in session.lacking:
        return f"{NOT_BY_REFERENCE} ({session.lacking[operation]})"
    broken = session.tally.broken(operation).values()
    return operation_verdict(counts, broken, golden_only=session.golden_only, cut=session.cut)


def _write_flags(terminal: pytest.TerminalReporter, operation: str, counts: OperationTally, *, verbose: bool) -> None:
    carried = {flag: counts.flags[flag] for flag in FLAGS[operation]}
    if verbose:
        terminal.write_line(f"{operation}: cases by flag")
        for flag, count in carried.items():
            terminal.write_line(f"  {flag:<24}{count:>9,}  {FLAGS[operation][flag]}")
        return
    reached = [flag for flag, count in carried.items() if count or counts.vector_flags[flag]]
    rarest = min(filter(carried.get, reached), key=lambda flag: carried[flag], default=None)
    least = f"; the rarest is {rarest} with {carried[rarest]:,} cases" if rarest else ""
    terminal.write_line(f"{operation}: {len(reached)} of {len(carried)} flags reached{least} (-v shows all)")
