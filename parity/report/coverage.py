"""Makes the coverage of the wheel's scoring modules for a report.

A branch from or to an unreached line is counted, but not listed beside that line.
"""

from collections.abc import Callable, Iterator
from itertools import groupby

from parity.judging.records import ModuleCoverage, UnreachedLines
from parity.judging.tally import Tally
from parity.reference.coverage import SCORING, UNREACHED, Places, ScoringModule, in_order, places_of

UNEXPLAINED = "no case of this run reaches it"


def coverage_of(
    tally: Tally, known: Callable[[ScoringModule], Places] = places_of, *, explained: bool
) -> tuple[ModuleCoverage, ...] | None:
    """Return the coverage of each module; None if it was not measured.

    Args:
        tally: the counts of the run, its workers included.
        known: returns the lines and branches of a module.
        explained: whether the known reasons apply; they are about complete runs in the default profile.
    """
    if tally.unmeasured or not tally.reached:
        return None
    return tuple(_module(module, known(module), tally.reached[module.name], explained) for module in SCORING)


def _module(module: ScoringModule, places: Places, reached: set[str], explained: bool) -> ModuleCoverage:
    reasons = dict(_reasons(module.name, places)) if explained else {}
    return ModuleCoverage(
        module.name,
        module.decides,
        lines=len(places.lines),
        reached=len(places.lines & reached),
        branches=len(places.branches),
        branches_reached=len(places.branches & reached),
        unreached=tuple(_unreached(places, reached, reasons)),
    )


def _unreached(places: Places, reached: set[str], reasons: dict[str, str]) -> Iterator[UnreachedLines]:
    """Yield unreached lines and branches in order; neighbouring lines with the same reason are one range."""
    missing = set(places.lines - reached)
    ways = {way for way in places.branches - reached if not missing & set(_lines(way))}
    listed = sorted(places.lines | ways, key=in_order)
    with_reasons = ((place, reasons.get(place, UNEXPLAINED) if place in missing | ways else None) for place in listed)
    for (reason, is_way), run in groupby(with_reasons, key=lambda each: (each[1], "->" in each[0])):
        names = [name for name, _ in run]
        if reason is None:
            continue
        if is_way:
            yield from (UnreachedLines(name, reason) for name in names)
        else:
            yield UnreachedLines(names[0] if len(names) == 1 else f"{names[0]}-{names[-1]}", reason)


def _lines(way: str) -> list[str]:
    return [end.split(":")[0] for end in way.split("->")]


def _reasons(module: str, places: Places) -> Iterator[tuple[str, str]]:
    """Yield the places that have a known reason, with the reason."""
    for entry in UNREACHED:
        if entry.module == module:
            for _, meant in entry.meant(places):
                yield from ((place, entry.reason) for place in meant)
