"""Bridges side by side: the operations that each claims, and the rules by which it diverges.

The data are in `field.json`, a line for each bridge. `python -m tests.readme.bridges RECORD…` renews the lines of
bridges from their records: runs of the whole suite, written with `--report`, in a file named like the bridge.
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
    """The results of a run of the whole suite on a bridge, declared or not."""

    kit: str
    """The version of the kit."""

    date: str
    harbor: str
    operations: tuple[str, ...]
    """The operations that the bridge claims."""

    rules: dict[str, Harm]
    """The rules by which the bridge diverges, each with its worst harm."""

    @property
    def counts(self) -> Counter[Harm]:
        """Return the number of rules by harm."""
        return Counter(self.rules.values())


def read_field() -> dict[str, Bridge]:
    """Return every stored bridge, by name."""
    return {name: from_plain(Bridge, plain) for name, plain in json.loads(FIELD.read_text(encoding="utf-8")).items()}


def field_text(field: dict[str, Bridge]) -> str:
    """Return the content of the file: one bridge a line."""
    lines = [f"{json.dumps(name)}:{canonical(to_plain(field[name]))}" for name in sorted(field)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def bridge_of(report: Report, date: str) -> Bridge:
    """Return a report's results on a bridge.

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
    """Return the table: bridges that pay out by the most rules come first."""
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
    """Replace the stored lines of bridges by those of their records.

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
