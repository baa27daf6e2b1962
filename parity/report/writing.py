"""Writes a report as JSON: ASCII, one member a line, with `final` at the end."""

import json

from parity.judging.plain import to_plain
from parity.judging.records import Report


def to_json(report: Report) -> str:
    """Return the report as a JSON document."""
    return json.dumps(to_plain(report), indent=1, ensure_ascii=True, allow_nan=False) + "\n"
