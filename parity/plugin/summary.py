"""The terminal summary: each broken rule once, and the counts and the verdict of each operation.

Answers that are malformed in the same way share one block, whatever their rules. The first ten rules get a block of at
most eight lines each. Every other rule gets one line. A rule whose divergence may be explained by one that is shown
before it is counted in the block of that one. A divergence may explain another one if both are of the same kind and it
does at least as much harm. In addition, its rule must also apply to the other case, or both must have the same actual
error in place of the same expected error.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from parity.operations import OPERATIONS
from parity.operations.rules import RULES
from parity.operations.wire import float_from_hex
from parity.plugin.options import CALL, relative, suite_command
from parity.plugin.recorded_answers import write_recorded_answers
from parity.plugin.session import Session
from parity.reference.releases import HARBOR_VERSION
from parity.runners import claims, pipe
from parity.suite.divergence import LONGEST_WHERE, WIDTH, shortened, shortened_apart
from parity.suite.findings import is_in_summary
from parity.suite.harm import counted, harm_word, harms_in_words, rank
from parity.suite.records import DivergenceRecord, Side
from parity.suite.run import (
    DIVERGED,
    Counts,
    Run,
    answered_vectors,
    broken_rules,
    comparisons,
    grouped,
    total,
    unanswered,
    wrong_shapes,
)
from parity.suite.verdict import IDLE, class_verdicts, conformance, operation_verdict

type Rows = list[tuple[str, str]]
"""Rows of a table, each a label and a string."""

_DEFAULT_LINES = "fE"
"""Outcomes that pytest summarises by default: failures and errors."""


def write_summary(terminal: pytest.TerminalReporter, session: Session, *, complete: bool, verbose: bool) -> None:
    """Write each broken rule once, and the table of operations.

    After a complete run, also write the verdict on each class of conformance.
    """
    runner, run = session.checker.runner, session.run
    name = str(runner.name)
    wrong = [[f"WRONG SHAPE: {sentence}"] for sentence in wrong_shapes(run.counts).values()]
    _write_divergences(terminal, [*wrong, *blocks(run, name, verbose=verbose)], verbose=verbose)
    against = "the golden vectors of " if session.golden_only else ""
    terminal.section(f"parity: {name} against {against}harbor {session.identity.harbor}", sep="=")
    by_operation = grouped(run.counts, lambda each: each.operation)
    operations = {each: by_operation[each] for each in OPERATIONS}
    hung = total(run.counts, "hung")
    left_out = f"{'left out':>10}" if hung else ""
    terminal.write_line(f"{'operation':<14}{'cases':>9}{'comparisons':>13}{'vectors':>9}{left_out}  verdict")
    idle: dict[str, list[str]] = {}
    verdicts = {each: _verdict(session, each, counts) for each, counts in operations.items()}
    for operation, counts in operations.items():
        verdict = verdicts[operation]
        cases, vectors = total(counts, "begun"), answered_vectors(counts)
        if verdict.startswith(IDLE) and not (cases or vectors):
            idle.setdefault(verdict, []).append(operation)
            continue
        left_out = f"{total(counts, 'left-out', source='vector'):>10,}" if hung else ""
        terminal.write_line(
            f"{operation:<14}{cases:>9,}{comparisons(counts):>13,}{vectors:>9,}{left_out}  {verdict}",
            red=bool(broken_rules(counts) or total(counts, "failed")),
            green=verdict == "agrees",
        )
    for verdict, names in idle.items():
        terminal.write_line(f"{verdict}: {', '.join(names)}")
    if complete and not session.golden_only:
        terminal.write_line(conformance(class_verdicts(verdicts), session.identity.harbor))
    for operation, counts in operations.items():
        declined = verdicts[operation] == "not claimed" and claims(runner, operation)
        _write_unanswered(terminal, session, operation, counts, declined=declined)
    if session.golden_only:
        first = next((each.rule for each in _blocks(_split(run.divergences)[1])), None)
        write_recorded_answers(terminal, session, first)
    elif not session.checker.goldens_count:
        asked = f"harbor {session.identity.harbor} was asked for each"
        terminal.write_line(f"vectors: {asked}; the recorded answers are of harbor {HARBOR_VERSION}")
    elif not session.checker.verifies_goldens and answered_vectors(run.counts):
        call = terminal.config.stash.get(CALL, None)
        again = suite_command(terminal.config, "-k", "golden", *session.options)
        more = "" if call and call.runner is not None else f"; {again} asks harbor for each again"
        terminal.write_line(f"vectors: compared with their recorded answers{more}")
    if total(run.counts, *DIVERGED):
        terminal.write_line(_total(run, verbose=verbose), red=True)
    if session.complaint:
        terminal.write_line(f"{name}: {session.complaint}", yellow=True)


def _write_unanswered(
    terminal: pytest.TerminalReporter, session: Session, operation: str, counts: Counts, *, declined: bool
) -> None:
    """Write a line for each reason why something was not asked or not answered."""
    generated = "generated case" if session.checker.goldens_count else "case"  # otherwise vectors may be included
    for reason, count in unanswered(counts).items():
        terminal.write_line(
            f"{operation}: {counted(count, generated)} skipped: no reference for them here ({reason})", yellow=True
        )
    if declined:
        questions = counted(total(counts, "not-claimed"), "question")
        terminal.write_line(
            f"{operation}: the runner says that it answers this, but declined all {questions}", yellow=True
        )
    if total(counts, "hung"):
        terminal.write_line(_hangs(operation, counts), red=True)
    if needing_modes := total(counts, "needs-modes"):
        phrase = f"{counted(needing_modes, 'vector')} {'needs' if needing_modes == 1 else 'need'}"
        terminal.write_line(
            f"{operation}: {phrase} file modes, which root ignores; run as an ordinary user", yellow=True
        )
    unjudged = {
        f"{each.rule} {each.reason}" for each in counts if (each.source, each.outcome) == ("case", "unanswered")
    }
    for displayed in sorted(unjudged):
        terminal.write_line(f"declared, but compared with nothing: {displayed}", yellow=True)


def _hangs(operation: str, counts: Counts) -> str:
    """Return a line about the vectors on which the runner hung, and those that were left out because of that."""
    hung, rules = total(counts, "hung"), [*dict.fromkeys(each.rule for each in counts if each.outcome == "hung")]
    left_out = grouped(counts, lambda each: each.rule)
    of_these = sum(total(left_out[rule], "left-out") for rule in rules)
    line = f"{operation}: it hung on {hung:,} vector{'' if hung == 1 else 's'} ({', '.join(rules)})"
    more = [f"{of_these:,} more of {'this rule' if len(rules) == 1 else 'these rules'}"] if of_these else []
    if others := total(counts, "left-out", source="vector") - of_these:
        more.append(f"{others:,} of other rules after hangs in {counted(len(rules), 'rule')}")
    return f"{line}; not asked, because each hang costs the time limit: {' and '.join(more) or 'none'}"


def leave_out_reported(terminal: pytest.TerminalReporter) -> None:
    """Leave out pytest's line for each failed test if the summary shows them all, unless `-r` asks for the lines."""
    failed = terminal.stats.get("failed", [])
    asks_for_lines = terminal.config.option.reportchars != _DEFAULT_LINES
    if not asks_for_lines and all(is_in_summary(str(report.longrepr)) for report in failed):
        terminal.reportchars = terminal.reportchars.replace("f", "")


