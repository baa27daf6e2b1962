"""The models of the documents of jobs and trials accept and refuse the same documents as Harbor's models."""

import copy
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from parity.driver.documents.lock import lock_of, lock_tree
from parity.driver.documents.results import Step, verified
from parity.driver.documents.writing import tree_of
from parity.formats.configuration import (
    AgentConfiguration,
    DatasetConfiguration,
    JobConfiguration,
    MetricConfiguration,
    RetryConfiguration,
    TrialConfiguration,
    VerifierConfiguration,
)
from parity.formats.document import Document
from parity.formats.lock import LockedJob
from parity.formats.trial_result import AgentResult, ExceptionInfo
from parity.scorer.from_disk.trial_score import TRIAL_RESULT
from tests.driver.earlier_runs import planned_trial, result_of
from tests.wheel_documents import reloaded

_AGENT = AgentConfiguration(
    import_path="a.b:C", kwargs={"command": "solve"}, env={"A": "b"}, model_name="some/model", override_timeout_sec=1.5
)
_JOB = JobConfiguration(
    job_name="job",
    datasets=[DatasetConfiguration(path=Path("dataset"), n_tasks=3)],
    timeout_multiplier=2.0,
    agent_timeout_multiplier=3.0,
    retry=RetryConfiguration(include_exceptions={"A"}),
    agents=[_AGENT],
    metrics=[MetricConfiguration(type="max")],
    verifier=VerifierConfiguration(env={"C": "d"}),
)
_THEN = datetime(2026, 1, 1, tzinfo=UTC)
_RESULT = result_of(planned_trial(_JOB, Path("/dataset/task"), "task__0000000", "dataset"))
_RESULT.verifier_result = verified({"reward": 1, "b": 0.5})
_RESULT.exception_info = ExceptionInfo(
    exception_type="OSError", exception_message="", exception_traceback="", occurred_at=_THEN
)
_RESULT.step_results = [
    Step(step_name="a", agent_result=AgentResult(), verifier_result=verified({"b": 1})),
    Step(step_name="b", agent_result=AgentResult(), verifier_result=verified(None)),
]
_DOCUMENTS: list[tuple[str, type[Document], Any]] = [
    ("job config", JobConfiguration, tree_of(_JOB)),
    ("trial config", TrialConfiguration, tree_of(_RESULT.config)),
    ("trial result", TRIAL_RESULT, tree_of(_RESULT)),
    ("job lock", LockedJob, lock_tree(lock_of(_JOB, [], _THEN, ["a"], {}))),
]
_OTHERS: list[Any] = [None, [], {}, "x", "1", "off", "", True, 0, 1, 2.5, -1, 3.0, [1], ["a"], {"a": 1}, {"a": "b"}]


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of a document at which a member can be removed or replaced."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in members:
        yield (*path, name)
        yield from _places(item, (*path, name))


@st.composite
def _changed(draw: st.DrawFn) -> tuple[str, type[Document], Any]:
    """Draw a document with one to three members removed, replaced or added."""
    kind, model, original = draw(st.sampled_from(_DOCUMENTS))
    document = copy.deepcopy(original)
    for _ in range(draw(st.integers(1, 3))):
        places = list(_places(document))
        if not places:
            break
        *path, last = draw(st.sampled_from(places))
        inner = document
        for step in path:
            inner = inner[step]
        action = draw(st.sampled_from(["drop", "replace", "replace", "add"]))
        if action == "drop":
            del inner[last]
        elif action == "replace":
            inner[last] = copy.deepcopy(draw(st.sampled_from(_OTHERS)))
        elif isinstance(inner, dict):
            inner["unknown"] = copy.deepcopy(draw(st.sampled_from(_OTHERS)))
    return kind, model, document


def _read(model: type[Document], document: Any) -> Any:
    try:
        return model.model_validate_json(json.dumps(document)).model_dump(mode="json")
    except ValidationError:
        return "refused"


def _read_by_harbor(kind: str, model: type[Document], document: Any) -> Any:
    """Return the content that Harbor's model reads, or a mark that it refuses the document."""
    text = json.dumps(document)
    try:
        written = reloaded(kind, text)
    except (ValueError, TypeError):  # the latter from a validator that does not expect a number
        return "refused"
    return model.model_validate_json(written).model_dump(mode="json")


@given(_changed())
def test_documents_are_taken_and_refused_as_by_harbor(changed: tuple[str, type[Document], Any]) -> None:
    """Harbor's models and this kit's read the same content, or both refuse the document."""
    kind, model, document = changed
    expected = _read_by_harbor(kind, model, document)

    read = _read(model, document)

    assert _without_random(read) == _without_random(expected)


_BEYOND_FIELDS: list[tuple[tuple[str | int, ...], Any]] = [
    (("environment", "env"), ["A = b=c", "B="]),
    (("environment", "env"), ["A"]),
    (("environment", "env"), {"A": "b"}),
    (("environment", "cpu_enforcement_policy"), "LIMIT"),
    (("environment", "cpu_enforcement_policy"), "limitless"),
    (("retry", "max_retries"), -1),
    (("tasks",), [{"path": "a"}, {"name": "b/c", "ref": "d"}]),
    (("tasks",), [{"path": "a", "name": "b/c"}]),
    (("tasks",), [{"git_url": "a"}]),
    (("tasks",), [{"path": "a", "ref": "b"}]),
    (("tasks",), [{"path": "a", "git_url": "b", "git_commit_id": "c"}]),
    (("tasks",), [{"path": "a", "git_commit_id": "b"}]),
    (("datasets",), [{"path": "a"}, {"name": "b", "version": "1"}, {"name": "c", "ref": "2"}]),
    (("datasets",), [{"name": "a", "version": "1", "ref": "2"}]),
    (("datasets",), [{}]),
    (("artifacts",), ["a", {"source": "b", "exclude": ["c"]}]),
    (("artifacts",), [{"destination": "a"}]),
]
"""ObjectPairs of a job's configuration that only checks beyond the fields' types accept or refuse."""


@pytest.mark.filterwarnings("ignore:.*environment:DeprecationWarning")
@pytest.mark.parametrize(("place", "value"), _BEYOND_FIELDS)
def test_what_models_check_by_themselves(place: tuple[str | int, ...], value: Any) -> None:
    """Checks beyond the fields' types, such as members that exclude each other, agree with Harbor's."""
    kind, model, original = _DOCUMENTS[0]
    document = inner = copy.deepcopy(original)
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    expected = _read_by_harbor(kind, model, document)

    read = _read(model, document)

    assert _without_random(read) == _without_random(expected)


def _without_random(read: Any) -> Any:
    """Return a document without the values that Harbor generates at random or derives."""
    if isinstance(read, dict):
        made_up = {"id", "job_name", "trial_name", "created_at"}
        return {name: _without_random(value) for name, value in read.items() if name not in made_up}
    return [_without_random(item) for item in read] if isinstance(read, list) else read
