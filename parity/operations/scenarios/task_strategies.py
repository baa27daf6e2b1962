"""Hypothesis strategies for tasks that both drivers accept: task.toml, and the files beside it."""

import json
import re
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from parity.operations.files.number_strategies import choose, seldom
from parity.operations.scenarios.scenario import TaskFiles

type _TomlTable = dict[str, Any]


def _table(**members: st.SearchStrategy[Any]) -> st.SearchStrategy[_TomlTable]:
    """Draw a table from strategies for its values. Keys whose value is None are omitted."""
    return st.fixed_dictionaries(members).map(
        lambda table: {key: value for key, value in table.items() if value is not None}
    )


_users = seldom(st.sampled_from(["bob", "alice", "root", 1000, 0, "", "0", True, 7.0]), 1)
_templates = ["${SET}", "${SET:-other}", "${EMPTY}", "${EMPTY:-other}", "${MISSING:-default}", "${MISSING:-}"]
_no_templates = ["$SET", "a ${SET}", "${}", "${SET:x}", "${SET", "${A}B}", "${MISSING:-a}b}", "${SET:-\n}"]
_values = choose(
    st.sampled_from(["value", "", "two words", "é"]), st.sampled_from(_templates), st.sampled_from(_no_templates)
)
_variables = st.sampled_from(["A", "A", "B", "C", "DEBIAN_FRONTEND", "API_KEY", "INSTRUCTION"])
environments: st.SearchStrategy[dict[str, str]] = choose(
    st.just({}),
    st.just({}),
    st.dictionaries(_variables, _values, min_size=1, max_size=3),
    st.sampled_from([{"A": "${SET}"}, {"A": "${SET:-other}", "B": "${EMPTY}"}, {"A": "${MISSING}"}]),
)
"""Environment variables. Some values are templates."""

_some_env = seldom(environments, 1)
_timeouts = st.sampled_from([10.0, 3.5, 0.5, 120, 7, 30.0, 0.0, -1.0, float("inf"), float("nan"), "3.5", True])
_checks = _table(
    command=st.sampled_from(["true", "curl -f localhost", "exit 1 # no empty reward"]),
    interval_sec=seldom(st.sampled_from([0.0, 0.5, 2.0, 60.0]), 1),
    timeout_sec=seldom(st.sampled_from([0.0, 1.5, 10.0]), 2),
    start_period_sec=seldom(st.sampled_from([0.0, 0.5, 6.0, 20.0]), 1),
    start_interval_sec=seldom(st.sampled_from([0.0, 1.0, 4.5]), 2),
    retries=seldom(st.sampled_from([-1, 0, 1, 2, 4]), 1),
)
_environment_members: dict[str, st.SearchStrategy[Any]] = {
    "build_timeout_sec": seldom(_timeouts, 5),
    "docker_image": seldom(st.sampled_from(["debian:12", ""]), 2),
    "cpus": seldom(st.sampled_from([1, 2, 4, "2", 3.0]), 8),
    "memory_mb": seldom(st.sampled_from([512, 512, 512.0]), 8),
    "storage_mb": seldom(st.sampled_from([100, 10240]), 8),
    "memory": seldom(st.sampled_from(["512M", " 0.5g", 2048]), 16),
    "network_mode": seldom(st.sampled_from(["no-network", "public"]), 3),
    "workdir": seldom(st.sampled_from(["/work", "/two words", ""]), 3),
    "env": seldom(environments, 1),
}
_environment = _table(**_environment_members, healthcheck=seldom(_checks, 2))
_agent = _table(timeout_sec=seldom(_timeouts, 1), user=_users)

_sources = st.sampled_from(
    ["/logs/artifacts", "/logs/artifacts/", "/app/out.txt", "/app/out", "/app/data", "out.txt", "/app/data.d", "/"]
)
_destinations = st.sampled_from(
    ["kept", "/kept/deep", ".", "manifest.json", "out.txt", "/logs/artifacts", "/logs/artifacts/", "kept/out.txt", ""]
)
_artifacts = choose(
    st.just([]),
    st.just([]),
    st.lists(
        choose(
            _sources,
            _table(
                source=_sources,
                destination=seldom(_destinations, 1),
                exclude=seldom(st.sampled_from([["*.pyc"], ["sub", "two words"], []]), 1),
            ),
        ),
        min_size=1,
        max_size=3,
    ),
)
_artifacts_if_any = _artifacts.map(lambda drawn: drawn or None)


_own_environments = seldom(_table(**_environment_members), 2)
_verifier_members = _table(timeout_sec=seldom(_timeouts, 2), env=_some_env, user=_users)


@st.composite
def _verifier(draw: st.DrawFn, modes: st.SearchStrategy[str | None]) -> _TomlTable:
    """Draw a verifier's table. A shared verifier has no environment of its own."""
    mode = draw(modes)
    own = None if mode != "separate" else draw(_own_environments)
    table = draw(_verifier_members)
    if mode == "separate" and own is not None and draw(st.booleans()):
        mode = None
    optional = {"environment_mode": mode, "environment": own}
    return table | {key: value for key, value in optional.items() if value is not None}


