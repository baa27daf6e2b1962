"""Documents that are read by their layout say the same as those that are parsed and checked, whatever is in them."""

from collections.abc import Callable
from typing import Any

import pytest
from harbor.models.agent.context import AgentContext
from harbor.models.task.id import GitTaskId, PackageTaskId
from harbor.models.trial.result import TrialResult
from hypothesis import given
from hypothesis import strategies as st

from parity.operations.job_stats.job_plans import PlannedRun, PlannedTask, RealJobPlan
from parity.reference.real_jobs import run_real_job
from parity.scorer import Usage
from parity.scorer.from_disk.files import FolderError
from parity.scorer.from_disk.job_lock import LOCK, lock_of, planned_in_full, planned_in_layout
from parity.scorer.from_disk.layout import MISFITS
from parity.scorer.from_disk.reading import read_document
from parity.scorer.from_disk.trial_file import trial_in_layout, trial_of_result
from parity.scorer.from_disk.trial_models import TRIAL

type Read = Callable[[str], object]

type Documents = list[tuple[Read, Read, str]]
"""How each is read by its layout, how it is read in full, and the text."""

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
    ',\n        "task": {"path": "other"}',
    ',\n    "source": "other"',
    '"reward": 2, ',
    '"started_at": "2026-02-30T00:00:00"',
]
_VALUES = [
    *("null", "true", "{}", "[]", '""', '"a"', "0", "7", "-1", "-0", "00", "0.5", "1.", "1e3", "1e400", "2E-7", "NaN"),
    *('"\\n"', '"\t"', '"\\ud800"', '"ä"', '"a"b"', "9" * 30, '"0.5"', '"2026-02-30T00:00:00"', '{"a": 1}', "[{}]"),
    *('"2026-02-03T04:05:06"', '"2026-02-03T04:05:06.000007+01:00"'),
]


def _trial_by_layout(text: str) -> object:
    return trial_in_layout("trial", text)


def _trial_in_full(text: str) -> object:
    return trial_of_result("trial", read_document("file", TRIAL, text))


def _lock_by_layout(text: str) -> object:
    try:
        return lock_of(planned_in_layout(text), 1)
    except MISFITS:
        return None


def _lock_in_full(text: str) -> object:
    return lock_of(planned_in_full(read_document("file", LOCK, text)), 1)


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    """What the wheel wrote of a job: plain trials, with steps, with an error, of other kinds of tasks; and the lock."""
    tasks = PlannedTask("plain"), PlannedTask("steps", "data", steps=2)
    run = PlannedRun({"reward": 1}, usage=Usage(1, 2, 3, 0.5))
    failed = PlannedRun({"reward": 1}, agent="OSError", steps=(PlannedRun(),) * 2)
    job = run_real_job(
        tmp_path_factory.mktemp("job"), RealJobPlan(tasks, lambda spot: failed if spot.attempt else run, attempts=2)
    )
    results = [path.read_text() for path in sorted(job.glob("*/result.json"))]
    changes: list[dict[str, object]] = [
        {"task_id": GitTaskId(git_url="https://host/tasks", path="task"), "verifier_result": None},
        {"task_id": PackageTaskId(org="org", name="task", ref="1"), "source": None},
        {"agent_result": AgentContext(cost_usd=1e-7, metadata={"turns": [1, {"of": "{"}], "empty": {}})},
    ]
    plain = TrialResult.model_validate_json(results[0])
    results += [plain.model_copy(update=change).model_dump_json(indent=4) for change in changes]
    lock = _lock_by_layout, _lock_in_full, (job / "lock.json").read_text()
    return [*((_trial_by_layout, _trial_in_full, text) for text in results), lock]


def _shown(read: Read, text: str) -> str:
    try:
        return repr(read(text))
    except FolderError as error:
        return str(error)


def test_as_the_wheel_writes_them(documents: Documents) -> None:
    """They have the layout; nothing is lost, and nothing added."""
    for by_layout, in_full, text in documents:
        assert by_layout(text) is not None
        assert _shown(by_layout, text) == _shown(in_full, text)


@given(st.data())
def test_with_whatever_is_in_them(documents: Documents, data: st.DataObject) -> None:
    """Up to three pieces are cut out, moved, added or replaced: both ways read the same, or the layout is not there."""
    by_layout, in_full, text = data.draw(st.sampled_from(documents))
    for _ in range(data.draw(st.integers(1, 3))):
        text = data.draw(st.sampled_from([_without, _with_another, _with_another_value, _moved]))(data.draw, text)

    found = _shown(by_layout, text)

    assert found in ("None", _shown(in_full, text))


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


def _with_another_value(draw: Callable[..., Any], text: str) -> str:
    line = draw(st.sampled_from([line for line in text.split("\n") if ": " in line]))
    name, _, value = line.partition(": ")
    comma = "," * value.endswith(",")
    return text.replace(line, f"{name}: {draw(st.sampled_from(_VALUES))}{comma}", 1)


def _moved(draw: Callable[..., Any], text: str) -> str:
    start, end = _span(draw, text)
    rest = text[:start] + text[end:]
    place = _place(draw, rest)
    return rest[:place] + text[start:end] + rest[place:]
