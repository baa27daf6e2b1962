"""Makes the table of all releases: `python -m parity.drift.record`.

Each release is asked the golden vectors, and its answers are compared with the recorded answers of 0.13.1. With
`--check` the table is only compared. Run it in a checkout, with an interpreter of the official series. Missing
environments are made.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from parity.drift.releases import Release, opened_release
from parity.drift.table import FORMAT, TABLE_FILE, KnownRelease, Lack, OtherAnswer, Table, table_text
from parity.drift.vectors import Judge, Moved, OperationDrift, Progress, chosen_vectors
from parity.judging.declared.declaration import answer_json
from parity.judging.divergence import first_line
from parity.judging.vector_answers import digits
from parity.operations import OPERATIONS
from parity.operations.answers import Answer, NotClaimed
from parity.operations.goldens import read_entries, recorded_answer
from parity.operations.operation import Operation, decode_answer
from parity.operations.vector import Vector
from parity.operations.wire import Json, canonical
from parity.reference import ReferenceLost, WheelError
from parity.reference.releases import HARBOR_VERSION, wheel_hashes
from parity.runners.asking import Clock
from parity.scorer.series import OFFICIAL, Series

_LARGEST_ANSWER = 400
"""The most characters of an answer in the table, on the wire. Only the digits of a larger answer are kept."""

type Answers = dict[str, dict[str, OtherAnswer]]
"""The different answers of one release, by operation and the vector's id."""


@dataclass(frozen=True)
class Recorded:
    """One release, and its answers that differ from 0.13.1's."""

    name: str
    known: KnownRelease
    answers: Answers


def golden_answer(operation: Operation[Any], vector: Vector) -> Answer:
    """Return the recorded answer of 0.13.1 to a vector.

    Raises:
        GoldenError: the golden file is damaged.
    """
    answer = recorded_answer(_entries(operation.name)[vector.id], OFFICIAL)
    return NotClaimed("not recorded") if answer is None else decode_answer(operation, answer)


_entries = cache(read_entries)


def record_release(name: str, release: Release, asked: dict[str, list[Vector]], progress: Progress) -> Recorded:
    """Ask a release the vectors that it supports.

    Raises:
        ReferenceLost: the release gives no answer.
    """
    clock = Clock(Clock.DEFAULT)
    judge = Judge(f"harbor {HARBOR_VERSION}", golden_answer, release, clock)
    with clock.installed():
        drifts = judge.compare(asked, progress)
    answers = {drift.name: {moved.vector: _other(name, moved) for moved in drift.moved} for drift in drifts}
    return Recorded(name, KnownRelease(release.environment, tuple(_lacks(release, drifts))), answers)


def _lacks(release: Release, drifts: Iterable[OperationDrift]) -> Iterator[Lack]:
    for drift in drifts:
        for (label, reason), vectors in drift.lacking.items():
            if label == release.label:
                yield Lack(drift.name, reason, tuple(vectors) if drift.answered else None)


def _other(release: str, moved: Moved) -> OtherAnswer:
    divergence = moved.divergence
    operation = OPERATIONS[divergence.operation]
    case = operation.decode(divergence.case)
    answer: Json = answer_json(operation, operation.settle(case, divergence.runner))
    return OtherAnswer(
        releases=(release,),
        rule=divergence.rule.slug,
        harm=divergence.harm,
        summary=first_line(divergence),
        digits=(digits(operation, case, divergence.runner),),
        answer=answer if len(canonical(answer)) <= _LARGEST_ANSWER else None,
    )


def table_of(recorded: Sequence[Recorded], asked: dict[str, list[Vector]]) -> Table:
    """Return the table of some releases; they must be in order, from the oldest to the newest."""
    vectors: dict[str, dict[str, tuple[OtherAnswer, ...]]] = {}
    for name, each_vector in asked.items():
        answers_of = [each.answers.get(name, {}) for each in recorded]
        found = {vector.id: _merged(answers_of, vector.id) for vector in each_vector}
        if moved := {vector: answers for vector, answers in found.items() if answers}:
            vectors[name] = moved
    return Table(FORMAT, HARBOR_VERSION, OFFICIAL.value, {each.name: each.known for each in recorded}, vectors)


def _merged(answers: Iterable[Mapping[str, OtherAnswer]], vector: str) -> tuple[OtherAnswer, ...]:
    """Return the answers of several releases to a vector; answers that differ in the same way become one."""
    merged: dict[str, list[OtherAnswer]] = {}
    for each in answers:
        if answer := each.get(vector):
            alike = canonical([answer.rule, answer.harm, answer.summary, answer.answer])
            merged.setdefault(alike, []).append(answer)
    return tuple(_one(alike) for alike in merged.values())


def _one(alike: Sequence[OtherAnswer]) -> OtherAnswer:
    every = tuple(each.digits[0] for each in alike)
    releases = tuple(name for each in alike for name in each.releases)
    return replace(alike[0], releases=releases, digits=every[:1] if len(set(every)) == 1 else every)


def main(argv: Sequence[str] | None = None) -> int:
    """Make the table, and return the exit code; with `--check` it is 1 if the file has another table."""
    parser = ArgumentParser(prog="python -m parity.drift.record", description="Make the table of all releases.")
    parser.add_argument("--check", action="store_true", help="write nothing, and check that the table is up to date")
    options = parser.parse_args(argv)
    if Series.running() is not OFFICIAL:
        parser.error(f"the table is of the series {OFFICIAL.value}; run this with an interpreter of that series")
    asked = chosen_vectors()
    try:
        text = table_text(
            table_of([_recorded(name, asked) for name in wheel_hashes() if name != HARBOR_VERSION], asked)
        )
    except (WheelError, ReferenceLost) as error:
        parser.exit(3, f"{parser.prog}: {str(error).removeprefix('--reference ')}\n")
    if not options.check:
        TABLE_FILE.write_text(text, encoding="utf-8")
        return 0
    kept = TABLE_FILE.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line not in set(kept.splitlines())]
    for line in lines:
        _say(f"not in {TABLE_FILE.name}: {line:.300}")
    return int(text != kept)


def _recorded(name: str, asked: dict[str, list[Vector]]) -> Recorded:
    with opened_release(name, _say) as release:
        return record_release(name, release, asked, lambda operation, vectors: _say(f"{name}: {operation}"))


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
