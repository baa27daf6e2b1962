"""Plays of jobs: tasks, attempts, retries, and what befalls each run of each trial."""

from dataclasses import replace

from hypothesis import strategies as st

from parity.driver.recorded.plays import JobPlay, PlaySettings, TaskFiles
from parity.driver.sandboxes.recording import Effect, Script
from parity.driver.settings import NEVER_RETRIED, AgentSettings, RetrySettings
from parity.strategies.numbers import choose
from parity.strategies.tasks import tasks

_FILES = {"environment/": "", "instruction.md": "Do it.\n", "solution/solve.sh": "", "tests/test.sh": ""}
_STEPS = """\
multi_step_reward_strategy = "final"

[[steps]]
name = "one"

[[steps]]
name = "two"
"""
_small = st.sampled_from(
    [
        TaskFiles("", _FILES),
        TaskFiles("[agent]\ntimeout_sec = 3.0\n", _FILES),
        TaskFiles('[task]\nname = "org/named"\n', _FILES),
        TaskFiles(_STEPS, {**_FILES, "steps/one/instruction.md": "1", "steps/two/instruction.md": "2"}),
    ]
)
_no_task = st.sampled_from(
    [
        TaskFiles("x =", _FILES),
        TaskFiles("[agent]\ntimeout_sec = 'soon'\n", _FILES),
        TaskFiles("", {name: text for name, text in _FILES.items() if name != "instruction.md"}),
        TaskFiles("", {name: text for name, text in _FILES.items() if name != "environment/"}),
    ]
)


def _playable(task: TaskFiles) -> TaskFiles:
    """The task without what only `run_trial` compares: missing variables, and means over several keys."""
    toml = task.toml.replace('"${MISSING}"', '"${MISSING:-other}"')
    if "[[steps]]" in toml:
        toml = 'multi_step_reward_strategy = "final"\n' + toml.replace('multi_step_reward_strategy = "mean"\n', "")
    return replace(task, toml=toml)


_any_task = choose(_small, _small, _small, tasks().map(_playable))
_datasets = choose(
    st.tuples(_any_task),
    st.tuples(_small, _small),
    st.tuples(_any_task, choose(_small, _no_task)),
    st.tuples(_no_task, _small),
    st.tuples(_small, choose(_small, _no_task), _small),
)
_agents = st.sampled_from(
    [
        AgentSettings("nop"),
        AgentSettings("nop"),
        AgentSettings("oracle"),
        AgentSettings("command", "solve", {"A": "${SET}"}),
    ]
)
_settings = st.builds(
    PlaySettings,
    _agents,
    verifier_env=st.sampled_from([{}, {}, {"A": "of the line"}]),
    verification=st.sampled_from([True] * 6 + [False]),
    host=st.just({"SET": "set", "EMPTY": ""}),
)

_OFTEN = ("OSError", "TimeoutError", "AgentTimeoutError", "RewardFileNotFoundError")
_SELDOM = ("CustomError", "VerifierTimeoutError", "RuntimeError")
_names = st.frozensets(st.sampled_from(_OFTEN), max_size=3)
_waits = st.sampled_from([0.0, 0.5, 1.0, 3.0, 60.0])
_retries = st.builds(
    RetrySettings,
    st.sampled_from([1, 2, 3, 2]),
    choose(st.none(), st.none(), st.just(frozenset()), _names),
    choose(st.just(NEVER_RETRIED), st.just(NEVER_RETRIED), st.none(), st.just(frozenset()), _names),
    st.sampled_from([1.0, 2.0, 0.5, 1.5]),
    _waits,
    choose(st.just(60.0), _waits),
)
_seldom_retries = choose(st.just(RetrySettings()), _retries)
_REWARDS = (
    {"/logs/verifier/reward.txt": "1"},
    {"/logs/verifier/reward.txt": "0.5"},
    {"/logs/verifier/reward.txt": "0"},
    {"/logs/verifier/reward.json": '{"reward": 1, "speed": 0.5}'},
    {"/logs/verifier/reward.json": "null"},
)
_HUGE = {"/logs/verifier/reward.json": '{"reward": 1' + "0" * 400 + "}"}
_fine = st.sampled_from(_REWARDS).map(
    lambda reward: Script({}, ({"/logs/agent/log.txt": "worked\n"},), (reward, reward))
)
_slow = st.builds(
    lambda call, seconds, reward: Script({call: Effect("wait", "", seconds)}, (), (reward, reward)),
    st.integers(0, 10),
    st.sampled_from([1, 2, 4, 7]),
    st.sampled_from(_REWARDS),
)
_raising = st.builds(
    lambda call, name: Script({call: Effect("raise", name)}, (), (_REWARDS[0],)),
    choose(st.integers(0, 12), st.just(0)),
    st.sampled_from(_OFTEN * 3 + _SELDOM),
)
_unrewarded = st.just(Script())
_ends = choose(_fine, _fine, _slow, _raising, _unrewarded)
_mishaps = choose(_raising, _raising, _raising, _unrewarded, _slow)
_cancelled = st.integers(0, 10).map(lambda call: Script({call: Effect("cancel")}, (), _REWARDS[:1]))
_overflowing = st.just(Script({}, (), (_HUGE, _HUGE)))


@st.composite
def job_plays(draw: st.DrawFn) -> JobPlay:
    """Jobs of one to three tasks, of which some are none; most trials go well."""
    dataset, attempts = draw(_datasets), draw(st.sampled_from([1, 1, 2, 3]))
    concurrent = draw(st.integers(1, 4))
    odd = draw(st.sampled_from([None] * 8 + [_overflowing, _cancelled]))
    runs = (
        _ends if odd is None or (odd is _cancelled and concurrent > 1) else choose(_ends, odd)
    )  # else it is open which of two trials runs
    scripts = tuple((draw(runs),) for _ in range(len(dataset) * attempts))
    return JobPlay(dataset, draw(_settings), attempts, concurrent, draw(_seldom_retries), scripts)


@st.composite
def retried_plays(draw: st.DrawFn) -> JobPlay:
    """Jobs of one or two tasks whose trials mostly end with an error, some of which are run again."""
    dataset = draw(choose(st.tuples(_small), st.tuples(_small), st.tuples(_small, _small)))
    attempts = draw(st.sampled_from([1, 1, 2]))
    concurrent = draw(st.integers(1, 3))
    odd = (_cancelled,) if concurrent == 1 else ()
    last = choose(_ends, _ends, _mishaps, _mishaps, *odd)
    scripts = tuple(
        (*draw(st.lists(_mishaps, min_size=1, max_size=3)), draw(last)) for _ in range(len(dataset) * attempts)
    )
    return JobPlay(dataset, draw(_settings), attempts, concurrent, draw(_retries), scripts)
