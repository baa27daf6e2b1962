"""Bridges side by side: what each claims, and by which rules it diverges.

What is shown is kept in `field.json`, a line for each bridge. `python -m tests.readme.bridges RECORD…` renews the lines
of bridges whose records these are: runs of the whole suite, written with `--report`, a file named like its bridge.
"""

import json
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from parity.judging.harm import HARMS, Harm, harm_word
from parity.judging.plain import from_plain, to_plain
from parity.judging.records import Report
from parity.operations.wire import canonical
from parity.report.reading import ReportError, read_report
from tests.readme.console import ROOT
from tests.readme.tables import table

BRIDGES = ROOT / "parity" / "runners" / "bridges"
FIELD = BRIDGES / "field.json"


@dataclass(frozen=True)
class Bridge:
    """What a run of the whole suite found of a bridge, declared or not."""

    kit: str
    """The version of the kit."""

    date: str
    harbor: str
    operations: tuple[str, ...]
    """Those that it claims."""

    rules: dict[str, Harm]
    """The rules by which it diverges, each with the worst harm that it does."""

    @property
    def counts(self) -> Counter[Harm]:
        """How many rules do which harm."""
        return Counter(self.rules.values())


def read_field() -> dict[str, Bridge]:
    """Every bridge by its name, as it is kept."""
    return {name: from_plain(Bridge, plain) for name, plain in json.loads(FIELD.read_text(encoding="utf-8")).items()}


def field_text(field: dict[str, Bridge]) -> str:
    """What the file holds: one bridge a line."""
    lines = [f"{json.dumps(name)}:{canonical(to_plain(field[name]))}" for name in sorted(field)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def bridge_of(report: Report, date: str) -> Bridge:
    """What a report says of a bridge.

    Raises:
        ValueError: the run did not ask the whole suite to its end.
    """
    if not report.settings.complete or report.final.ended != "finished":
        raise ValueError("its run did not ask the whole suite to its end")
    return Bridge(
        report.kit,
        date,
        report.reference.harbor,
        tuple(operation.name for operation in report.operations if operation.claimed),
        {rule.slug: rule.harm for rule in report.rules if rule.harm},
    )


def bridges() -> str:
    """The table: those that pay out by the most rules first."""
    field = read_field()
    order = sorted(field, key=lambda name: ([-field[name].counts[harm] for harm in HARMS], name))
    head = f"| bridge | claims | {' | '.join(map(harm_word, HARMS))} | asked on |"
    return table(head, [_row(name, field[name]) for name in order])


def _row(name: str, bridge: Bridge) -> str:
    cells = [
        f"`{name}`",
        ", ".join(f"`{operation}`" for operation in bridge.operations),
        *(str(bridge.counts[harm] or "") for harm in HARMS),
        f"{bridge.date}, {bridge.kit}",
    ]
    return f"| {' | '.join(cells)} |"


def renew(paths: list[Path]) -> None:
    """Take over what records say.

    Args:
        paths: the records, each named like its bridge.
    """
    field = read_field() if FIELD.exists() else {}
    for path in paths:
        try:
            day = date.fromtimestamp(path.stat().st_mtime)
            field[path.stem] = bridge_of(read_report(path), day.isoformat())
        except (OSError, ReportError, ValueError) as error:
            sys.exit(f"{path}: {error}")
    FIELD.write_text(field_text(field), encoding="utf-8")


if __name__ == "__main__":
    renew([Path(name) for name in sys.argv[1:]])
