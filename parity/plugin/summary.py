"""The terminal summary: each broken rule once, and the counts and the verdict of each operation.

Answers that are malformed in the same way share one block, whatever their rules. The first ten rules get a block of at
most eight lines each. Every other rule gets one line. A rule whose divergence may be explained by one that is shown
before it is counted in the block of that one. A divergence may explain another one if both are of the same kind and it
does at least as much harm. In addition, its rule must also apply to the other case, or both must have the same actual
error in place of the same expected error.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from parity.operations.rules import RULES
from parity.plugin.options import relative, suite_command
from parity.plugin.recorded_answers import write_recorded_answers
from parity.plugin.session import Session
from parity.reference.releases import HARBOR_VERSION
from parity.runners import claims, pipe
from parity.suite.divergence import shortened
from parity.suite.findings import Entry, is_in_summary, merged, rule_of
from parity.suite.harm import Harm, counted, harm_word, harms_in_words, rank
from parity.suite.tally import OperationTally, Tally
from parity.suite.verdict import IDLE, NOT_BY_REFERENCE, WRONG_SHAPE, class_verdicts, conformance, operation_verdict

_DEFAULT_LINES = "fE"
"""Outcomes that pytest summarises by default: failures and errors."""


def write_summary(terminal: pytest.TerminalReporter, session: Session, *, complete: bool, verbose: bool) -> None:
    """Write each broken rule once, and the table of operations.

    After a complete run, also write the verdict on each class of conformance.
    """
    entries = merged(session.tally.reported, session.tally.vectors_shown)
    _write_divergences(terminal, session, entries, verbose=verbose)
    runner = session.checker.runner
    against = "the golden vectors of " if session.golden_only else ""
    terminal.section(f"parity: {runner.name} against {against}harbor {session.identity.harbor}", sep="=")
    hung = any(counts.hung for counts in session.tally.operations.values())
    left_out = f"{'left out':>10}" if hung else ""
    terminal.write_line(f"{'operation':<14}{'cases':>9}{'comparisons':>13}{'vectors':>9}{left_out}  verdict")
    idle: dict[str, list[str]] = {}
    verdicts = {name: verdict_of(session, name, counts) for name, counts in session.tally.operations.items()}
    for name, counts in session.tally.operations.items():
        verdict = verdicts[name]
        if verdict.startswith(IDLE) and not (counts.cases or counts.vectors):
            idle.setdefault(verdict, []).append(name)
            continue
        bad = bool(session.tally.broken(name) or counts.failures)
        left_out = f"{counts.after_hangs.total():>10,}" if hung else ""
        terminal.write_line(
            f"{name:<14}{counts.cases:>9,}{counts.comparisons:>13,}{counts.vectors:>9,}{left_out}  {verdict}",
            red=bad,
            green=verdict == "agrees",
        )
    for verdict, names in idle.items():
        terminal.write_line(f"{verdict}: {', '.join(names)}")
    if complete and not session.golden_only:
        terminal.write_line(conformance(class_verdicts(verdicts), session.identity.harbor))
    for name, counts in session.tally.operations.items():
        generated = "generated case" if session.checker.goldens_count else "case"  # otherwise vectors may be included
        for reason, count in sorted(counts.unanswered.items()):
            terminal.write_line(
                f"{name}: {counted(count, generated)} skipped: no reference for them here ({reason})", yellow=True
            )
        if verdicts[name] == "not claimed" and claims(runner, name):
            declined = counted(counts.not_claimed, "question")
            terminal.write_line(
                f"{name}: the runner says that it answers this, but declined all {declined}", yellow=True
            )
        if counts.hung:
            terminal.write_line(_hangs(name, counts), red=True)
        if needing_modes := counts.vectors_left_out:
            phrase = f"{counted(needing_modes, 'vector')} {'needs' if needing_modes == 1 else 'need'}"
            terminal.write_line(
                f"{name}: {phrase} file modes, which root ignores; run as an ordinary user", yellow=True
            )
        for displayed in sorted(counts.unjudged):
            terminal.write_line(f"declared, but compared with nothing: {displayed}", yellow=True)
    if session.golden_only:
        first = next((each.rule for each in _blocks(_split(entries)[1])), None)
        write_recorded_answers(terminal, session, first)
    elif not session.checker.goldens_count:
        asked = f"harbor {session.identity.harbor} was asked for each"
        terminal.write_line(f"vectors: {asked}; the recorded answers are of harbor {HARBOR_VERSION}")
    elif not session.checker.verifies_goldens and any(counts.vectors for counts in session.tally.operations.values()):
        again = suite_command(terminal.config, "-k", "golden", *session.options)
        terminal.write_line(f"vectors: compared with their recorded answers; {again} asks harbor for each again")
    if broken := session.tally.broken():
        terminal.write_line(_total(session.tally, broken, entries, verbose=verbose), red=True)
    if session.complaint:
        terminal.write_line(f"{runner.name}: {session.complaint}", yellow=True)


def _hangs(operation: str, counts: OperationTally) -> str:
    """Return a line about the vectors on which the runner hung, and those that were left out because of that."""
    hung, of_these = counts.hung.total(), sum(counts.after_hangs[rule] for rule in counts.hung)
    line = f"{operation}: it hung on {hung:,} vector{'' if hung == 1 else 's'} ({', '.join(counts.hung)})"
    left_out = [f"{of_these:,} more of {'this rule' if len(counts.hung) == 1 else 'these rules'}"] if of_these else []
    if others := counts.after_hangs.total() - of_these:
        left_out.append(f"{others:,} of other rules after hangs in {counted(len(counts.hung), 'rule')}")
    return f"{line}; not asked, because each hang costs the time limit: {' and '.join(left_out) or 'none'}"


def leave_out_reported(terminal: pytest.TerminalReporter) -> None:
    """Leave out pytest's line for each failed test if the summary shows them all, unless `-r` asks for the lines."""
    failed = terminal.stats.get("failed", [])
    asked = terminal.config.option.reportchars != _DEFAULT_LINES
    if not asked and all(is_in_summary(str(report.longrepr)) for report in failed):
        terminal.reportchars = terminal.reportchars.replace("f", "")


