"""Recording golden vectors: the answers that are kept, and recordings that are refused."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parity.judging.golden_recording import document_of, manifest, record, to_text
from parity.operations import goldens
from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.goldens import GoldenError, read_entries
from parity.operations.vector import Vector
from parity.operations.vectors import VECTORS
from parity.operations.wire import Json
from parity.pytest_plugin.opening import open_session
from parity.pytest_plugin.session import SessionError
from parity.reference import read_identity, releases
from parity.scorer import Series

_ROOT = Path(__file__).resolve().parent.parent
_RULE = "aggregate/value"
_ONE, _TWO = (Vector(_RULE, name, AggregateCase("mean", ({"reward": 1},))) for name in ("one", "two"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty golden folder."""
    monkeypatch.setattr(goldens, "golden_folder", lambda: tmp_path)
    return tmp_path


def _record(folder: Path, vectors: list[Vector], answer: str, series: Series) -> dict[str, Any]:
    """Record vectors, write the file as syrupy would, and read it back."""
    entries = record(AGGREGATE, vectors, read_entries("aggregate"), lambda case: {"value": answer}, series)
    (folder / "aggregate.json").write_text(to_text(document_of("aggregate", entries)))
    (folder / "manifest.json").write_text(
        to_text(manifest(replace(read_identity(), series=series), dict.fromkeys(VECTORS, 1)))
    )
    return read_entries("aggregate")


def _answers(entry: dict[str, Any]) -> Json:
    return {key: entry[key] for key in ("answer", "answers") if key in entry}


def test_one_answer_where_all_series_agree(folder: Path) -> None:
    """If both series give the same answer, the entry has one answer."""
    _record(folder, [_ONE], "x", Series.PY312)
    entries = _record(folder, [_ONE], "x", Series.PY314)

    assert _answers(entries[_ONE.id]) == {"answer": {"value": "x"}}


def test_an_answer_a_series_where_they_differ(folder: Path) -> None:
    """If the series differ, the entry has an answer for each, and recording one keeps the other."""
    _record(folder, [_ONE], "x", Series.PY312)
    _record(folder, [_ONE], "y", Series.PY314)
    entries = _record(folder, [_ONE], "z", Series.PY312)

    assert _answers(entries[_ONE.id]) == {"answers": {"3.12": {"value": "z"}, "3.14": {"value": "y"}}}


def test_a_new_vector_waits_for_the_other_series(folder: Path) -> None:
    """A new vector has no answer for the series that was not recorded."""
    _record(folder, [_ONE], "x", Series.PY312)
    _record(folder, [_ONE], "x", Series.PY314)
    entries = _record(folder, [_ONE, _TWO], "x", Series.PY312)

    assert _answers(entries[_ONE.id]) == {"answer": {"value": "x"}}
    assert _answers(entries[_TWO.id]) == {"answers": {"3.12": {"value": "x"}}}


def test_no_vector_is_dropped(folder: Path) -> None:
    """Recording is refused if a vector would be lost, and names it."""
    _record(folder, [_ONE, _TWO], "x", Series.PY312)

    with pytest.raises(GoldenError, match=r"would drop 1 vector\(s\) of aggregate, aggregate/value/two first"):
        _record(folder, [_ONE], "x", Series.PY312)


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"format": 2, "operation": "aggregate", "vectors": []}'])
def test_a_damaged_file_is_named(folder: Path, content: str) -> None:
    """A damaged golden file is named in one line."""
    (folder / "aggregate.json").write_text(content)

    with pytest.raises(GoldenError, match=r"aggregate\.json: (damaged|not a golden file).*; restore it with: git"):
        read_entries("aggregate")


@pytest.mark.parametrize("damage", ['"id":', '"rule":"aggregate', '"answer":', '"input":', '"metric":'])
def test_a_damaged_vector_is_numbered(folder: Path, damage: str) -> None:
    """A damaged vector is named by its number."""
    _record(folder, [_ONE, _TWO], "x", Series.PY312)
    _record(folder, [_ONE, _TWO], "x", Series.PY314)
    path = folder / "aggregate.json"
    before, mark, after = path.read_text().rpartition(damage)
    path.write_text(f"{before}{mark[:2]}?{mark[2:]}{after}")

    with pytest.raises(GoldenError, match=r"aggregate\.json: damaged at vector 2;"):
        read_entries("aggregate")


def test_a_damaged_manifest_is_named(folder: Path) -> None:
    """A damaged manifest is named in one line."""
    (folder / "manifest.json").write_text('{"format": 1}')

    with pytest.raises(GoldenError, match=r"manifest\.json: damaged: it names no series"):
        record(AGGREGATE, [_ONE], {}, lambda case: {"value": "x"}, Series.PY312)


def test_only_the_pinned_environment_records(monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config) -> None:
    """Recording with another version of pydantic is refused."""
    monkeypatch.setattr(releases, "version", lambda name: "0")
    monkeypatch.setattr(pytestconfig.option, "update_snapshots", True)

    with pytest.raises(SessionError, match=r"pydantic is 0 instead of 2\.14\.3"):
        open_session(pytestconfig.option, print)


def test_there_are_vectors_for_every_rule() -> None:
    """Every rule has a golden vector."""
    from parity.operations.rules import RULES

    shown = {vector.rule for vectors in VECTORS.values() for vector in vectors}

    assert set(RULES) == shown


def test_golden_files_are_ascii_lines() -> None:
    """A golden file is ASCII with one vector a line."""
    for name in VECTORS:
        text = (_ROOT / "golden" / f"{name}.json").read_text(encoding="ascii")
        lines = text.splitlines()[1:-1]

        assert [json.loads(line.rstrip(","))["id"] for line in lines] == [vector.id for vector in VECTORS[name]]
