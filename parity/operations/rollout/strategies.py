"""Hypothesis strategies for scenarios of an environment: its dataset and arguments, and the files that tests leave."""

from collections.abc import Iterator
from itertools import batched
from typing import Any

from hypothesis import strategies as st

from parity.operations.files.json_strategies import json_documents
from parity.operations.files.number_strategies import choose, seldom
from parity.operations.files.text_strategies import text_files
from parity.operations.rollout.scenario import (
    EnvScenario,
    Files,
    InjectedFault,
    RolloutCall,
    TaskScenario,
)
from parity.operations.scenarios.task_strategies import toml_of


def _dense(table: dict[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in table.items() if item is not None}


_DOCUMENTS = (
    b'{"reward": 0.5}', b'{"reward": 1}', b'{"reward": true}', b'{"reward": "0.25"}', b'{"reward": -0.0}',
    b'{"accuracy": 0.5}', b'{"reward": 0.5, "speed": 2}', b'{"speed": 2, "accuracy": 0.5}', b"{}", b"null", b"[1]",
    b'{"reward": null}', b'{"reward": "high"}', b'{"reward": "missing"}', b'{"reward": NaN}',
    b'{"reward": 1' + b"0" * 400 + b"}", b"0.75", b"{reward: 1}",
)  # fmt: skip
_documents = st.sampled_from(_DOCUMENTS)
_TEXTS = (b"1", b"0.5\n", b"-0.0", b"nan", b"1e400", b"", b" \n", b"pass", b"empty\n", b"1_0")
_texts = choose(st.sampled_from(_TEXTS), text_files)
_json = choose(_documents, _documents, _documents, json_documents)


_KNOWN_LEFTS: tuple[Files, ...] = (
    *({"reward.json": document} for document in _DOCUMENTS),
    *({"reward.txt": text} for text in _TEXTS),
    {"reward.txt": b'{"reward": 0.5}'},
    {"reward.txt": b"0", "reward.json": b'{"reward": 1}'},
    {"reward.txt": b"", "reward.json": b'{"reward": 1}'},
    {"reward.txt": b"1", "reward.json": b""},
    {},
)
_known_lefts = st.sampled_from(_KNOWN_LEFTS)


@st.composite
def _any_left(draw: st.DrawFn) -> Files:
    """Draw one reward file, both or none. Sometimes a file has content that belongs in the other reward file."""
    left: dict[str, bytes] = {}
    which = draw(st.sampled_from(["txt", "json", "both", "none", "txt", "json"]))
    if which in ("txt", "both"):
        left["reward.txt"] = draw(choose(_texts, _texts, _documents))
    if which in ("json", "both"):
        left["reward.json"] = draw(choose(_json, _json, _texts))
    return left


_HARBOR_CALLS: tuple[RolloutCall, ...] = ("upload-tests", "run-tests", "read-reward")
_left = choose(_known_lefts, _known_lefts, _any_left())


def _injected_faults(limit: int) -> st.SearchStrategy[InjectedFault | None]:
    fails = [InjectedFault(call) for call in _HARBOR_CALLS]
    takes = [InjectedFault("run-tests", seconds) for seconds in (1, limit - 1, limit + 1, limit + 1, limit + 1)]
    return seldom(st.sampled_from([*fails, *takes]), 3)


_codes = st.sampled_from([0, 0, 0, 1, 137])


_harbor_tables = st.fixed_dictionaries(
    {
        "verifier": st.fixed_dictionaries(
            {
                "timeout_sec": st.sampled_from([None, 20.0, 0.5]),
                "env": st.sampled_from([None, None, {"A": "1"}, {"B": "${MISSING:-two words}"}]),
            }
        ).map(_dense),
        "environment": st.fixed_dictionaries(
            {
                "workdir": st.sampled_from([None, None, "/w"]),
                "env": st.sampled_from([None, None, {"A": "0", "C": "é"}]),
            }
        ).map(_dense),
    }
).map(lambda table: toml_of(table).encode())


@st.composite
def _harbor_task(draw: st.DrawFn, name: str) -> TaskScenario:
    toml = draw(_harbor_tables)
    files = {"task.toml": toml, "instruction.md": b"Do it.\n", "environment/": b"", "tests/test.sh": b"#!/bin/sh\n"}
    if not draw(st.integers(0, 7)):
        files["task.toml"] = draw(st.sampled_from([b"x =", b"verifier = 1\n", b'verifier.timeout_sec = "soon"\n']))
    elif not draw(st.integers(0, 15)):
        del files[draw(st.sampled_from(["tests/test.sh", "task.toml"]))]
    if not draw(st.integers(0, 3)):
        del files["environment/"]
    limit = 20 if b"20.0" in toml else 600
    return TaskScenario(name, files, draw(_left), draw(_codes), draw(_injected_faults(limit)))


@st.composite
def harbor_scenarios(draw: st.DrawFn) -> EnvScenario:
    """Draw environments with Harbor's scoring, over tasks that Harbor accepts or refuses."""
    names = draw(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=2, unique=True))
    tasks = tuple(draw(_harbor_task(name)) for name in names)
    return EnvScenario("harbor", tasks, draw(seldom(st.sampled_from(names).map(lambda name: (name,)))))


def known_env_scenarios() -> Iterator[EnvScenario]:
    """Yield scenarios for each known reward file, with two tasks in each scenario, and for each fault in a call."""
    toml = b"verifier.timeout_sec = 20.0\n"
    files = {"task.toml": toml, "instruction.md": b"Do it.\n", "environment/": b"", "tests/test.sh": b"#!/bin/sh\n"}
    for lefts in batched(_KNOWN_LEFTS, 2):
        tasks = (TaskScenario(name, files, left) for name, left in zip("ab", lefts, strict=False))
        yield EnvScenario("harbor", tuple(tasks))
    for call in _HARBOR_CALLS:
        yield EnvScenario(
            "harbor", (TaskScenario("a", files, {"reward.txt": b"1"}, injected_fault=InjectedFault(call)),)
        )
    for seconds in (19, 21):
        yield EnvScenario(
            "harbor",
            (TaskScenario("a", files, {"reward.txt": b"1"}, injected_fault=InjectedFault("run-tests", seconds)),),
        )
