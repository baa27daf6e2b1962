"""Scenarios of resumed jobs: files of earlier runs, whole or damaged, under the same or other settings."""

import copy
import json
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from parity.driver.settings import AgentSettings, Multipliers, RetrySettings
from parity.operations.files.number_strategies import choose
from parity.operations.scenarios.earlier_jobs import Left, earlier_files, earlier_lock
from parity.operations.scenarios.plain import BARE_DIGEST, BARE_TASK
from parity.operations.scenarios.recording import Script
from parity.operations.scenarios.scenario import JobScenario, ScenarioSettings
from parity.scorer.values import Rewards

_HALVED = '{"a\\ud800": 1, "b": 0.5}'
_FINE = Script({}, (), ({"/logs/verifier/reward.txt": "0.5"},))
_WITH_HALF = Script({}, (), ({"/logs/verifier/reward.json": _HALVED},))

_rewards: st.SearchStrategy[Rewards | None] = st.sampled_from(
    [{"reward": 1}, {"reward": 0.5}, {"reward": 1}, {"reward": 0, "speed": 2.5}, {}, None]
)
_lost: st.SearchStrategy[Rewards | None] = st.sampled_from(
    [{"reward": math.nan}, {"reward": 1, "speed": -math.inf}, {"reward": math.inf}]
)
_steps: st.SearchStrategy[tuple[Rewards | None, ...] | None] = st.sampled_from(
    [None, None, None, ({"reward": 1}, None)]
)
_errors = st.sampled_from([None, None, None, "OSError", "CancelledError"])
_scenarios = st.builds(
    JobScenario,
    st.sampled_from([(BARE_TASK,), (BARE_TASK, BARE_TASK)]),
    st.builds(ScenarioSettings, st.sampled_from([AgentSettings("nop"), AgentSettings("nop", model="some/model")])),
    st.sampled_from([1, 2, 2, 3]),
    st.sampled_from([1, 2, 5]),
    retry=st.sampled_from([RetrySettings(), RetrySettings(exclude=None), RetrySettings(1, frozenset({"OSError"}))]),
    scripts=st.sampled_from([((_FINE,),) * 6, ((_FINE,), (_WITH_HALF,)) * 3]),
    further_agents=st.sampled_from([(), (), (AgentSettings("nop", model="other"),)]),
    metrics=st.sampled_from([(), (), ("max", "sum")]),
)


@st.composite
def _left(draw: st.DrawFn, scenario: JobScenario, rewards: st.SearchStrategy[Rewards | None], more: int) -> list[Left]:
    """Draw the trials that earlier runs left: trials of the scenario, and of `more` attempts beyond it."""
    left: list[Left] = []
    for _ in range(scenario.attempts + more):
        for task in range(1, len(scenario.tasks) + 1):
            for agent in range(1 + len(scenario.further_agents)):
                ended = draw(st.sampled_from([True, True, True, False]))
                if more or draw(st.integers(0, 2)):
                    left.append(Left(task, draw(rewards), draw(_errors) if ended else None, ended or bool(more), agent))
    return left


@st.composite
def resumed_scenarios(draw: st.DrawFn) -> JobScenario:
    """Draw jobs with the same settings as their earlier runs, which ended at any point."""
    scenario = draw(_scenarios)
    steps = draw(_steps)
    left = [replace(each, steps=steps) for each in draw(_left(scenario, _rewards, 0))]
    if draw(st.integers(0, 3)) == 0:
        left.append(Left(1, {"a\ud800": 1}))
    earlier = earlier_files(scenario, left, retries=draw(st.integers(0, 3)))
    usage = draw(_usage)
    return replace(scenario, earlier={name: _with_usage(name, text, usage) for name, text in earlier.items()})


_count = st.sampled_from([None, 0, 7, 2**53 + 1])
_usage: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    dict.fromkeys(("n_input_tokens", "n_cache_tokens", "n_output_tokens"), _count)
    | {"cost_usd": st.sampled_from([None, 0.1, 0.25])}
)


def _with_usage(name: str, text: str, usage: dict[str, Any]) -> str:
    """Return a trial's result with usage in each recorded run of the agent; return any other file unchanged."""
    if not name.endswith("/result.json"):
        return text
    result = json.loads(text)
    for recorded in (result, *(result["step_results"] or ())):
        if recorded["agent_result"] is not None:
            recorded["agent_result"] |= usage
    return json.dumps(result, ensure_ascii=False)


_OTHERS: list[Any] = [None, [], {}, "x", True, 1, 2.5]
_changes: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [
        {"concurrent": 7}, {"retry": RetrySettings(2)}, {"metrics": ("min",)}, {"n_tasks": 9},
        {"further_agents": (AgentSettings("oracle"),)},
        {"settings": ScenarioSettings(AgentSettings("nop"), Multipliers(2.0))},
        {"settings": ScenarioSettings(AgentSettings("nop", max_timeout=5.0))},
    ]
)  # fmt: skip


