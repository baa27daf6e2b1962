"""Hypothesis strategies for scenarios of jobs: tasks, attempts, retries, and a script for each run of each trial."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from hypothesis import strategies as st

from parity.operations.files.number_strategies import choose
from parity.operations.scenarios.plain import PLAIN_TASK
from parity.operations.scenarios.scenario import JobScenario, ScenarioSettings, TaskFiles
from parity.operations.scenarios.scripted_sandbox import Effect, Script
from parity.operations.scenarios.settings import NEVER_RETRIED, AgentSettings, RetrySettings
from parity.operations.scenarios.task_strategies import tasks

_FILES = {"environment/": "", "instruction.md": "Do it.\n", "solution/solve.sh": "", "tests/test.sh": ""}
_STEPS = """\
multi_step_reward_strategy = "final"

[[steps]]
name = "one"

[[steps]]
name = "two"
"""
_TASK = TaskFiles("", _FILES)
_small = st.sampled_from(
    [
        _TASK,
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


def _runnable(task: TaskFiles) -> TaskFiles:
    """Return the task without unset variables and without means over several keys, which only `run_trial` compares."""
    toml = task.toml.replace('"${MISSING}"', '"${MISSING:-other}"')
    if "[[steps]]" in toml:
        rest = re.sub(r"(?m)^multi_step_reward_strategy = .*\n", "", toml)
        toml = f'multi_step_reward_strategy = "final"\n{rest}'
    return replace(task, toml=toml)


_any_task = choose(_small, _small, _small, tasks().map(_runnable))
_datasets = choose(
    st.tuples(_small, _small),
    st.tuples(_any_task),
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
    ScenarioSettings,
    _agents,
    verifier_env=st.sampled_from([{}, {}, {"A": "of the line, é"}]),
    verification=st.sampled_from([True] * 6 + [False]),
    host=st.just({"SET": "set", "EMPTY": ""}),
)

_OFTEN = ("OSError", "OSError", "OSError", "TimeoutError", "AgentTimeoutError")
_SELDOM = ("CustomError", "RewardFileNotFoundError", "VerifierTimeoutError")
_OS, _BOTH = frozenset({"OSError"}), frozenset({"OSError", "AgentTimeoutError"})
_NOTHING: frozenset[str] = frozenset()
_waits = st.sampled_from([1.0, 3.0, 0.5, 0.0, 60.0])
_retries = st.builds(
    RetrySettings,
    st.sampled_from([1, 2, 2, 3]),
    st.sampled_from([None, None, _OS, _BOTH, _BOTH, _NOTHING, frozenset({"TimeoutError"})]),
    st.sampled_from([NEVER_RETRIED, NEVER_RETRIED, _OS, None, _NOTHING, _OS]),
    st.sampled_from([1.0, 2.0, 0.5, 1.5]),
    _waits,
    st.sampled_from([60.0, 2.0, 60.0, 0.5]),
)
_seldom_retries = choose(st.just(RetrySettings()), _retries)
_REWARDS = (
    {"/logs/verifier/reward.txt": "1"},
    {"/logs/verifier/reward.txt": "0.5"},
    {"/logs/verifier/reward.txt": "0"},
    {"/logs/verifier/reward.json": '{"reward": 1, "speed": 1e-7}'},
    {"/logs/verifier/reward.json": "null"},
)
_NANS = {"/logs/verifier/reward.json": '{"reward": NaN}'}, {"/logs/verifier/reward.txt": "nan"}
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
    st.sampled_from(_OFTEN * 2 + _SELDOM),
)
_unrewarded = st.just(Script())
_ends = choose(_fine, _fine, _slow, _raising, _unrewarded)
_injected_faults = choose(_raising, _raising, _raising, _unrewarded, _slow)
_cancelled = st.integers(0, 10).map(lambda call: Script({call: Effect("cancel")}, (), _REWARDS[:1]))
_nans = st.sampled_from([*_NANS, _NANS[0]]).map(lambda reward: Script({}, (), (reward, reward)))
_overflowing = st.just(Script({}, (), (_HUGE, _HUGE)))


def _each(runs: st.SearchStrategy[Script], trials: int) -> st.SearchStrategy[tuple[tuple[Script, ...], ...]]:
    """Draw the scripts for trials with one run each."""
    return st.tuples(*[st.tuples(runs)] * trials)


@st.composite
def job_scenarios(draw: st.DrawFn) -> JobScenario:
    """Draw jobs with one to three directories. Most directories are tasks, and most trials have no error."""
    dataset, attempts = draw(_datasets), draw(st.sampled_from([2, 1, 2, 3]))
    scripts = draw(_each(draw(st.sampled_from([_ends] * 9 + [_nans])), len(dataset) * attempts))
    return JobScenario(
        dataset, draw(_settings), attempts, draw(st.sampled_from([1, 2, 2, 3, 4])), draw(_seldom_retries), scripts
    )


@st.composite
def retried_scenarios(draw: st.DrawFn) -> JobScenario:
    """Draw jobs with one or two tasks. Most trials end with an error, and some are run again."""
    dataset = draw(choose(st.tuples(_small, _small), st.tuples(_small)))
    last = choose(_ends, _ends, _injected_faults, _injected_faults)
    runs = st.builds(lambda first, end: (*first, end), st.lists(_injected_faults, min_size=1, max_size=3), last)
    scripts = draw(st.tuples(*[runs] * len(dataset)))
    return JobScenario(dataset, draw(_settings), 1, draw(st.integers(1, 2)), draw(_retries), scripts)


@st.composite
def ended_scenarios(draw: st.DrawFn) -> JobScenario:
    """Draw jobs with one trial that is cancelled, or has a reward beyond the range of a double.

    A cancelled trial runs alone, because concurrent trials would end in an arbitrary order.
    """
    dataset = draw(st.sampled_from([(_TASK,), (_TASK, _TASK), (_TASK, _TASK, _TASK)]))
    scripts = list(draw(_each(_ends, len(dataset))))
    is_cancelled = draw(st.sampled_from([True, True, False]))
    scripts[draw(st.integers(0, len(dataset) - 1))] = (draw(_cancelled if is_cancelled else _overflowing),)
    concurrent = 1 if is_cancelled else draw(st.integers(1, 3))
    return JobScenario(dataset, draw(_settings), 1, concurrent, draw(_seldom_retries), tuple(scripts))


def decided_scenarios() -> Iterator[JobScenario]:
    """Yield jobs with one trial that ends with an error, for each way to include or exclude the error from retries."""
    for include, exclude, error in product(
        (None, _NOTHING, _OS), (NEVER_RETRIED, None, _NOTHING, _OS), ("OSError", "AgentTimeoutError")
    ):
        retry = RetrySettings(2, include, exclude, wait_multiplier=2.0)
        script = Script({0: Effect("raise", error)})
        yield JobScenario((_TASK,), ScenarioSettings(AgentSettings("nop")), retry=retry, scripts=((script,),))


_STOP = 10
"""The index of the call that stops the sandbox of a plain task, if the agent does nothing."""


def rare_jobs() -> Iterator[JobScenario]:
    """Yield a job with a retried trial that has no rewards, and a job with nan rewards.

    In the first job, the trial is run again because its sandbox cannot be stopped. In the second job, the nan of one
    trial is text in reward.txt, and the nans of the other trials are literals in reward.json.
    """
    unrewarded = Script({_STOP: Effect("raise", "OSError")}, (), ({"/logs/verifier/reward.json": "null"},))
    rewarded = Script({}, (), ({"/logs/verifier/reward.txt": "1"},))
    retry = RetrySettings(1, min_wait_sec=0.0)
    idle = ScenarioSettings(AgentSettings("nop"))
    yield JobScenario((PLAIN_TASK,), idle, retry=retry, scripts=((unrewarded, rewarded),))
    literal = Script({}, (), ({"/logs/verifier/reward.json": '{"reward": NaN}'},))
    text = Script({}, (), ({"/logs/verifier/reward.txt": "nan"},))
    yield JobScenario((PLAIN_TASK,), idle, 3, scripts=((text,), (literal,), (literal,)))
