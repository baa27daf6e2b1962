"""Documents that are parsed part by part say the same as those that are parsed in one, whatever is in them."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.operations.job_stats.job_plans import PlannedRun, PlannedTask, RealJobPlan
from parity.reference.real_jobs import run_job
from parity.scorer import Usage
from parity.scorer.from_disk.files import FolderError, parse_object
from parity.scorer.from_disk.layout import parse_lock, parse_trial
from parity.scorer.from_disk.reading import Model, Parser, agent, items, read_document, rewards, table
from parity.scorer.from_disk.trial_file import trial_result

type Texts = list[tuple[Model, Parser, str]]

_CONFIG = {"task": table, "agent": agent}
_RESULT = trial_result(Model(_CONFIG, {}), rewards)
_LOCK = Model({"trials": items(Model(_CONFIG, {}))}, {})
_UNREAD = {"environment_setup", "agent_setup", "agent_execution", "verifier"}
_PIECES = [
    *("{", "}", "[", "]", ",", '"', ":", "\n", "\\", "\\ud800", "0", "null", "\ufeff", "\n    ", "\n        }", "\n}"),
    ',\n    "config": {\n        "task": ',
    ',\n        "timeout_multiplier": ',
    ',\n            "timeout_multiplier": 1',
    '\n    },\n    "agent_info": ',
    ',\n    "environment_setup": null',
    ',\n    "verifier": 7',
    ',\n    "step_results": null\n}',
    '\n    "trials": [\n        {\n            "task": ',
    '\n        },\n        {\n            "task": ',
    ',\n        "agent": {"a": 1}',
    '\n    "id": "", ',
    '"x": 1, ',
    '"started_at": "2026-02-30T00:00:00"',
]


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Texts:
    """What the wheel wrote of a job: plain trials, with steps, with an error, and the lock."""
    tasks = PlannedTask("plain"), PlannedTask("steps", "data", steps=2)
    run = PlannedRun({"reward": 1}, usage=Usage(1, 2, 3, 0.5))
    failed = PlannedRun({"reward": 1}, agent="OSError", steps=(PlannedRun(),) * 2)
    job = run_job(
        tmp_path_factory.mktemp("job"), RealJobPlan(tasks, lambda spot: failed if spot.attempt else run, attempts=2)
    )
    results = [(_RESULT, parse_trial, path.read_text()) for path in sorted(job.glob("*/result.json"))]
    return [*results, (_LOCK, parse_lock, (job / "lock.json").read_text())]


def _read(model: Model, parse: Parser, text: str) -> str:
    try:
        read = read_document("file", model, text, parse=parse)
    except FolderError as error:
        return str(error)
    return repr({name: value for name, value in read.items() if name not in _UNREAD})


def test_as_the_wheel_writes_them(texts: Texts) -> None:
    """Nothing is lost, and nothing added."""
    for model, parse, text in texts:
        assert _read(model, parse, text) == _read(model, parse_object, text)


def test_timings_that_are_sure_are_not_parsed(texts: Texts) -> None:
    """So the wheel's texts have the layout."""
    for _, parse, text in texts[:-1]:
        assert parse("file", text)["environment_setup"] is None
        assert parse_object("file", text)["environment_setup"] is not None


@given(st.data())
def test_with_whatever_is_in_them(texts: Texts, data: st.DataObject) -> None:
    """Up to three pieces are cut out, moved or added; both ways to parse read the same, or refuse it for one reason."""
    model, parse, text = data.draw(st.sampled_from(texts))
    for _ in range(data.draw(st.integers(1, 3))):
        text = data.draw(st.sampled_from([_without, _with_another, _moved]))(data.draw, text)

    found = _read(model, parse, text)

    assert found == _read(model, parse_object, text)


def _place(draw: Callable[..., Any], text: str) -> int:
    """Mostly where a line or a token ends."""
    near: int = draw(st.integers(0, len(text)))
    end = draw(st.sampled_from(["", "\n", ",", '"', " "]))
    return max(text.rfind(end, 0, near), 0)


def _span(draw: Callable[..., Any], text: str) -> tuple[int, int]:
    start = _place(draw, text)
    return start, start + draw(st.sampled_from([1, 5, 40, 400]))


def _without(draw: Callable[..., Any], text: str) -> str:
    start, end = _span(draw, text)
    return text[:start] + text[end:]


def _with_another(draw: Callable[..., Any], text: str) -> str:
    place = _place(draw, text)
    return f"{text[:place]}{draw(st.sampled_from(_PIECES))}{text[place:]}"


def _moved(draw: Callable[..., Any], text: str) -> str:
    start, end = _span(draw, text)
    rest = text[:start] + text[end:]
    place = _place(draw, rest)
    return rest[:place] + text[start:end] + rest[place:]