def _write_divergences(
    terminal: pytest.TerminalReporter, session: Session, entries: list[Entry], *, verbose: bool
) -> None:
    wrong = [[f"WRONG SHAPE: {sentence}"] for sentence in session.tally.shapes.values()]
    displayed = [*wrong, *blocks(entries, session.tally, verbose=verbose)]
    if displayed:
        terminal.ensure_newline()  # the line above may be the progress of the tests
        terminal.section("divergences", sep="=")
    for head, *lines in displayed:
        terminal.write_line(head, red=True)
        for line in lines:
            terminal.write_line(line)
        if verbose:
            terminal.write_line("")


def _total(tally: Tally, broken: dict[str, Harm], entries: list[Entry], *, verbose: bool) -> str:
    """Return a line with the number of broken rules by harm, and of the tests and golden vectors that found them."""
    tests = {test for entry in entries if not entry["record"]["declared"] for test in entry["record"]["tests"]}
    vectors = sum(rule.divergent for rule in tally.rules.values())
    where = [counted(len(tests), "test")] if tests else []
    where += [counted(vectors, "golden vector")] if vectors else []
    more = "" if verbose else " (-v shows bits and tests)"
    return f"{harms_in_words(broken.values())}; in {' and '.join(where)}{more}"


def verdict_of(session: Session, operation: str, counts: OperationTally) -> str:
    """Return the verdict on an operation, in a few words."""
    if not claims(session.checker.runner, operation):
        return "not claimed"
    if operation in session.lacking:
        return f"{NOT_BY_REFERENCE} ({session.lacking[operation]})"
    if operation in session.tally.shapes:
        return WRONG_SHAPE
    broken = session.tally.broken(operation).values()
    return operation_verdict(counts, broken, golden_only=session.golden_only, cut=session.cut)


_MOST_BLOCKS = 10
"""Maximum number of broken rules that get a block without -v."""

_MOST_ROWS = 7
"""Number of rows below a block's first line beyond which, without -v, no row is added."""