def _write_divergences(terminal: pytest.TerminalReporter, displayed: list[list[str]], *, verbose: bool) -> None:
    if displayed:
        terminal.ensure_newline()  # the line above may be the progress of the tests
        terminal.section("divergences", sep="=")
    for head, *lines in displayed:
        terminal.write_line(head, red=True)
        for line in lines:
            terminal.write_line(line)
        if verbose:
            terminal.write_line("")


def _total(run: Run, *, verbose: bool) -> str:
    """Return a line with the number of broken rules by harm, and of the tests and golden vectors that found them."""
    tests = {test for record in run.worst.values() if not record.declared for test in record.tests}
    vectors = total(run.counts, *DIVERGED, source="vector")
    where = [counted(len(tests), "test")] if tests else []
    where += [counted(vectors, "golden vector")] if vectors else []
    more = "" if verbose else " (-v shows bits and tests)"
    return f"{harms_in_words(broken_rules(run.counts).values())}; in {' and '.join(where)}{more}"


def _verdict(session: Session, operation: str, counts: Counts) -> str:
    return operation_verdict(
        counts,
        claimed=claims(session.checker.runner, operation),
        lacking=session.lacking.get(operation),
        golden_only=session.golden_only,
        cut=session.cut,
    )


_MOST_BLOCKS = 10
"""Maximum number of broken rules that get a block without -v."""

_MOST_ROWS = 7
"""Number of rows below a block's first line beyond which, without -v, no row is added."""

_LONGEST_LINE = 120
"""Length in characters beyond which the line for a rule without a block has no summary."""

_MOST_NAMES = 3
"""Maximum number of rules that are named in the block of another one."""


