"""The table of all releases: it fits the golden vectors, and the command makes it.

`tox run -e drift` checks that its answers are those of the releases.
"""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from parity.drift import record
from parity.drift.record import golden_answer, record_release, table_of
from parity.drift.table import TABLE_FILE, OtherAnswer, read_table, table_text
from parity.drift.vectors import chosen_vectors
from parity.judging.harm import harm_of
from parity.judging.vector_answers import digits
from parity.operations import OPERATIONS
from parity.operations.operation import decode_answer
from parity.operations.rules import RULES
from parity.operations.vector import Vector
from parity.operations.vectors import VECTORS
from parity.reference.releases import HARBOR_VERSION, wheel_hashes
from parity.runners import CleanRoom, Unsupported
from parity.scorer.series import Series
from tests.drift.fake_releases import opening_one, release
from tests.faulty.aggregate.sums import AddsOneByOne

_KEPT = read_table()


@cache
def _vectors(operation: str) -> dict[str, Vector]:
    return {vector.id: vector for vector in VECTORS[operation]}


def _others(operation: str) -> list[tuple[Vector, OtherAnswer]]:
    return [(_vectors(name)[vector], answer) for name, vector, answer in _KEPT.others() if name == operation]


def test_the_file_is_written_as_it_is_read() -> None:
    """Reading and writing the table gives the same text."""
    assert table_text(_KEPT) == TABLE_FILE.read_text(encoding="utf-8")


def test_it_has_every_release() -> None:
    """The table has every known release except the reference."""
    assert _KEPT.reference == HARBOR_VERSION
    assert list(_KEPT.releases) == [name for name in wheel_hashes() if name != HARBOR_VERSION]


@pytest.mark.parametrize("operation", _KEPT.vectors)
def test_every_answer_is_another_one(operation: str) -> None:
    """Every answer differs from the recorded one, and its harm and digits fit both answers."""
    asked = OPERATIONS[operation]

    for vector, other in _others(operation):
        golden = golden_answer(asked, vector)

        assert len(other.digits) in (1, len(other.releases)), vector.id
        assert digits(asked, vector.case, golden) not in other.digits, vector.id
        if other.answer is not None:
            answer = decode_answer(asked, other.answer)
            assert asked.compare(vector.case, golden, answer), vector.id
            assert other.harm == harm_of(operation, golden, answer), vector.id
            assert other.digits == (digits(asked, vector.case, answer),), vector.id


@pytest.mark.parametrize("operation", _KEPT.vectors)
def test_every_answer_has_its_rule_and_its_releases(operation: str) -> None:
    """Every answer names a rule of its operation and ordered releases; each release answers a vector at most once."""
    order = list(_KEPT.releases)

    for vector, answers in _KEPT.vectors[operation].items():
        named = [name for answer in answers for name in answer.releases]

        assert {RULES[answer.rule].operation for answer in answers} == {operation}
        assert all(list(answer.releases) == sorted(answer.releases, key=order.index) for answer in answers), vector
        assert len(set(named)) == len(named), vector
        assert not [name for name in named if _KEPT.lacks(name, operation, vector)], vector


def _recorded(name: str, runner: object, asked: dict[str, list[Vector]]) -> Any:
    return record_release(name, release(runner), asked, lambda operation, vectors: None)


def test_releases_that_answer_alike_share_an_entry() -> None:
    """Releases with the same answer share an entry, and equal answers have none."""
    asked = chosen_vectors(["summation/compensated/"])

    table = table_of(
        [
            _recorded("1.0", AddsOneByOne(), asked),
            _recorded("2.0", CleanRoom(), asked),
            _recorded("3.0", AddsOneByOne(), asked),
        ],
        asked,
    )

    assert {answer.releases for _, _, answer in table.others()} == {("1.0", "3.0")}
    assert 0 < len(table.vectors["aggregate"]) < len(asked["aggregate"])


class _OnlyMeans:
    """A release with only the metric mean."""

    name = "only means"

    def aggregate(self, metric: str, rewards: Any) -> Any:
        if metric != "mean":
            raise Unsupported("only means")
        return CleanRoom().aggregate(metric, rewards)


def test_what_a_release_lacks_is_kept() -> None:
    """The table records the operations and the single vectors that a release does not answer."""
    asked = chosen_vectors(["summation/compensated/ten-tenths", "pass-at-k/eligible/"])

    table = table_of([_recorded("1.0", _OnlyMeans(), asked)], asked)

    assert not table.lacks("1.0", "aggregate", "summation/compensated/ten-tenths/mean")
    assert table.lacks("1.0", "aggregate", "summation/compensated/ten-tenths/sum")
    assert table.lacks("1.0", "pass_at_k", asked["pass_at_k"][0].id)


def test_the_command_makes_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command asks every release and writes the table; `--check` fails if the file differs."""
    asked = chosen_vectors(["summation/compensated/ten-tenths"])
    monkeypatch.setattr(record, "OFFICIAL", Series.running())
    monkeypatch.setattr(record, "TABLE_FILE", tmp_path / "releases.json")
    monkeypatch.setattr(record, "chosen_vectors", lambda: asked)
    monkeypatch.setattr(record, "opened_release", opening_one({"1.0": AddsOneByOne(), "2.0": CleanRoom()}))
    monkeypatch.setattr(record, "wheel_hashes", lambda: {"1.0": "", HARBOR_VERSION: "", "2.0": ""})

    made = record.main([])
    checked = record.main(["--check"])
    monkeypatch.setattr(record, "opened_release", opening_one({"1.0": AddsOneByOne(), "2.0": AddsOneByOne()}))
    moved = record.main(["--check"])

    assert (made, checked, moved) == (0, 0, 1)
    assert "not in releases.json: " in capsys.readouterr().err