_LONGEST_LINE = 120
"""Maximum length of the line for a rule without a block, in characters."""

_LONGEST_NAME = 100

_MOST_NAMES = 3
"""Maximum number of rules that are named in the block of another one."""


def blocks(entries: list[Entry], tally: Tally, *, verbose: bool) -> Iterator[list[str]]:
    """Yield the lines of each block, the worst first. The last block has a line for each rule without a block.

    Args:
        entries: the findings, merged.
        tally: the counts, with the number of golden vectors that break each rule.
        verbose: whether bits, sources and other cases are reported, too.
    """
    malformed, answered = _split(entries)
    yield from map(_malformed_block, malformed)
    every = _blocks(answered)
    displayed = every[: None if verbose else _MOST_BLOCKS]
    traced: set[str] = set()
    for each in displayed:
        stands_for = _stands_for(each, tally)
        if verbose:
            more = [*stands_for, *_more(each.cases, tally.rules[each.rule].divergent)]
            yield [*_block(each, more), *_traceback(each.cases[0], traced)]
        else:
            more = [*stands_for, *_also(each.cases), *_raised(each.cases[0], traced)]
            yield _block(each, more[: max(0, _MOST_ROWS - len(each.cases[0]["rows"]))])
    others = [cases for each in every[len(displayed) :] for cases in (each.cases, *each.explained.values())]
    if verbose:
        others = [cases for each in every for cases in each.explained.values()]
    if others:
        lines = [_rule_line(entry) for cases in others for entry in (cases if verbose else cases[:1])]
        yield ["Other rules that are broken, perhaps by the same faults:", *(lines if verbose else map(_cut, lines))]


def _split(entries: list[Entry]) -> tuple[list[list[Entry]], list[Entry]]:
    """Return the divergences with malformed answers, grouped by mistake, and all other divergences."""
    malformed: dict[str, list[Entry]] = {}
    for entry in entries:
        if "mistake" in entry:
            malformed.setdefault(entry["mistake"][0], []).append(entry)
    return list(malformed.values()), [entry for entry in entries if "mistake" not in entry]


def _malformed_block(entries: list[Entry]) -> list[str]:
    """Return one block for all answers with the same mistake.

    It shows the plainest case, preferably one without an error.
    """

    def plainness(entry: Entry) -> tuple[bool, int]:
        record = entry["record"]
        return record["reference"].startswith("raises "), len(record["case_text"])

    first = min(entries, key=plainness)
    mistake, section = first["mistake"]
    operations = ", ".join(dict.fromkeys(entry["record"]["operation"] for entry in entries))
    rules = counted(len({entry["record"]["rule"] for entry in entries}), "rule")
    case, _, *rows = first["rows"]  # without the reference's answer, which is also the row `expected`
    protocol = relative(Path(pipe.__file__).with_name("PROTOCOL.md"))
    head = f"MALFORMED ANSWERS in {operations} ({rules}): {mistake}"
    return [head, *_table([case, *rows, ["to read", f"{protocol}#{section}"]])]


@dataclass
class _Block:
    """A rule that is shown in full."""

    rule: str
    cases: list[Entry]
    explained: dict[str, list[Entry]] = field(default_factory=dict)
    """The divergences of other rules that may be due to the same fault, by rule."""


def _blocks(entries: list[Entry]) -> list[_Block]:
    """Return the rules that are shown, in order, each with the rules that its divergence explains.

    Args:
        entries: divergences in the order of display. Those that are declared are left out.
    """
    rules: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry["record"]["declared"] is None:
            rules.setdefault(rule_of(entry), []).append(entry)
    shown: list[_Block] = []
    for rule, cases in rules.items():
        explaining = next((each for each in shown if _explains(each.cases[0], cases[0])), None)
        if explaining:
            explaining.explained[rule] = cases
        else:
            shown.append(_Block(rule, cases))
    return shown


