"""Hypothesis strategies for a trial's result.json, as Harbor and as other programs might write it."""

import json
from typing import Any

from hypothesis import strategies as st

from parity.operations.files.json_strategies import number_strings
from parity.operations.files.number_strategies import choose, floats, ints, numbers, plain_floats, plain_ints, seldom
from parity.operations.trial_score.case import AGENT_EXCEPTIONS, TrialText, rewarded, trial_text

_keys = st.sampled_from(["reward", "reward", "accuracy", "speed", "Reward", "mean", "score", "infra_ok", "a.b", ""])
_tame = choose(plain_floats, plain_ints)
_verifiers: st.SearchStrategy[Any] = choose(
    st.builds(lambda value: {"rewards": {"reward": value}}, _tame),
    st.builds(lambda rewards: {"rewards": rewards}, st.dictionaries(_keys, _tame, max_size=3)),
    st.sampled_from([None, {}, {"rewards": None}, {"rewards": {}}]),
)
_exceptions = st.sampled_from([*AGENT_EXCEPTIONS, "RewardFileNotFoundError", "VerifierTimeoutError", "CancelledError"])

_datasets = st.sampled_from(
    (
        *(None, None, "set", "terminal-bench@2.0", "org/name", "adhoc", "", "a_b", "a__b", "a__a", "a__adhoc", "_x"),
        *("x_", "__", "é", " ", ".", "..", "~", "a\0b", "n" * 300),
    )
)
_models = st.sampled_from([None, None, "m", "org/m", "m_", ""])


def _agent(name: str, model: str | None) -> dict[str, Any]:
    return {"name": name, "version": "1", "model_info": None if model is None else {"name": model}}


_groups = choose(
    st.just({}),
    st.builds(
        lambda dataset, agent, model: {"source": dataset, "agent_info": _agent(agent, model)},
        _datasets,
        st.sampled_from(["agent", "agent", "agent_", "a__b", ""]),
        _models,
    ),
)
"""Members that decide to which group of trials a trial belongs: agent, model and dataset."""

_unread = st.sampled_from(
    [
        {},
        {"agent_result": None, "agent_execution": None},
        {"agent_result": {"n_input_tokens": 2**63, "n_cache_tokens": 0, "n_output_tokens": 1, "cost_usd": 0.1}},
        {"started_at": None, "finished_at": None},
        {"environment_setup": {"started_at": "2026-01-01T00:00:00Z"}, "agent_setup": {}},
        {"id": "12345678-1234-5678-1234-567812345678", "task_checksum": "", "trial_uri": ""},
        {"task_name": "org/task", "trial_name": "a" * 41, "task_id": {"org": "org", "name": "task", "ref": None}},
        {
            "task_id": {"git_url": "url", "path": "."},
            "config": {"task": {"path": "."}, "trial_name": "", "job_id": None},
        },
    ]
)
"""Members that no number depends on."""

trials: st.SearchStrategy[TrialText] = st.builds(
    lambda verifier, exception, steps, group, members: trial_text(verifier, exception, steps, **group, **members),
    _verifiers,
    seldom(_exceptions, 1),
    choose(st.just([]), st.lists(st.tuples(_verifiers, seldom(_exceptions)), max_size=3)),
    _groups,
    choose(st.just({}), _unread),
)
"""Trials with ordinary rewards, with and without exceptions, steps and a dataset."""

_odd: st.SearchStrategy[Any] = choose(
    floats,
    ints,
    numbers,
    number_strings,
    st.sampled_from([-0.0, True, False, "0.5", "1", " 1 "]),
    st.sampled_from([None, None, [], {}, [1], "x", "", "50%"]),
)


def _repeated(key: str, values: list[float]) -> TrialText:
    rewards = ", ".join(f"{json.dumps(key)}: {json.dumps(value)}" for value in values)
    return TrialText(rewarded({}).text.replace('"rewards": {}', f'"rewards": {{{rewards}}}'))


odd_rewards: st.SearchStrategy[TrialText] = choose(
    st.builds(lambda key, value: rewarded({key: value}), _keys, _odd),
    st.builds(lambda rewards: rewarded(rewards), st.dictionaries(_keys, choose(_tame, _odd), min_size=1, max_size=3)),
    st.builds(_repeated, _keys, st.lists(_tame, min_size=2, max_size=3)),
)
"""Trials with rewards that are hard to parse or convert, or with duplicate keys of rewards."""

_members = st.sampled_from(
    [
        "task_name",
        "trial_name",
        "trial_uri",
        "task_id",
        "task_checksum",
        "config",
        "agent_info",
        "id",
        "verifier_result",
    ]
)
_wrong = st.builds(
    lambda member, value, verifier: trial_text(**{"verifier": verifier, member: value}),
    choose(_members, st.sampled_from(["exception_info", "step_results"])),
    st.sampled_from([..., 1, [1], "x", None, True]),
    _verifiers,
)
_cut = st.builds(lambda case, length: TrialText(case.text[: length % len(case.text)]), trials, st.integers(0, 900))

wrong_documents: st.SearchStrategy[TrialText] = choose(
    _wrong, _wrong, _cut, st.sampled_from(["", " ", "null", "[]", "{}", "1", "{'task_name': 1}", "nan"]).map(TrialText)
)
"""Texts that Harbor refuses or only just accepts."""