def blocks(run: Run, runner: str, *, verbose: bool) -> Iterator[list[str]]:
    """Yield the lines of each block, the worst first. The last block has a line for each rule without a block.

    Args:
        run: what was found.
        runner: the runner's name.
        verbose: whether bits, sources and other cases are reported, too.
    """
    malformed, answered = _split(run.divergences)
    yield from (_malformed_block(records, runner) for records in malformed)
    every = _blocks(answered)
    rules = grouped(run.counts, lambda each: each.rule)
    displayed = every[: None if verbose else _MOST_BLOCKS]
    traced: set[str] = set()
    for each in displayed:
        first, shown = each.cases[0], {rule: total(rules[rule], "displayed") for rule in (each.rule, *each.explained)}
        stands_for = _stands_for(each, shown)
        if verbose:
            more = [*stands_for, *_more(each.cases, total(rules[each.rule], *DIVERGED, source="vector"))]
            yield [*_block(each, runner, more), *_traceback(first, traced)]
        else:
            more = [*stands_for, *_also(each.cases), *_raised(first, traced)]
            yield _block(each, runner, more[: max(0, _MOST_ROWS - len(_rows(first, runner)))])
    others = [cases for each in every[len(displayed) :] for cases in (each.cases, *each.explained.values())]
    if verbose:
        others = [cases for each in every for cases in each.explained.values()]
    if others:
        lines = [_rule_line(record) for cases in others for record in (cases if verbose else cases[:1])]
        yield ["Other rules that are broken, perhaps by the same faults:", *lines]


def _rows(record: DivergenceRecord, runner: str) -> Rows:
    """Return the rows that report a divergence, without its rule, which is printed above them."""
    case = shortened(record.case_text)
    answers = shortened_apart(record.reference, record.runner)
    is_seen = max(len(record.reference), len(record.runner)) <= WIDTH and record.reference != record.runner
    lines = record.lines
    expected, received = shortened_apart(lines.expected, lines.received) if lines else ("", "")
    return [
        ("vector", f"{record.vector}: {case}") if record.vector else ("smallest case", case),
        *zip((record.authority, runner), answers, strict=True),
        *([] if is_seen else _differing(record)),
        *([("sent", shortened(lines.sent)), ("expected", expected), ("received", received)] if lines else []),
        *([("like vector", record.like)] if record.like else []),
        *([] if record.repeatable else [("warning", "asked the same again, the runner answered differently")]),
        ("replay", record.replay),
        *([("declare", record.declare)] if record.declare else []),
    ]


def _differing(record: DivergenceRecord) -> Rows:
    """Return a row with the first place where the answers differ, and both values; no row if they differ as a whole."""
    difference = record.difference
    if not difference.where.startswith("["):
        return []
    expected, actual = shortened_apart(difference.reference.text, difference.runner.text)
    sides = f"{expected}{_kind(difference.reference)}, not {actual}{_kind(difference.runner)}"
    return [("differs at", f"{shortened(difference.where, LONGEST_WHERE)}: {sides}")]


def _kind(side: Side) -> str:
    """Return the type of a value and, for a float, its bits."""
    if side.bits:
        return f" (float, {side.bits}, {float_from_hex(side.bits).hex()})"
    return f" ({side.type})"


def _split(records: Sequence[DivergenceRecord]) -> tuple[list[list[DivergenceRecord]], list[DivergenceRecord]]:
    """Return the divergences with malformed answers, grouped by mistake, and all other divergences."""
    malformed: dict[str, list[DivergenceRecord]] = {}
    for record in records:
        if record.malformed:
            malformed.setdefault(record.malformed.mistake, []).append(record)
    return list(malformed.values()), [record for record in records if not record.malformed]


def _malformed_block(records: list[DivergenceRecord], runner: str) -> list[str]:
    """Return one block for all answers with the same mistake.

    It shows the plainest case, preferably one without an error.
    """
    first = min(records, key=lambda each: (each.reference.startswith("raises "), len(each.case_text)))
    assert first.malformed
    operations = ", ".join(dict.fromkeys(record.operation for record in records))
    rules = counted(len({record.rule for record in records}), "rule")
    case, _, *rows = _rows(first, runner)  # without the reference's answer, which is also the row `expected`
    protocol = relative(Path(pipe.__file__).with_name("PROTOCOL.md"))
    head = f"MALFORMED ANSWERS in {operations} ({rules}): {first.malformed.mistake}"
    return [head, *_table([case, *rows, ("to read", f"{protocol}#{first.malformed.section}")])]


@dataclass
class _Block:
    """A rule that is shown in full."""

    rule: str
    cases: list[DivergenceRecord]
    explained: dict[str, list[DivergenceRecord]] = field(default_factory=dict)
    """The divergences of other rules that may be due to the same fault, by rule."""


def _blocks(records: Sequence[DivergenceRecord]) -> list[_Block]:
    """Return the rules that are shown, in order, each with the rules that its divergence explains.

    Args:
        records: divergences in the order of display. Those that are declared are left out.
    """
    rules: dict[str, list[DivergenceRecord]] = {}
    for record in records:
        if record.declared is None:
            rules.setdefault(record.shown, []).append(record)
    shown: list[_Block] = []
    for rule, cases in rules.items():
        explaining = next((each for each in shown if _explains(each.cases[0], cases[0])), None)
        if explaining:
            explaining.explained[rule] = cases
        else:
            shown.append(_Block(rule, cases))
    return shown


