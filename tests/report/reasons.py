"""Holds the reasons for what no case reaches to what a report says was reached."""

from collections.abc import Iterator

from parity.judging.records import ModuleCoverage, Report
from parity.reference.coverage import SCORING, UNREACHED, Places, places_of
from parity.report.coverage import UNEXPLAINED


def complaints(report: Report) -> Iterator[str]:
    """Places that are unreached for no reason, and reasons for what is reached, or is not there."""
    measured = {each.module: each for each in report.coverage or ()}
    for module in SCORING:
        covered, places = measured[module.name], places_of(module)
        for unreached in covered.unreached:
            if unreached.reason == UNEXPLAINED:
                yield f"{module.name}:{unreached.lines} is reached by no case, and no reason says why"
        missing = _unreached(covered, places)
        for entry in UNREACHED:
            if entry.module == module.name:
                for named, meant in entry.meant(places):
                    if not meant or not meant <= missing:
                        yield f"{module.name}:{named} has a reason, and is reached or not there"


def _unreached(covered: ModuleCoverage, places: Places) -> set[str]:
    """All that a report names, and what leads from or to a line that it names."""
    missing: set[str] = set()
    for named in (each.lines for each in covered.unreached):
        first, _, last = named.partition("-")
        if "->" in named:
            missing.add(named)
        else:
            missing |= {line for line in places.lines if int(first) <= int(line) <= int(last or first)}
    implied = {way for way in places.branches if missing & {end.split(":")[0] for end in way.split("->")}}
    return missing | implied
