"""How much of the wheel the cases reached."""

from parity.report.html.markup import code, table
from parity.report.record import ModuleCoverage


def coverage(modules: tuple[ModuleCoverage, ...] | None, level: int) -> str:
    """A table of modules under a heading of this level; nothing where it was not measured."""
    if not modules:
        return ""
    body = "".join(
        f'<tr><th scope="row">{code(each.module)}</th><td class="number">{each.reached:,} of {each.lines:,}</td>'
        f"<td>{_unreached(each)}</td></tr>"
        for each in modules
    )
    head = ("module", "lines reached", "lines that no case reaches")
    inner = table("Coverage of the wheel", head, [f"<tbody>{body}</tbody>"], "coverage")
    return f"<section><h{level}>Coverage of the wheel</h{level}>{inner}</section>"


def _unreached(module: ModuleCoverage) -> str:
    items = "".join(f"<li>{code(each.lines)} {code(each.reason, 'span')}</li>" for each in module.unreached)
    return f"<ul>{items}</ul>" if items else "none"
