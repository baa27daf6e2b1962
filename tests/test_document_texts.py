"""Tests for the compared form of a document's text, and for the differences between two texts."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from pydantic_core import to_json

from parity.operations.answers import Value
from parity.operations.compare import Difference, compare
from parity.operations.run_job import RUN_JOB
from parity.operations.scenarios.document_differences import restated
from parity.operations.scenarios.document_texts import Masks, is_plain, masked_message
from parity.operations.scenarios.json_layout import harbor_text
from parity.operations.scenarios.transcripts import Transcript, transcript_of_trial
from parity.scorer.result_text import json_text


def _masked(text: str) -> str:
    return Masks({}, {}).document(text)


@pytest.mark.parametrize(
    ("time", "masked"),
    [
        ("2026-01-02T03:04:05.678901Z", "0000-00-00T00:00:00.000000Z"),
        ("2026-01-02T03:04:05.678901", "0000-00-00T00:00:00.000000"),
        ("2026-01-02T03:04:05.678+00:00", "0000-00-00T00:00:00.000+00:00"),
        ("2026-01-02 03:04:05", "2026-01-02 03:04:05"),
        ("1767323045", "1767323045"),
        ("", ""),
    ],
)
def test_time_keeps_its_form(time: str, masked: str) -> None:
    """The digits in a time become 0, and the rest of its form is kept."""
    assert json.loads(_masked(json.dumps({"started_at": time}))) == {"started_at": masked}


@pytest.mark.parametrize(("other", "masked"), [("06.5", "00.000000"), ("06", "00")])
def test_full_second_has_a_fraction_if_another_time_has_one(other: str, masked: str) -> None:
    """A time without a fraction gets one if another time has one, and is otherwise kept."""
    times = {"started_at": "2026-01-02T03:04:05Z", "finished_at": f"2026-01-02T03:04:{other}Z"}

    assert json.loads(_masked(json.dumps(times)))["started_at"] == f"0000-00-00T00:00:{masked}Z"


@pytest.mark.parametrize(
    ("kind", "message", "masked"),
    [
        ("OSError", "", ""),
        ("OSError", "no room", "…"),
        ("ValueError", 'the "reward" is\nempty', "harbor_reward_empty"),
        ("RewardFileEmptyError", "no bytes", "…, after the type harbor_reward_empty"),
        ("MissingError", "cannot parse the reward", "harbor_reward_parse_error, after the type harbor_reward_missing"),
    ],
)
def test_message_keeps_its_reason_codes(kind: str, message: str, masked: str) -> None:
    """A message is reduced to its reason codes, both alone and in a document."""
    document = {"exception_type": kind, "exception_message": message, "exception_traceback": f"x\n{message}"}

    assert masked_message(kind, message) == masked
    assert json.loads(_masked(json_text(document))) == {
        "exception_type": kind,
        "exception_message": masked,
        "exception_traceback": "…",
    }


@pytest.mark.parametrize(
    "number",
    [0.0, -0.0, 1.5, 1e15, 1e16, -1.5e300, 1e-4, 1.25e-5, -1e-5, 5e-324, math.inf, math.nan, 2**70, True],
)
def test_numbers_are_written_as_by_pydantic(number: float) -> None:
    """A number has pydantic's spelling in a document, whose layout is pydantic's, too."""
    document: Any = {"é\n": [number, {}, [], {"a": [[number]]}]}

    text = harbor_text(document)

    assert text == to_json(document, indent=4, inf_nan_mode="null").decode() == json_text(document)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        '{\n    "a": 1\n}\n',
        '{\r\n    "a": 1\r\n}',
        '{\n    "a": 1.00\n}',
        '{\n    "\\u00e9": 1\n}',
        '{\n    "a": 1,\n    "a": 1\n}',
        '{\n    "a": NaN\n}',
        '{\n    "a": "\\ud800"\n}',
        "{",
        "[" * 100_000,
    ],
)
def test_unusual_layout_is_not_plain(text: str) -> None:
    """A document whose layout or spelling differs from Harbor's is not plain, so its text is recorded."""
    assert not is_plain(text)


_RESULT = {"id": "x", "config": {"job": 1, "timeout": 1.0}, "exception_info": None}
_FILES = {"config.json": json_text(_RESULT["config"]), "result.json": json_text(_RESULT), "exception.txt": "Error"}


def _record(directory: Path, **changed: str) -> Transcript:
    directory.mkdir()
    for name, text in {**_FILES, **{name.replace("_", "."): text for name, text in changed.items()}}.items():
        (directory / name).write_text(text, newline="")
    return transcript_of_trial(directory, [], {"trial": directory})


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"result_json": _FILES["result.json"] + "\n"}, ("texts", "layout", "result.json")),
        ({"result_json": _FILES["result.json"].replace("\n", "\r\n")}, ("texts", "layout", "result.json", "")),
        (
            {"result_json": _FILES["result.json"].replace('"x"', '"\\u0078"')},
            ("texts", "spelling", "result.json", "id"),
        ),
        (
            {"config_json": _FILES["config.json"].replace("1.0", "1.00")},
            ("texts", "spelling", "config.json", "timeout"),
        ),
        (
            {"config_json": _FILES["config.json"].replace('"job": 1', '"job": 1,"job": 1')},
            ("texts", "duplicate-key", "config.json", "job"),
        ),
        ({"result_json": _FILES["result.json"].replace('"job": 1', '"job": 2')}, ("result", "config", "job")),
        ({"config_json": _FILES["config.json"].replace('"job": 1', '"job": 2')}, ("files", "config.json", "job")),
        ({"exception_txt": ""}, ("files", "exception.txt")),
        ({"result_json": "{'id'}"}, ("result",)),
    ],
)
def test_difference_has_its_document_and_place(tmp_path: Path, changed: dict[str, str], path: tuple[str, ...]) -> None:
    """A difference has the document, the place, and the aspect that differs."""
    expected, actual = _record(tmp_path / "expected"), _record(tmp_path / "actual", **changed)

    difference: Any = _first(expected, actual)

    assert difference.path == path


def _first(expected: Transcript, actual: Transcript) -> Difference | None:
    difference = compare(expected, actual)
    return difference and restated(difference, expected, actual)


@pytest.mark.parametrize("texts", [None, [], {"config.json": None}, {"no.json": "{}"}])
def test_malformed_record_is_compared(tmp_path: Path, texts: object) -> None:
    """A malformed record is compared without an error."""
    expected = _record(tmp_path / "expected")

    case: Any = None
    difference: Any = RUN_JOB.compare(case, Value(expected), Value({**expected, "texts": texts}))

    assert difference.path == ("texts",)
