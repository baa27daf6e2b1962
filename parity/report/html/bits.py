"""Shows two doubles bit by bit: sign, exponent and fraction, with the different bits marked."""

from itertools import groupby

from parity.judging.records import DifferenceRecord
from parity.report.html.markup import code, table

_FIELDS = (("sign", 0, 1), ("exponent", 1, 12), ("fraction", 12, 64))


def bits_table(difference: DifferenceRecord, authority: str, runner: str) -> str:
    """Return a table of the bits of both sides; empty if one of them is no float."""
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
    """Return the digits, with those marked that differ from the other side's."""
    runs = groupby(zip(own, other, strict=True), key=lambda pair: pair[0] != pair[1])
    parts = ((differs, "".join(digit for digit, _ in pairs)) for differs, pairs in runs)
    return f"<code>{''.join(f'<mark>{text}</mark>' if differs else text for differs, text in parts)}</code>"
