"""Shows a divergence: the rule, the smallest case, both answers, and the bits of the place where they differ."""

import json
from itertools import groupby

from parity.judging.divergence import distance
from parity.judging.harm import HARMS, harm_word
from parity.judging.records import DifferenceRecord, DivergenceRecord, Report, RuleRecord, RuleVerdict
from parity.operations.evidence import read_evidence
from parity.operations.rules import FLAGS
from parity.operations.wire import WireError, float_from_hex
from parity.reference.releases import releases_in_words
from parity.reference.reproduction import reproduction
from parity.report.html.markup import block, code, escaped, facts, label, rule_name, sentence, table, verdict


def divergences(report: Report, name: str, level: int, prefix: str, rules_page: str) -> str:
    """Return all divergences of a report, under headings of a level.

    Args:
        report: the report.
        name: the runner's name.
        level: the level of the headings.
        prefix: the beginning of ids.
        rules_page: the file that rules link to; empty for none.
    """
    if not report.divergences:
        return "<p>None was found.</p>"
    rules = {rule.slug: rule for rule in report.rules}
    articles = []
    for number, record in enumerate(report.divergences, 1):
        rule, linked = rules.get(record.rule), rule_name(record.rule, rules_page)
        articles.append(_article(record, name, rule, linked, level, f"{prefix}divergence-{number}"))
    return "".join(articles)


def places(report: Report, prefix: str = "") -> dict[str, str]:
    """Return the id of each rule's first divergence, which is its worst, by the rule's slug."""
    found: dict[str, str] = {}
    for number, record in enumerate(report.divergences, 1):
        found.setdefault(record.rule, f"{prefix}divergence-{number}")
    return found


def releases(slug: str) -> list[tuple[str, str]]:
    """Return a row with the releases of Harbor in which a rule holds; none if Harbor does not decide it."""
    evidence = read_evidence().get(slug)
    return [("holds in", escaped(releases_in_words(evidence.releases)))] if evidence and evidence.releases else []


def _article(record: DivergenceRecord, name: str, rule: RuleRecord | None, linked: str, level: int, anchor: str) -> str:
    kind: RuleVerdict = "diverges" if record.declared is None else "declared"
    replay = code(record.replay) if record.replay_file else escaped(record.replay)
    rows = [
        *([("decided by", code(rule.source))] if rule else []),
        *releases(record.rule),
        *([("vector", code(record.vector))] if record.vector else []),
        ("found by", ", ".join(map(code, record.tests))),
        ("replay", replay),
    ]
    return (
        f'<article id="{anchor}" class="divergence {kind}" data-operation="{escaped(record.operation)}"'
        f' data-verdicts="{kind}">'
        f"<h{level}>{verdict(kind, harm_word(record.harm))} {linked}</h{level}>"
        f'<p class="sentence">{sentence(rule.sentence) if rule else ""}</p>'
        f'<p class="what"><code>{escaped(record.operation)}</code>: {code(record.summary, "span")}</p>'
        f'<p class="harm"><b>{harm_word(record.harm).capitalize()}:</b> {HARMS[record.harm]}</p>'
        f"{_declaration(record)}"
        f"{label('Case' if record.vector else 'Smallest case')}{_case(record)}"
        f"{label('Answers')}{_answers(record, name)}"
        f"{bits_table(record.difference, record.authority, name)}"
        f"{_warning(record)}"
        f"{_flags(record)}"
        f"{_without_the_kit(record)}"
        f"{facts(rows)}"
        "</article>"
    )


def _declaration(record: DivergenceRecord) -> str:
    if record.declared is None:
        return ""
    reason = code(record.declared.reason, "span")
    return f'<p class="declaration"><b>Declared as {escaped(record.declared.class_)}:</b> {reason}</p>'


def _case(record: DivergenceRecord) -> str:
    size = f"{record.case_bytes:,} bytes"
    if record.case is None:
        where = f"; it is in the replay file {code(record.replay_file)}" if record.replay_file else ""
        return f"{block(record.case_text, 'The case')}<p>The whole case takes {size} and is left out{where}.</p>"
    wire = json.dumps(record.case, ensure_ascii=True)
    return f"{block(record.case_text, 'The case')}{label(f'On the wire ({size})')}{block(wire, 'The case on the wire')}"


def _answers(record: DivergenceRecord, name: str) -> str:
    difference = record.difference
    rows = [("answer", record.reference, record.runner)]
    if difference.aspect not in ("fault", "crash"):
        expected, actual = difference.reference, difference.runner
        rows.append((f"at {difference.where}", expected.text, actual.text))
        rows.append(("type", expected.type or "", actual.type or ""))
    body = "".join(
        f'<tr><th scope="row">{code(what, "span")}</th><td>{code(expected)}</td><td>{code(actual)}</td></tr>'
        for what, expected, actual in rows
    )
    numbers = [float_from_hex(side.bits) for side in (difference.reference, difference.runner) if side.bits is not None]
    apart = distance(*numbers) if len(numbers) == 2 else ""
    head = ['<span class="unseen">part</span>', code(record.authority, "span"), code(name, "span")]
    return table("Both answers", head, [f"<tbody>{body}</tbody>"], "answers") + (label(apart) if apart else "")


def _without_the_kit(record: DivergenceRecord) -> str:
    """Return the lines for a shell that show Harbor's answer; empty if the case has none."""
    try:
        lines = reproduction(record.operation, record.case)
    except WireError:  # the report was edited
        return ""
    return f"{label('Without the kit: a shell and Harbor')}{block(lines, 'Lines for a shell')}" if lines else ""


def _warning(record: DivergenceRecord) -> str:
    return "" if record.repeatable else "<p><b>Warning:</b> asked the same again, the runner answered differently.</p>"


def _flags(record: DivergenceRecord) -> str:
    if not record.flags:
        return ""
    known = FLAGS.get(record.operation, {})
    items = "".join(f"<li>{code(flag)} {sentence(known.get(flag, ''))}</li>" for flag in record.flags)
    return f'{label("Why the case is hard")}<ul class="flags">{items}</ul>'


_FIELDS = (("sign", 0, 1), ("exponent", 1, 12), ("fraction", 12, 64))


def bits_table(difference: DifferenceRecord, authority: str, runner: str) -> str:
    """Return a table of the bits of both sides; empty if one of them is not a float."""
    expected, actual = difference.reference.bits, difference.runner.bits
    if expected is None or actual is None:
        return ""
    sides = ((authority, expected, actual), (runner, actual, expected))
    rows = "".join(
        f'<tr><th scope="row">{code(name, "span")}</th><td>{_marked(own, other)}</td>{_cells(own, other)}</tr>'
        for name, own, other in sides
    )
    head = ['<span class="unseen">side</span>', "hex", *(name for name, _, _ in _FIELDS)]
    return table("The bits of both numbers", head, [f"<tbody>{rows}</tbody>"], "bits")


def _cells(own: str, other: str) -> str:
    mine, theirs = (f"{int(digits, 16):064b}" for digits in (own, other))
    return "".join(f"<td>{_marked(mine[start:end], theirs[start:end])}</td>" for _, start, end in _FIELDS)


def _marked(own: str, other: str) -> str:
    """Return the digits; those that differ from the other side's are marked."""
    runs = groupby(zip(own, other, strict=True), key=lambda pair: pair[0] != pair[1])
    parts = ((differs, "".join(digit for digit, _ in pairs)) for differs, pairs in runs)
    return f"<code>{''.join(f'<mark>{text}</mark>' if differs else text for differs, text in parts)}</code>"
