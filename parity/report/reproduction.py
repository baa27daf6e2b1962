"""Writes a script that shows divergences with nothing but a shell and Harbor: a block for each."""

from parity.judging.harm import harm_word
from parity.judging.records import DivergenceRecord, Report
from parity.operations.rules import RULES
from parity.reference.reproduction import reproduction
from parity.scorer.printable import printable


def script(report: Report) -> str:
    """Return a script for a shell, with a block for each divergence that a few lines show."""
    lines = [(each, reproduction(each.operation, each.case)) for each in report.divergences]
    left_out = sorted({each.operation for each, shown in lines if not shown})
    who, wheel = printable(report.runner.name), report.reference
    head = f"""\
#!/bin/sh
# Where {who} scores otherwise than harbor {wheel.harbor}. Each block can be used alone, and needs only Harbor:
#   python3 -m venv .venv && . .venv/bin/activate && pip install harbor=={wheel.harbor}
# The answers were given by {wheel.implementation} {wheel.python} with pydantic {wheel.pydantic}.
"""
    if left_out:
        head += f"# Left out, because a few lines cannot show them: divergences of {', '.join(left_out)}.\n"
    return "\n".join([head, *(_block(each, shown, who, wheel.harbor) for each, shown in lines if shown)])


def _block(divergence: DivergenceRecord, lines: str, who: str, release: str) -> str:
    rule = RULES[divergence.rule]
    return (
        f"# {divergence.operation} ({harm_word(divergence.harm)}): {rule.slug}: {rule.sentence}\n"
        f"{lines}"
        f"# harbor {release}: {printable(divergence.reference)}\n"
        f"# {who}: {printable(divergence.runner)}\n"
    )
