"""Tests that the models accept, convert and refuse the same values as Harbor's models.

The models are those for task.toml and for the documents of jobs. Each value in a complete document is removed, and
replaced by each of many values.
"""

import copy
import json
import warnings
from collections.abc import Callable, Iterator
from datetime import date, time
from typing import Any

import pytest
from harbor.models.task.config import TaskConfig as HarborTask
from harbor.models.task.verifier_mode import resolve_effective_verifier_env_config
from pydantic import BaseModel, ValidationError

from parity.formats.configuration import JobConfiguration, TrialConfiguration
from parity.formats.lock import LockedJob
from parity.formats.task import TaskConfig
from parity.scorer.job_directory.trial_score import TRIAL_RESULT
from tests.driver.wheel_documents import reloaded
from tests.jobs.plans import PlannedRun, PlannedTask, RealJobPlan
from tests.jobs.runs import run_real_job

type Tree = dict[str, Any]
type Read = Callable[[Any], object]
"""A function that reads a document, and returns its content in a form that both models share, or `refused`."""

_HEALTHCHECK = {"command": "c", "interval_sec": 1, "start_period_sec": 2.5, "retries": 2}
_NETWORK = {"network_mode": "allowlist", "allowed_hosts": ["a.b"]}
_ENVIRONMENT = {
    "build_timeout_sec": 1, "docker_image": "image", "os": "linux", "cpus": 1, "memory": "2G", "storage_mb": 10,
    "gpus": 1, "gpu_types": ["a"], "tpu": {"type": "v6e", "topology": "2x4"}, "env": {"A": "${SET:-x}"},
    "mcp_servers": [
        {"name": "m", "transport": "sse", "url": "u"},
        {"name": "n", "transport": "stdio", "command": "c", "args": ["1"]},
    ],
    "skills_dir": "s", "healthcheck": _HEALTHCHECK, "workdir": "w", "allow_internet": True,
}  # fmt: skip
_PHASE = {"timeout_sec": 5, "user": "bob", **_NETWORK}
_VERIFIER = {**_PHASE, "env": {"B": "1"}, "environment_mode": "separate", "environment": {"cpus": 1, **_NETWORK}}
_ARTIFACTS = ["/a", {"source": "/b", "destination": "c", "exclude": ["*.pyc"]}]
_TASK: Tree = {
    "schema_version": "1.0", "source": "s", "metadata": {"a": "b"}, "agent": _PHASE, "verifier": _VERIFIER,
    "task": {"name": "org/name", "description": "d", "authors": [{"name": "A", "email": "a@b"}], "keywords": ["k"]},
    "environment": _ENVIRONMENT, "solution": {"env": {"C": "1"}}, "artifacts": _ARTIFACTS,
    "multi_step_reward_strategy": "final",
    "steps": [
        {"name": "one", "agent": _PHASE, "verifier": {"environment": {"cpus": 1}}, "min_reward": {"reward": 1},
         "artifacts": _ARTIFACTS, "healthcheck": _HEALTHCHECK},
    ],
}  # fmt: skip

_OF_TASKS: list[Any] = [
    True, False, 0, 1, 2, -1, 7, 2**31, 2**63 - 1, 2**63, -(2**64), 10**308, 10**309, 0.0, -0.0, 1.0, 1.5, 1e18, 5e-324,
    9223372036854774784.0, -9223372036854775808.0, 1e300, float("nan"), float("inf"), date(2020, 1, 2), time(1, 2, 3),
    "", "a", "é", "a\0b", "two words", "x" * 300, "..", "/",
    "1", " 1", "+1", "01", "1.0", "1.", ".5", "1e3", "1_0", "1__0", "0x1", "-0", "٣", "nan", "inf", "Infinity",
    "1e999", "9" * 400, "9" * 4400, "\u00a01", "true", "YES", "y", "on", "off", " yes", "tru", "oN",
    "512M", "1K", "2000K", " 2g ", "0.5G", "1e3M", "G", "2T", "infG", "nanG", "1e400K", "-1G", "1_0M", "٢G", "2GB",
    "2 G", "2\nG", "Linux", "WINDOWS", "public", "no-network", "Public", "shared", "Shared", "separate", "mean", "Mean",
    "org/a..b", "o.r-g_/n.a", "org/", ".org/a", "org/name\n", "o/n/m", "Ö/n",
    "0x1", "2x", " 2x2x1 ", "2X2", "2x\u0663", "2x4\n", "http", "streamable-http", "ftp",
    [], {}, [1], ["a"], ["a", ["b"]], [{}], {"a": 1}, {"a": "b"}, {"a": "0.5", "b": True}, {"a": {}}, [1.0],
    ["A.B."], [" x "], ["http://a"], [""], ["a_b"], ["-a"], ["a" * 64], ["a\n.b"], ["."], ["a..b"], ["\u212a.b"],
    [{"source": "/a", "destination": "../x"}], [{"destination": "x"}], [{"source": "a", "exclude": [1]}],
    [{"name": "m"}], [{"name": "m", "transport": "http", "url": ""}], [{"name": 1}], {"type": "v4"},
]  # fmt: skip
"""Values for any place in task.toml, which has no null."""