def _stands_for(block: _Block, counts: Mapping[str, int]) -> Rows:
    """Return a row with the number of golden vectors that a block stands for; no row if it is its only one.

    Args:
        block: the block.
        counts: the number of vectors that are shown under each of its rules.
    """
    if not block.explained and sum(counts.values()) <= 1:
        return []
    parts = [counted(count, "golden vector")] if (count := sum(counts.values())) else []
    if block.explained:
        names = sorted(block.explained, key=lambda rule: -counts[rule])
        more = [f"{len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES else []
        parts.append(f"perhaps {', '.join([*names[:_MOST_NAMES], *more])}")
    return [("stands for", "; ".join(parts))]


def _explains(shown: DivergenceRecord, other: DivergenceRecord) -> bool:
    same = shown.operation == other.operation and shown.kind == other.kind
    same_errors = shown.difference.aspect == "fault" and shown.summary == other.summary
    return same and rank(shown.harm) <= rank(other.harm) and (same_errors or shown.shown in other.applies)


def _block(block: _Block, runner: str, more: Rows) -> list[str]:
    first, rule = block.cases[0], RULES[block.rule]
    head = f"DIVERGENCE in {first.operation} ({harm_word(first.harm)}): {rule.slug}: {rule.sentence}"
    return [head, *_table([*_rows(first, runner), *more])]


def _table(rows: Rows) -> list[str]:
    width = max(len(label) for label, _ in rows)
    return [f"  {label:<{width}}  {text}" for label, text in rows]


def _also(cases: list[DivergenceRecord]) -> Rows:
    """Return one row with all other cases that break the rule; no row if there are none."""
    _, *others = cases
    return [("also", "; ".join(map(_line, others)))] if others else []


def _more(cases: list[DivergenceRecord], vectors: int) -> Rows:
    """Return the rows for -v: bits of the worst case, the other cases, and the tests and vectors that found them."""
    first, *others = cases
    tests = {test for record in cases for test in record.tests}
    counts = [counted(len(tests) - 1, "other test")] if len(tests) > 1 else []
    counts += [f"{vectors:,} golden vectors"] if vectors > 1 else []
    is_seen = any(label == "differs at" for label, _ in _rows(first, ""))
    return [
        ("difference", first.summary),
        *([] if is_seen else _differing(first)),
        ("decided by", RULES[first.rule].source),
        *(("also", _line(record)) for record in others),
        *([("also in", " and ".join(counts))] if counts else []),
    ]


def _rule_line(record: DivergenceRecord) -> str:
    """Return the line for a rule without a block; if it would be too long, it has no summary, but the whole place."""
    name, place = record.rule, _place(record)
    if record.vector and record.vector.startswith(f"{name}/"):
        name, place = record.vector, ""
    line = f"  {harm_word(record.harm)}: {name}: {record.summary}{place}"
    return line if len(line) <= _LONGEST_LINE else f"  {harm_word(record.harm)}: {name}{place}"


def _raised(record: DivergenceRecord, traced: set[str]) -> Rows:
    """Return a row with the runner's own error and its place. A place that was already shown is not repeated."""
    lines = record.raised
    places = [number for number, line in enumerate(lines) if line.startswith('  File "')]
    if not places:
        return [("raised", lines[-1])] if lines else []
    place, *below = (line.strip() for line in lines[places[-1] :])
    error = next((line for line in lines[places[-1] + 1 :] if not line.startswith(" ")), lines[-1])
    if place in traced:
        return [("raised", f"{error}, raised where an error above is")]
    traced.add(place)
    return [("raised", f"{error} ({place}{f': {below[0]}' if below[0] != error else ''})")]


def _traceback(record: DivergenceRecord, traced: set[str]) -> Iterator[str]:
    """Yield the traceback of the runner's own error, each place only once; messages may differ from case to case."""
    lines = record.raised
    if not lines:
        return
    place = "\n".join(lines[:-1])
    if place in traced:
        lines = (f"{lines[-1]}, raised where an error above is",)
    traced.add(place)
    yield "  raised in the runner itself:"
    yield from (f"    {line}" for line in lines)


def _line(record: DivergenceRecord) -> str:
    return f"{harm_word(record.harm)}: {record.summary}{_place(record)}"


def _place(record: DivergenceRecord) -> str:
    """Return the golden vector, or the replay file, in brackets; empty if the case is in neither."""
    file = f".parity/{record.replay_file}" if record.replay_file else ""
    where = record.vector or file
    return f" ({where})" if where else ""
