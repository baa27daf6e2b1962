"""Shows how much of the wheel the cases reached."""

from parity.judging.records import ModuleCoverage
from parity.report.html.markup import code, table


def coverage(modules: tuple[ModuleCoverage, ...] | None, level: int) -> str:
    """Return a table of modules under a heading of a level; empty if coverage was not measured."""
    if not modules:
        return ""
    body = "".join(
        f'<tr><th scope="row">{code(each.module)}<span class="sentence">{code(each.decides, "span")}</span></th>'
        f'<td class="number">{each.reached:,} of {each.lines:,}</td>'
        f'<td class="number">{each.branches_reached:,} of {each.branches:,}</td>'
        f"<td>{_unreached(each)}</td></tr>"
        for each in modules
    )
    head = ("module", "lines reached", "branches reached", "what no case reaches")
    inner = table("Coverage of the wheel", head, [f"<tbody>{body}</tbody>"], "coverage")
    return f"<section><h{level}>Coverage of the wheel</h{level}><p>{_total(modules)}</p>{inner}</section>"


def _total(modules: tuple[ModuleCoverage, ...]) -> str:
    lines, branches = (sum(getattr(each, name) for each in modules) for name in ("lines", "branches"))
    reached, taken = (sum(getattr(each, name) for each in modules) for name in ("reached", "branches_reached"))
    return (
        f"The cases reached {reached:,} of {lines:,} lines and {taken:,} of {branches:,} branches "
        "of the modules that decide scores."
    )


def _unreached(module: ModuleCoverage) -> str:
    items = "".join(f"<li>{code(each.lines)} {code(each.reason, 'span')}</li>" for each in module.unreached)
    return f"<ul>{items}</ul>" if items else "none"
