"""Where `--report` writes: refused before the run where nothing can be written, and marked until the run has ended.

A run that is killed leaves the mark, so that the report of an earlier run is not taken for its own; one in which no
test ran leaves the earlier report.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from parity.judging.records import FORMAT, Report
from parity.report.comparison import alone
from parity.report.html import page, unfinished_page
from parity.report.writing import to_json

_UNFINISHED = f'{{"format": {FORMAT}}}\n'

_FORMS: dict[str, tuple[str, Callable[[Report], str]]] = {
    ".html": (unfinished_page(), lambda report: page(alone(report))),
    ".json": (_UNFINISHED, to_json),
}
"""Suffix to what stands in the file while the run goes on, and to what is written in the end."""


class PlaceError(Exception):
    """A report cannot be written there; one line that says why and what to do."""


def checked_places(names: Iterable[str]) -> list[Path]:
    """The files that `--report` names, each as it was.

    Raises:
        PlaceError: one has another suffix, or cannot be written.
    """
    places = [Path(name).absolute() for name in dict.fromkeys(names)]
    for place in places:
        if place.suffix not in _FORMS:
            raise PlaceError(f"--report {place.name}: a report is written as {' or '.join(_FORMS)}; name such a file")
    for place in places:
        try:
            is_new = not os.path.lexists(place)
            place.open("ab").close()
            if is_new:
                place.unlink()
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise PlaceError(f"--report {place}: {why}; name a file in a folder that can be written") from None
    return places


def mark(places: Iterable[Path]) -> None:
    """Say in every place that its run has not ended; a place that does not take that is named with the report."""
    for place in places:
        with suppress(OSError):
            place.write_text(_FORMS[place.suffix][0], encoding="utf-8")


def write_report(report: Report, places: Iterable[Path]) -> list[str]:
    """Write the report to every place; a line for each that does not take it."""
    problems = []
    for place in places:
        try:
            place.write_text(_FORMS[place.suffix][1](report), encoding="utf-8")
        except OSError as error:
            problems.append(f"{place}: {error.strerror or type(error).__name__}; the report is not written")
    return problems
