"""Tests for golden files: what recording adds, keeps and replaces, and which files are refused."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parity.operations import OPERATIONS, goldens
from parity.operations.aggregate import AggregateCase
from parity.operations.goldens import GoldenError, Vector, golden_directory, read_manifest, read_vectors
from parity.operations.wire import Json, canonical
from parity.plugin import session_start
from parity.plugin.session import SessionError
from parity.plugin.session_start import open_session
from parity.reference import read_identity, releases
from parity.scorer import Series
from parity.suite.golden_recording import Recording, document_of, manifest, record, to_text

_RULE = "aggregate/value"
_INPUT: Json = {"metric": "mean", "rewards": [{"reward": {"int": "1"}}]}
_NEW = {"id": f"{_RULE}/one", "rule": _RULE, "input": _INPUT}


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that writes a golden file for `aggregate` with these entries, alone in a directory."""
    monkeypatch.setattr(goldens, "golden_directory", lambda: tmp_path)

    def write(*entries: Any) -> None:
        document = {"format": goldens.FORMAT, "operation": "aggregate", "vectors": list(entries)}
        (tmp_path / "aggregate.json").write_text(json.dumps(document))

    return write


def _recorded(entry: Any, answer: Json | None, series: Series, write: Any) -> tuple[dict[str, Json], Recording]:
    """Write an entry and record it, and return the answers in the new entry and the counts."""
    write(entry)
    recording = Recording()
    (vector,) = record(read_vectors("aggregate"), lambda case: answer, series, recording)
    new = vector.to_entry()
    return {key: new[key] for key in ("answer", "answers") if key in new}, recording


_X: Json = {"value": "x"}
_Y: Json = {"value": "y"}
_WRONG: Json = {"value": "wrong"}


@pytest.mark.parametrize(
    ("before", "series", "after", "lines"),
    [
        (
            {},
            Series.PY312,
            {"answers": {"3.12": _X}},
            [
                "golden: aggregate: 1 new vector recorded",
                "golden: aggregate: 1 vector has no answer of series 3.14 yet; record on CPython 3.14, too",
            ],
        ),
        ({"answers": {"3.12": _X}}, Series.PY314, {"answer": _X}, []),
        (
            {"answers": {"3.12": _X, "3.14": _Y}},
            Series.PY312,
            {"answers": {"3.12": _X, "3.14": _Y}},
            ["golden: 1 answer of series 3.14 kept, not asked again"],
        ),
        (
            {"answers": {"3.12": _WRONG, "3.14": _Y}},
            Series.PY312,
            {"answers": {"3.12": _X, "3.14": _Y}},
            ["golden: aggregate: 1 answer of series 3.12 replaced"],
        ),
        (
            {"answer": _WRONG},
            Series.PY312,
            {"answers": {"3.12": _X}},
            ["golden: aggregate: 1 vector has no answer of series 3.14 yet; record on CPython 3.14, too"],
        ),
    ],
    ids=["new", "equal", "kept", "replaced", "replaced for both"],
)
def test_answer_is_recorded_for_the_running_series(
    before: dict[str, Json], series: Series, after: dict[str, Json], lines: list[str], write: Any
) -> None:
    """Recording replaces the answer for the running series, and keeps an answer that is only for the other series."""
    entry, recording = _recorded(_NEW | before, _X, series, write)

    assert entry == after
    assert set(lines) <= set(recording.lines(series))


def test_case_without_a_reference_keeps_its_answer(write: Any) -> None:
    """If the reference does not answer a case, the recorded answer is kept."""
    entry, _ = _recorded(_NEW | {"answer": _X}, None, Series.PY312, write)

    assert entry == {"answer": _X}


def test_new_vector_may_have_plain_numbers(write: Any) -> None:
    """Plain JSON numbers in an entry without an answer become ints and floats, and are written in the wire form."""
    write(_NEW | {"input": {"metric": "mean", "rewards": [{"a": 1, "b": 0.1}, None]}})

    (vector,) = read_vectors("aggregate")

    assert vector.case == AggregateCase("mean", ({"a": 1, "b": 0.1}, None))
    assert vector.to_entry()["input"] == {
        "metric": "mean",
        "rewards": [{"a": {"int": "1"}, "b": {"f64": "3fb999999999999a"}}, None],
    }


