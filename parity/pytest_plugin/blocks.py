"""What the terminal says of divergences: each rule once, in a block or, where a plainer one may explain it, in a line.

A case explains another if it differs in the same kind of way, does at least as much harm, and either has flags that the
other has, too, and no more, or has the same error in the place of the same: then the fault behind it may be all that is
wrong in the other.
"""

from collections.abc import Iterator

from parity.judging.divergence import shortened
from parity.judging.findings import Entry
from parity.judging.harm import Harm, harm_word, rank
from parity.judging.tally import Tally
from parity.operations.rules import RULES

_LONGEST_NAME = 100


def blocks(entries: list[Entry], tally: Tally, *, verbose: bool) -> Iterator[list[str]]:
    """The lines of each block, the worst first, and of one with all that may be explained by the others.

    Args:
        entries: what was found, merged.
        tally: how many golden vectors break each rule.
        verbose: whether also flags, bits, sources and other cases are reported.
    """
    rules: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry["record"]["declared"] is None:
            rules.setdefault(entry["record"]["rule"], []).append(entry)
    plain: list[Entry] = []
    for first, *_ in sorted(rules.values(), key=lambda found: len(found[0]["record"]["flags"])):
        if not any(_explains(each, first) for each in plain):
            plain.append(first)
    traced: set[str] = set()
    for slug, found in rules.items():
        if found[0] in plain:
            more = _more(found, tally.rules[slug].divergent) if verbose else _also(found)
            yield [*_block(found[0], more), *_traceback(found[0], traced)]
    harder = [entry for found in rules.values() if found[0] not in plain for entry in found]
    if harder:
        yield ["Other rules that are broken, perhaps by the same faults:", *_listed(harder)]


def _explains(plain: Entry, other: Entry) -> bool:
    one, two = plain["record"], other["record"]
    same = one["operation"] == two["operation"] and one["kind"] == two["kind"]
    same_errors = one["difference"]["aspect"] == "fault" and one["summary"] == two["summary"]
    return same and rank(one["harm"]) <= rank(two["harm"]) and (same_errors or set(one["flags"]) <= set(two["flags"]))


def _block(entry: Entry, more: list[list[str]]) -> list[str]:
    """The worst of what breaks a rule."""
    rows = [*entry["rows"], *more]
    width = max(len(label) for label, _ in rows)
    record = entry["record"]
    rule = RULES[record["rule"]]
    head = f"DIVERGENCE in {record['operation']} ({harm_word(record['harm'])}): {rule.slug}: {rule.sentence}"
    return [head, *(f"  {label:<{width}}  {text}" for label, text in rows)]


def _also(found: list[Entry]) -> list[list[str]]:
    """What else breaks the rule, in one line."""
    _, *others = found
    return [["also", "; ".join(map(_line, others))]] if others else []


def _more(found: list[Entry], vectors: int) -> list[list[str]]:
    """What a run with -v says: of the worst its flags and bits, of the rest a line each, and where they were found."""
    first, *others = found
    tests = {test for entry in found for test in entry["record"]["tests"]}
    counts = [f"{len(tests) - 1} other test{'s' if len(tests) > 2 else ''}"] if len(tests) > 1 else []
    counts += [f"{vectors:,} golden vectors"] if vectors > 1 else []
    also_in = [["also in", " and ".join(counts)]] if counts else []
    return [*first["more"], *(["also", _line(entry)] for entry in others), *also_in]


def _listed(entries: list[Entry]) -> Iterator[str]:
    """A line for each harm and difference, with the rules that they are found under."""
    alike: dict[tuple[Harm, str], list[str]] = {}
    for entry in entries:
        record = entry["record"]
        alike.setdefault((record["harm"], record["summary"]), []).append(f"{record['rule']} ({_where(entry)})")
    for (harm, summary), rules in alike.items():
        yield f"  {harm_word(harm)}: {summary}: {', '.join(rules)}"


def _traceback(entry: Entry, traced: set[str]) -> Iterator[str]:
    """The traceback of the runner's own error, each place once; its message may differ from case to case."""
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
    return f"{harm_word(record['harm'])}: {record['summary']} ({_where(entry)})"


def _where(entry: Entry) -> str:
    """The golden vector, or the replay file."""
    record = entry["record"]
    return shortened(record["vector"] or "", _LONGEST_NAME) or (
        f".parity/{record['replay_file']}" if record["replay_file"] else record["replay"]
    )