def _stands_for(block: _Block, tally: Tally) -> list[list[str]]:
    """Return a row with the number of golden vectors that a block stands for; no row if it is its only one."""
    counts = {rule: tally.rules[rule].shown for rule in (block.rule, *block.explained)}
    if not block.explained and sum(counts.values()) <= 1:
        return []
    parts = [counted(count, "golden vector")] if (count := sum(counts.values())) else []
    if block.explained:
        names = sorted(block.explained, key=lambda rule: -counts[rule])
        more = [f"{len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES else []
        parts.append(f"perhaps {', '.join([*names[:_MOST_NAMES], *more])}")
    return [["stands for", "; ".join(parts)]]


def _explains(shown: Entry, other: Entry) -> bool:
    one, two = shown["record"], other["record"]
    same = one["operation"] == two["operation"] and one["kind"] == two["kind"]
    same_errors = one["difference"]["aspect"] == "fault" and one["summary"] == two["summary"]
    return same and rank(one["harm"]) <= rank(two["harm"]) and (same_errors or rule_of(shown) in other["about"])


def _block(block: _Block, more: list[list[str]]) -> list[str]:
    entry, rule = block.cases[0], RULES[block.rule]
    record = entry["record"]
    head = f"DIVERGENCE in {record['operation']} ({harm_word(record['harm'])}): {rule.slug}: {rule.sentence}"
    return [head, *_table([*entry["rows"], *more])]


def _table(rows: list[list[str]]) -> list[str]:
    width = max(len(label) for label, _ in rows)
    return [f"  {label:<{width}}  {text}" for label, text in rows]


def _also(cases: list[Entry]) -> list[list[str]]:
    """Return one row with all other cases that break the rule; no row if there are none."""
    _, *others = cases
    return [["also", "; ".join(map(_line, others))]] if others else []


def _more(cases: list[Entry], vectors: int) -> list[list[str]]:
    """Return the rows for -v: bits of the worst case, the other cases, and the tests and vectors that found them."""
    first, *others = cases
    tests = {test for entry in cases for test in entry["record"]["tests"]}
    counts = [counted(len(tests) - 1, "other test")] if len(tests) > 1 else []
    counts += [f"{vectors:,} golden vectors"] if vectors > 1 else []
    also_in = [["also in", " and ".join(counts)]] if counts else []
    return [*first["more"], *(["also", _line(entry)] for entry in others), *also_in]


def _rule_line(entry: Entry) -> str:
    record = entry["record"]
    return f"  {harm_word(record['harm'])}: {record['rule']}: {record['summary']}{_place(entry)}"


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 2]} …"


def _raised(entry: Entry, traced: set[str]) -> list[list[str]]:
    """Return a row with the runner's own error and its place. A place that was already shown is not repeated."""
    lines: list[str] = entry["traceback"]
    places = [number for number, line in enumerate(lines) if line.startswith('  File "')]
    if not places:
        return [["raised", lines[-1]]] if lines else []
    place, *below = (line.strip() for line in lines[places[-1] :])
    error = next((line for line in lines[places[-1] + 1 :] if not line.startswith(" ")), lines[-1])
    if place in traced:
        return [["raised", f"{error}, raised where an error above is"]]
    traced.add(place)
    return [["raised", f"{error} ({place}{f': {below[0]}' if below[0] != error else ''})"]]


def _traceback(entry: Entry, traced: set[str]) -> Iterator[str]:
    """Yield the traceback of the runner's own error, each place only once; messages may differ from case to case."""
    lines: list[str] = entry["traceback"]
    if not lines:
        return
    place = "\n".join(lines[:-1])
    if place in traced:
        lines = [f"{lines[-1]}, raised where an error above is"]
    traced.add(place)
    yield "  raised in the runner itself:"
    yield from (f"    {line}" for line in lines)


def _line(entry: Entry) -> str:
    record = entry["record"]
    return f"{harm_word(record['harm'])}: {record['summary']}{_place(entry)}"


def _place(entry: Entry) -> str:
    """Return the golden vector, or the replay file, in brackets; empty if the case is in neither."""
    record = entry["record"]
    file = f".parity/{record['replay_file']}" if record["replay_file"] else ""
    where = shortened(record["vector"] or file, _LONGEST_NAME)
    return f" ({where})" if where else ""