_names = st.sampled_from(["one", "two", "three", "first step", "o'ne", "é", "long-" * 20])
_step = _table(
    name=_names,
    agent=seldom(_agent, 1),
    verifier=seldom(_verifier(st.sampled_from([None, None, None, "shared", "separate"])), 1),
    min_reward=seldom(st.sampled_from([0.5, 0, 2.0, "0.5", {"reward": 0.5}, {"speed": 0.1, "reward": 1}]), 3),
    healthcheck=seldom(_checks, 3),
    artifacts=_artifacts_if_any,
)
_top_members: dict[str, st.SearchStrategy[Any]] = {
    "task": seldom(st.just({"name": "org/kept.name"}), 4),
    "agent": seldom(_agent, 1),
    "verifier": seldom(_verifier(st.sampled_from([None, None, "shared", "separate", "separate"])), 1),
    "environment": seldom(_environment, 0),
    "solution": seldom(_table(env=environments), 1),
    "artifacts": _artifacts_if_any,
}
_single = _table(**_top_members)
_multi = _table(
    **_top_members,
    multi_step_reward_strategy=st.sampled_from([None, "mean", "final"]),
    steps=st.lists(_step, min_size=1, max_size=3),
)

_instructions = choose(
    st.just("Do it.\n"),
    st.sampled_from(["", "\n\n  Do it.", "<!-- CANARY x -->\n\nDo it.", "# canary 1\n# canary 2\nDo it."]),
    st.sampled_from(
        ["Do it.\n# canary", "# Canary\n", "\n# canary\nDo it.", "<!-- canary\n-->\nDo it.", "Ünï\r\ncode"]
    ),
)
_build_contexts = st.sampled_from(
    [
        {"environment/": ""},
        {"environment/": ""},
        {"environment/data.txt": "data"},
        {"environment/Dockerfile": "FROM x"},
        {"environment/docker-compose.yaml": "", "environment/sub/data": ""},
    ]
)
_solutions = st.sampled_from(
    [*[{"solution/solve.sh": "#!/bin/sh\n"}] * 4, {"solution/solve.sh": "", "solution/more/data": "1"}, {}]
)
_step_workdirs = st.sampled_from(
    [
        {}, {}, {"workdir/data": "1"}, {"workdir/setup.sh": ""}, {"workdir/setup.sh": "", "workdir/data": ""},
        {"workdir/": ""},
    ]
)  # fmt: skip
_step_tests = st.sampled_from([{}, {}, {"tests/test.sh": "exit"}, {"tests/data": "1"}])
_step_solutions = st.sampled_from([{}, {}, {"solution/solve.sh": ""}, {"solution/": ""}])
_seldom_true = st.sampled_from([False] * 7 + [True])
_of_steps = choose(_single, _multi)


def _step_files(draw: st.DrawFn) -> dict[str, str]:
    unreadable = draw(_seldom_true)
    instruction = {"instruction.md/": ""} if unreadable else {"instruction.md": draw(_instructions)}
    return {**instruction, **draw(_step_workdirs), **draw(_step_tests), **draw(_step_solutions)}


@st.composite
def tasks(draw: st.DrawFn) -> TaskFiles:
    """Draw tasks with up to three steps, with all files that are required to run the tasks."""
    toml = draw(_of_steps)
    steps: list[_TomlTable] = toml.get("steps", [])
    files = {**draw(_build_contexts), **draw(_solutions)}
    if not steps or draw(st.booleans()):
        files["instruction.md"] = draw(_instructions)
    for name in dict.fromkeys(step["name"] for step in steps):
        files |= {f"steps/{name}/{file}": content for file, content in _step_files(draw).items()}
    if draw(st.integers(0, 3)) or not _does_without_tests(toml, files):
        files["tests/test.sh"] = "#!/bin/sh\n"
    return TaskFiles(toml_of(toml), files)


def _does_without_tests(toml: _TomlTable, files: dict[str, str]) -> bool:
    """Return whether every verifier has a sandbox or tests of its own."""
    return all(
        _is_separate(step, toml) or (step and f"steps/{step['name']}/tests/test.sh" in files)
        for step in toml.get("steps", [{}])
    )


def _is_separate(step: _TomlTable, toml: _TomlTable) -> bool:
    modes = [_mode(step), _mode(toml)]
    return next((mode for mode in modes if mode is not None), "shared") == "separate"


def _mode(part: _TomlTable) -> str | None:
    verifier = part.get("verifier", {})
    mode: str | None = verifier.get("environment_mode")
    return "separate" if mode is None and "environment" in verifier else mode


def toml_of(document: Mapping[str, Any]) -> str:
    """Convert strings, numbers, booleans, lists and tables to a TOML document. Keys whose value is None are omitted."""
    members = {key: value for key, value in document.items() if value is not None}
    lines = [f"{key} = {_inline(value)}" for key, value in members.items() if not _is_heading(value)]
    for key, value in members.items():
        if isinstance(value, Mapping):
            lines += ["", f"[{key}]", *_members(value)]
        elif _is_heading(value):
            for table in value:
                lines += ["", f"[[{key}]]", *_members(table)]
    return "\n".join([*lines, ""]).lstrip("\n")


def _is_heading(value: Any) -> bool:
    tables = value if isinstance(value, list) and value else [value]
    return all(isinstance(table, Mapping) for table in tables)


def _members(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_inline(value)}" for key, value in table.items() if value is not None]


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(_members(value)) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool) else repr(value)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


timeouts = st.sampled_from([None, None, None, 0.0, 3.0, 10.5, 100.0, -1.0])
"""Timeouts in seconds, which may be zero or negative, or None."""

models = st.sampled_from([None, None, "some/model", "model", "a/b/c", "/", "provider/", ""])
"""Names of models, with and without a provider, or None."""