@st.composite
def damaged_scenarios(draw: st.DrawFn) -> JobScenario:
    """Draw jobs with earlier runs under other settings, with other rewards or trials, or with damaged files."""
    scenario = draw(_scenarios)
    kind = draw(st.sampled_from(["changed", "document", "document", "document", "lost", "more", "file"]))
    rewards = choose(_rewards, _lost) if kind == "lost" else _rewards
    left = [Left(1, draw(rewards)), *draw(_left(scenario, rewards, kind == "more"))]
    scenario = replace(scenario, earlier=earlier_files(scenario, left[kind == "more" :]))
    if kind == "changed":
        return replace(scenario, **draw(_changes))
    if kind in ("document", "file"):
        files = dict(scenario.earlier)
        name = draw(st.sampled_from([name for name in sorted(files) if name.endswith(".json")]))
        if kind == "document":
            files[name] = json.dumps(draw(_changed(json.loads(files[name]))))
        else:
            files |= draw(_torn(name, files[name]))
            files = {name: text for name, text in files.items() if text != "gone"}
        return replace(scenario, earlier=files)
    return scenario


def _torn(name: str, text: str) -> st.SearchStrategy[dict[str, str]]:
    """Draw a replacement for a file: cut off, empty, missing or of another kind, or a lock."""
    locks = ["{", "[]", '{"n_concurrent_trials": 1, "retry": {}}', '{"n_concurrent_trials": "two", "retry": {}}']
    return choose(
        st.sampled_from([text[:-1], text[: len(text) // 2], "", "[]", "null", "gone"]).map(lambda torn: {name: torn}),
        st.sampled_from(locks).map(lambda lock: {"lock.json": lock}),
    )


@st.composite
def _changed(draw: st.DrawFn, document: Any) -> Any:
    """Draw a change of the document: one member removed, replaced by another type, or an unknown one added."""
    places = [place for place in _places(document) if not _has_many_spellings(str(place[-1]))]
    *path, last = draw(st.sampled_from(places))
    inner = document
    for step in path:
        inner = inner[step]
    action = draw(st.sampled_from(["drop", "replace", "add"]))
    if action == "drop":
        del inner[last]
    elif action == "replace" or not isinstance(inner, dict):
        inner[last] = copy.deepcopy(draw(st.sampled_from(_OTHERS)))
    else:
        inner["unknown"] = 1
    return document


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in members:
        yield (*path, name)
        yield from _places(item, (*path, name))


def _has_many_spellings(name: str) -> bool:
    """Return whether a member is a time or an id. pydantic reads these in many spellings that no job's document has."""
    return name == "id" or name.endswith(("_at", "_id"))


_counts: st.SearchStrategy[Any] = st.sampled_from([1, 2, 3, "4", True, 5.0, "x", None, 1.5])
_older = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("n_retries", "n_errored_trials", "n_running_trials"), _counts)
)
_statuses: st.SearchStrategy[Any] = choose(
    _older, _counts.map(lambda count: {"n_retries": count}), st.sampled_from(_OTHERS)
)


_renamed: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [{}, {}, {"n_trials": 1}, {"n_errors": "x"}, {"n_errors": "x", "n_errored_trials": 1}]
)


@st.composite
def _older_results(draw: st.DrawFn, scenario: JobScenario) -> dict[str, str]:
    """Write result.json like older versions of Harbor: with counts in `status`, or in `stats` under other names."""
    files = earlier_files(scenario, [Left(1, {"reward": 1})])
    result = json.loads(files["result.json"])
    counts = draw(st.sampled_from([{}, {}, {"n_retries": 7}]))
    more = draw(_renamed)
    return {**files, "result.json": json.dumps({**result, "stats": {**counts, **more}, "status": draw(_statuses)})}


_digests = st.sampled_from([BARE_DIGEST, BARE_DIGEST, BARE_DIGEST.upper(), BARE_DIGEST[:-1], None])
_locked_files = st.fixed_dictionaries({"digest": _digests, "path": st.sampled_from(["a", "b", 1])})
_skills = st.fixed_dictionaries({"name": st.just("a"), "digest": _digests, "source": st.sampled_from(["a", None])})
_paths = st.sampled_from([["a"], ["a", "b"], ["a"], [3]])
_edits: st.SearchStrategy[tuple[tuple[str, ...], Any]] = choose(
    st.tuples(st.sampled_from([("agent", "skills"), ("environment", "extra_docker_compose")]), _paths),
    st.tuples(
        st.sampled_from([("extra_docker_compose",), ("extra_instructions",)]),
        st.lists(_locked_files, max_size=2),
    ),
    choose(
        st.tuples(st.just(("task", "digest")), _digests),
        st.tuples(st.just(("skills",)), st.lists(_skills, min_size=1, max_size=2)),
    ),
)


@st.composite
def _edited_locks(draw: st.DrawFn, scenario: JobScenario) -> dict[str, str]:
    """Write lock.json with other skills, files or digests in one trial."""
    lock = earlier_lock(scenario, BARE_DIGEST)
    (*path, last), value = draw(_edits)
    inner = draw(st.sampled_from(lock["trials"]))
    for step in path:
        inner = inner[step]
    inner[last] = value
    return {**earlier_files(scenario, [Left(1, {"reward": 1})]), "lock.json": json.dumps(lock)}


@st.composite
def edited_scenarios(draw: st.DrawFn) -> JobScenario:
    """Draw jobs with one document of earlier runs edited, or written by an older version of Harbor."""
    scenario = draw(_scenarios)
    make = draw(st.sampled_from([_older_results, _edited_locks]))
    return replace(scenario, earlier=draw(make(scenario)))
