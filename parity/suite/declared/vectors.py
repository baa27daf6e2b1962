"""Compares the golden vectors that diverge in a run with those that the declarations list."""

from collections.abc import Iterator, Mapping, Sequence

from parity.operations.goldens import Vector
from parity.suite.declared.declaration import Declaration, StaleDeclaration
from parity.suite.declared.writing import vectors_lines
from parity.suite.divergence import Key


def changed_lists(
    entries: Sequence[Declaration], vectors: Sequence[Vector], keys: Mapping[str, Key | None]
) -> Iterator[StaleDeclaration]:
    """Yield a finding for each entry that does not list exactly the vectors that diverge with its rule, kind and harm.

    Vectors that were not asked stay listed. A divergence that no entry lists is reported separately, so these findings
    only state the change to the file.

    Args:
        entries: the entries of the operation.
        vectors: all vectors of the operation.
        keys: for each vector that was asked, the rule, kind and harm of its divergence; None if the answers agree.
    """
    not_asked = {vector.id for vector in vectors} - keys.keys()
    for entry in entries:
        if entry.vectors is None:
            continue
        now = {name for name, key in keys.items() if key == entry.key} | (entry.vectors & not_asked)
        if now != entry.vectors:
            yield StaleDeclaration("\n".join(_complaint(entry, now)))


def _complaint(entry: Declaration, now: set[str]) -> Iterator[str]:
    listed = entry.vectors or frozenset()
    yield f"MOVED DECLARATION {entry.name}: it does not list the golden vectors that diverge now"
    line, *more = vectors_lines(now)
    if not more:
        yield f"  if this is intended, change {entry.at('vectors')} to:"
        yield f"  {line}"
        return
    yield f"  if this is intended, remove (-) and add (+) in the list at {entry.at('vectors')}:"
    yield from (f"  - {name}" for name in sorted(listed - now))
    yield from (f"  + {name}" for name in sorted(now - listed))