_OF_DOCUMENTS: list[Any] = [
    None, True, False, 0, 1, -3, 2.0, 1.5, -1e19, "", "a", "7", " 7", "7.0", "1_0", "1e3", "off", "true",
    f"sha256:{'0a' * 32}", f"sha256:{'0A' * 32}", f"sha256:{'0a' * 32}\n", f"sha256:{'0a' * 31}", "0a" * 32,
    [], {}, [1], ["a"], [{}], {"a": 1}, {"a": "b"}, {"reward": "2"},
]  # fmt: skip
"""Values for any place in the other documents. The oldest supported pydantic refuses an int beyond 64 bits where a
float is expected.
"""

_LOOSE = {("task_id", "path")}
"""Paths of strings that only Harbor normalises."""


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in items:
        yield (*path, name)
        yield from _places(item, (*path, name))


def _changed(document: Tree, path: tuple[Any, ...], *value: Any) -> Tree:
    """Return a document with the value at the path replaced, or removed if no value is passed."""
    changed = copy.deepcopy(document)
    *outer, last = path
    table: Any = changed
    for name in outer:
        table = table[name]
    if value:
        table[last] = copy.deepcopy(value[0])
    else:
        del table[last]
    return changed


def _variants(document: Tree, values: list[Any]) -> Iterator[Tree]:
    yield document
    for path in _places(document):
        yield _changed(document, path)
        for value in () if path in _LOOSE else values:
            yield _changed(document, path, value)


def _differences(variants: Iterator[Tree], harbor: Read, ours: Read) -> list[object]:
    """Return the documents that the two functions read differently."""
    with warnings.catch_warnings(action="ignore"):
        return [variant for variant in variants if harbor(variant) != ours(variant)]


def _settings(config: HarborTask | TaskConfig, separate: list[bool]) -> str:
    """Return a task's settings as JSON, with artifacts in table form and without the deprecated key."""
    settings = config.model_dump(mode="json")
    settings["steps"] = settings["steps"] or []
    for part in (settings, *settings["steps"]):
        part["artifacts"] = [
            {"source": each, "destination": None, "exclude": []} if isinstance(each, str) else each
            for each in part["artifacts"]
        ]
        for environment in (part.get("environment"), part["verifier"]["environment"]):
            if environment is not None:
                environment.pop("allow_internet", None)
    is_explicit = "network_mode" in config.environment.model_fields_set
    return json.dumps([settings, is_explicit, separate], sort_keys=True)


def _task_of_harbor(document: Tree) -> object:
    try:
        config = HarborTask.model_validate(copy.deepcopy(document))
    except (ValueError, OverflowError) as error:
        return "ends the job" if isinstance(error, OverflowError) else "refused"
    own = [resolve_effective_verifier_env_config(config, step) for step in config.steps or [None]]
    return _settings(config, [environment is not None for environment in own])


def _task_of_ours(document: Tree) -> object:
    try:
        config = TaskConfig.model_validate(copy.deepcopy(document))
    except (ValidationError, OverflowError) as error:
        return "ends the job" if isinstance(error, OverflowError) else "refused"
    return _settings(config, [config.is_separate(step) for step in config.steps or (None,)])


@pytest.mark.parametrize("table", [*_TASK, "all"])
def test_task_is_read_as_by_harbor(table: str) -> None:
    """Each table of task.toml, alone and with all others, is read with the same values or refused by both models."""
    variants = _variants(_TASK, [1, "a", {}]) if table == "all" else _variants({table: _TASK[table]}, _OF_TASKS)

    differences = _differences(variants, _task_of_harbor, _task_of_ours)

    assert differences == []