def test_repeat_count_stays_a_plain_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a new entry, the number of times that bytes are repeated stays a plain number."""
    vector = next(each for each in read_vectors("read_reward") if '"times":' in canonical(each.input))
    new = {"id": vector.id, "rule": vector.rule, "input": vector.input}
    monkeypatch.setattr(goldens, "golden_directory", lambda: tmp_path)
    document = {"format": goldens.FORMAT, "operation": "read_reward", "vectors": [new]}
    (tmp_path / "read_reward.json").write_text(json.dumps(document))

    (read,) = read_vectors("read_reward")

    assert read.case == vector.case


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([{"id": "x"}], "vector 1 needs an id, a rule and an input"),
        ([_NEW | {"rule": "aggregate/none"}], "the rule 'aggregate/none', which does not belong to aggregate"),
        (
            [_NEW | {"rule": "reward-file/missing"}],
            "the rule 'reward-file/missing', which does not belong to aggregate",
        ),
        ([_NEW | {"id": "one"}], "the id of vector one does not begin with its rule, aggregate/value/"),
        ([_NEW | {"answers": {"3.11": {"value": 1}}}], "damaged at vector aggregate/value/one: malformed answers"),
        ([_NEW, _NEW], "two vectors have the id aggregate/value/one"),
    ],
)
def test_damaged_vector_is_reported(entries: list[Any], message: str, write: Any) -> None:
    """A vector that cannot be read is reported with the mistake."""
    write(*entries)

    with pytest.raises(GoldenError) as caught:
        read_vectors("aggregate")

    assert message in str(caught.value)


def test_damaged_input_is_reported(write: Any) -> None:
    """An input that is not a case of the operation is reported when it is used."""
    write(_NEW | {"input": {"metric": "median", "rewards": []}})
    (vector,) = read_vectors("aggregate")

    with pytest.raises(GoldenError, match=r"damaged at vector aggregate/value/one: .*metric.*; restore it with: git"):
        _ = vector.case


def test_damaged_answer_is_reported(write: Any) -> None:
    """An answer that is neither a value nor a fault is reported when it is used."""
    write(_NEW | {"answer": {"values": 1}})
    (vector,) = read_vectors("aggregate")

    with pytest.raises(GoldenError, match="damaged at vector aggregate/value/one: an answer must have a value"):
        vector.answer(Series.PY312)


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"format": 1, "operation": "aggregate", "vectors": []}'])
def test_damaged_golden_file_is_reported(write: Any, tmp_path: Path, content: str) -> None:
    """A damaged golden file is reported in one line."""
    (tmp_path / "aggregate.json").write_text(content)

    with pytest.raises(GoldenError, match=r"aggregate\.json: (damaged|not a golden file).*; restore it with: git"):
        read_vectors("aggregate")


def test_damaged_manifest_is_reported(write: Any, tmp_path: Path) -> None:
    """A damaged manifest is reported in one line."""
    (tmp_path / "manifest.json").write_text(json.dumps({"format": goldens.FORMAT}))

    with pytest.raises(GoldenError, match=r"manifest\.json: damaged: series is missing"):
        read_manifest()


@pytest.mark.parametrize(
    "change",
    [
        lambda vectors: vectors[1:],
        lambda vectors: [vectors[1], vectors[0], *vectors[2:]],
        lambda vectors: [replace(vectors[0], rule="aggregate/null-is-zero"), *vectors[1:]],
        lambda vectors: [replace(vectors[0], input=_INPUT), *vectors[1:]],
        lambda vectors: [replace(vectors[0], id=f"{vectors[0].id}-2"), *vectors[1:]],
    ],
    ids=["dropped", "exchanged", "rule", "input", "id"],
)
def test_edited_question_changes_the_manifest(change: Callable[[list[Vector]], list[Vector]]) -> None:
    """A question that was edited, moved or dropped by hand changes the manifest's hash for its operation."""
    recorded = read_manifest()["questions"]
    vectors = {name: read_vectors(name) for name in OPERATIONS}
    vectors["aggregate"] = change(vectors["aggregate"])

    edited = manifest(read_identity(), vectors)["questions"]

    assert [name for name in OPERATIONS if edited[name] != recorded[name]] == ["aggregate"]


def test_recording_with_unpinned_packages_is_refused(
    monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    """Recording with a version of pydantic that is not pinned is refused."""
    monkeypatch.setattr(releases, "version", lambda name: "0")
    monkeypatch.setattr(pytestconfig.option, "update_snapshots", True)

    with pytest.raises(SessionError, match=r"pydantic is 0 instead of 2\.14\.3"):
        open_session(pytestconfig.option, print)


def test_recording_outside_a_checkout_is_refused(monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config) -> None:
    """Recording is refused if the golden files are not in a checkout."""
    monkeypatch.setattr(session_start, "in_checkout", lambda: False)
    monkeypatch.setattr(pytestconfig.option, "update_snapshots", True)

    with pytest.raises(SessionError, match="goldens are recorded in a checkout of harbor-parity"):
        open_session(pytestconfig.option, print)


@pytest.mark.parametrize("name", OPERATIONS)
def test_golden_file_equals_what_recording_writes(name: str) -> None:
    """A golden file has exactly the bytes that recording writes: ASCII with one vector on each line."""
    text = (golden_directory() / f"{name}.json").read_text(encoding="ascii")

    assert text == to_text(document_of(name, read_vectors(name)))


@pytest.mark.parametrize("name", OPERATIONS)
def test_encoding_a_case_gives_its_recorded_input(name: str) -> None:
    """Encoding each vector's case gives its recorded input."""
    operation = OPERATIONS[name]
    other = [each.id for each in read_vectors(name) if canonical(operation.encode(each.case)) != canonical(each.input)]

    assert other == []
