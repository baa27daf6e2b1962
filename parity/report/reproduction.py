"""Writes a script that shows divergences with nothing but a shell and Harbor: a block for each."""

from parity.judging.harm import harm_word
from parity.judging.records import DivergenceRecord, Report
from parity.operations import OPERATIONS
from parity.operations.rules import RULES
from parity.reference.reproduction import SHOWN, reproduction
from parity.scorer.printable import printable


def script(report: Report) -> str:
    """Return a script for a shell, with a block for each divergence that a few lines show."""
    shown = [each for each in report.divergences if each.operation in SHOWN and each.case is not None]
    left_out = sorted({each.operation for each in report.divergences if each not in shown})
    who, wheel = printable(report.runner.name), report.reference
    head = f"""\
#!/bin/sh
# Where {who} scores otherwise than harbor {wheel.harbor}. Each block can be used alone, and needs only Harbor:
#   python3 -m venv .venv && . .venv/bin/activate && pip install harbor=={wheel.harbor}
# The answers were given by {wheel.implementation} {wheel.python} with pydantic {wheel.pydantic}.
"""
    if left_out:
        head += f"# Left out, because a few lines cannot show them: divergences of {', '.join(left_out)}.\n"
    return "\n".join([head, *(_block(each, who, wheel.harbor) for each in shown)])


def _block(divergence: DivergenceRecord, who: str, release: str) -> str:
    operation, rule = OPERATIONS[divergence.operation], RULES[divergence.rule]
    return (
        f"# {operation.name} ({harm_word(divergence.harm)}): {rule.slug}: {rule.sentence}\n"
        + reproduction(operation.name, operation.decode(divergence.case))
        + f"# harbor {release}: {printable(divergence.reference)}\n"
        + f"# {who}: {printable(divergence.runner)}\n"
    )