_MODELS: dict[str, type[BaseModel]] = {
    "job config": JobConfiguration,
    "trial config": TrialConfiguration,
    "trial result": TRIAL_RESULT,
    "job lock": LockedJob,
}
_SETTINGS: Tree = {
    "agent_timeout_multiplier": 3.0,
    "retry": {"max_retries": 2, "include_exceptions": ["A"]},
    "agents": [{"name": "a", "import_path": "a.b:C", "model_name": "m", "kwargs": {"c": "d"}, "env": {"A": "b"}}],
    "metrics": [{"type": "max", "kwargs": {}}],
    "verifier": {"env": {"C": "d"}, "max_timeout_sec": 1.5},
    "artifacts": ["a", {"source": "b", "exclude": ["c"]}],
}


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Tree]:
    """Return a document of each kind that the wheel wrote, with values in most fields."""
    steps = PlannedTask("steps", "data", steps=2)
    plan = RealJobPlan((steps,), lambda trial_run: PlannedRun({"reward": 1}, steps=(PlannedRun({"reward": 1}),) * 2))
    job = run_real_job(tmp_path_factory.mktemp("job"), plan)
    trial = next(job.glob("*__*"))
    paths = job / "config.json", trial / "config.json", trial / "result.json", job / "lock.json"
    config, trial_config, result, lock = (json.loads(path.read_text()) for path in paths)
    usage = {"n_input_tokens": 1, "n_cache_tokens": 2, "n_output_tokens": 3, "cost_usd": 0.5}
    error = {
        "exception_type": "E",
        "exception_message": "",
        "exception_traceback": "",
        "occurred_at": "2026-01-01T00:00:00",
    }
    result["agent_info"]["model_info"] = {"name": "model", "provider": None}
    result |= {"agent_result": usage, "verifier_result": {"rewards": {"reward": 1, "b": 0.5}}, "exception_info": error}
    result["step_results"][0]["agent_result"] = usage
    result["config"] = {"task": {"path": "a"}}
    return {"job config": config | _SETTINGS, "trial config": trial_config, "trial result": result, "job lock": lock}


def _without_random(content: Any) -> Any:
    """Return a document without the values that Harbor generates at random."""
    if isinstance(content, dict):
        random = {"id", "job_name", "trial_name", "created_at"}
        return {name: _without_random(value) for name, value in content.items() if name not in random}
    return [_without_random(item) for item in content] if isinstance(content, list) else content


def _reader(model: type[BaseModel], write: Callable[[str], str]) -> Read:
    """Return a function that reads a document with our model, after `write` has converted the document's text."""

    def read(document: Tree) -> object:
        try:
            content = model.model_validate_json(write(json.dumps(document))).model_dump(mode="json")
        except (ValueError, TypeError):  # a validator in Harbor raises TypeError for a number
            return "refused"
        return repr(_without_random(content))

    return read


@pytest.mark.parametrize("kind", _MODELS)
def test_document_is_read_as_by_harbor(documents: dict[str, Tree], kind: str) -> None:
    """For each value at each place, both models read the same content or both refuse the document."""
    model = _MODELS[kind]
    harbor, ours = _reader(model, lambda text: reloaded(kind, text)), _reader(model, lambda text: text)

    differences = _differences(_variants(documents[kind], _OF_DOCUMENTS), harbor, ours)

    assert differences == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("environment", "env"), ["A = b=c", "B="]),
        (("environment", "env"), ["A"]),
        (("environment", "cpu_enforcement_policy"), "LIMIT"),
        (("environment", "cpu_enforcement_policy"), "limitless"),
        (("tasks",), [{"path": "a"}, {"name": "b/c", "ref": "d"}]),
        (("tasks",), [{"path": "a", "name": "b/c"}]),
        (("tasks",), [{"git_url": "a"}]),
        (("tasks",), [{"path": "a", "ref": "b"}]),
        (("tasks",), [{"path": "a", "git_url": "b", "git_commit_id": "c"}]),
        (("tasks",), [{"path": "a", "git_commit_id": "b"}]),
        (("datasets",), [{"path": "a"}, {"name": "b", "version": "1"}, {"name": "c", "ref": "2"}]),
        (("datasets",), [{"name": "a", "version": "1", "ref": "2"}]),
    ],
)
def test_values_that_exclude_each_other_are_refused_as_by_harbor(
    documents: dict[str, Tree], path: tuple[str, ...], value: Any
) -> None:
    """Values in a job's configuration that exclude each other are refused if, and only if, Harbor refuses them."""
    variants = iter([_changed(documents["job config"], path, value)])
    harbor = _reader(JobConfiguration, lambda text: reloaded("job config", text))

    differences = _differences(variants, harbor, _reader(JobConfiguration, lambda text: text))

    assert differences == []
