"""Reads a report from its JSON file; an unusable file is a `ReportError` of one line."""

import json
from pathlib import Path

from parity.judging.divergence import shortened
from parity.judging.plain import from_plain
from parity.judging.records import FORMAT, Report
from parity.operations.wire import WireError
from parity.scorer.printable import printable

_REMEDY = "write it again with: pytest --pyargs parity --report FILE.json"
_LARGEST = 256 * 1024 * 1024
_LONGEST_LINE = 400


class ReportError(Exception):
    """A report cannot be used; the message says why, and `remedy` what to do."""

    def __init__(self, path: Path, what: str, remedy: str = _REMEDY) -> None:
        super().__init__(f"{path}: {what}")
        self.path = path
        self.what = what
        self.remedy = remedy


def read_report(path: Path) -> Report:
    """Read the report in a file.

    Raises:
        ReportError: the file is missing, cut off, no report, of another format, or has wrong fields.
    """
    try:
        if path.exists() and not path.is_file():
            raise ReportError(path, "not a regular file", "give the path of a report in JSON")
        if path.exists() and path.stat().st_size > _LARGEST:
            raise ReportError(path, f"larger than {_LARGEST >> 20} MiB, so no report")
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReportError(path, error.strerror or type(error).__name__, "give the path of a readable report") from None
    except UnicodeDecodeError:
        raise ReportError(path, "not a report: it is no UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise ReportError(path, f"not JSON, or cut off: {error}") from None
    if not isinstance(document, dict) or "format" not in document:
        raise ReportError(path, "not a report", "give the path of a report in JSON")
    if document["format"] != FORMAT or type(document["format"]) is not int:
        raise ReportError(path, f"a report of format {document['format']!r:.20}, and this kit reads format {FORMAT}")
    if "final" not in document:
        raise ReportError(path, "its final record is missing, so the run did not get to its end")
    try:
        report: Report = from_plain(Report, document)
    except WireError as error:
        raise ReportError(path, f"not a report: {shortened(printable(str(error)), _LONGEST_LINE)}") from None
    return report
