"""Checks, marks and writes the files of `--report` and `--repro`. JSON is ASCII, one member a line, `final` at the end.

Files that cannot be written are refused before the run. During the run, they hold a mark. A killed run leaves the mark,
so the file of an earlier run is not mistaken for its own. A run without any test keeps the earlier file.
"""

import json
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from parity.judging.plain import to_plain
from parity.judging.records import FORMAT, Report
from parity.report.reproduction import script

_UNFINISHED = f'{{"format": {FORMAT}}}\n'
_UNFINISHED_SCRIPT = "echo 'the run that writes this script has not ended' >&2; exit 1\n"


def to_json(report: Report) -> str:
    """Return the report as a JSON document."""
    return json.dumps(to_plain(report), indent=1, ensure_ascii=True, allow_nan=False) + "\n"


_FORMS: dict[str, tuple[str, str, Callable[[Report], str]]] = {
    ".json": ("report", _UNFINISHED, to_json),
    ".sh": ("repro", _UNFINISHED_SCRIPT, script),
}
"""For each suffix: the option that names such files, the mark during the run, and the function of the final text."""


class PlaceError(Exception):
    """A file cannot be written. The message is one line: why, and what to do."""


def option_of(place: Path) -> str:
    """Return the option that names a file: `report` or `repro`."""
    return _FORMS[place.suffix][0]


def checked_places(option: str, names: Iterable[str]) -> list[Path]:
    """Return the absolute paths of the files of an option, and check that they can be written. No file is changed.

    Raises:
        PlaceError: a file has another suffix, or cannot be written.
    """
    places = [Path(name).absolute() for name in dict.fromkeys(names)]
    suffixes = [suffix for suffix, form in _FORMS.items() if form[0] == option]
    for place in places:
        if place.suffix not in suffixes:
            known = " or ".join(suffixes)
            raise PlaceError(f"--{option} {place.name}: a {option} is written as {known}; name such a file")
    for place in places:
        try:
            is_new = not os.path.lexists(place)
            place.open("ab").close()
            if is_new:
                place.unlink()
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise PlaceError(f"--{option} {place}: {why}; name a file in a folder that can be written") from None
    return places


def mark(places: Iterable[Path]) -> None:
    """Mark every file as that of an unfinished run. Errors are ignored, because `write_report` reports them."""
    for place in places:
        with suppress(OSError):
            place.write_text(_FORMS[place.suffix][1], encoding="utf-8")


def write_report(report: Report, places: Iterable[Path]) -> list[str]:
    """Write every file of the report, and return one line for each that cannot be written."""
    problems = []
    for place in places:
        try:
            place.write_text(_FORMS[place.suffix][2](report), encoding="utf-8")
        except OSError as error:
            option, why = option_of(place), error.strerror or type(error).__name__
            problems.append(f"{option}: {place}: {why}; the {option} is not written")
    return problems
