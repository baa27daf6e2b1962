"""Hypothesis strategies for jobs with rare settings: mounted sandboxes, several agents, models and metrics."""

from hypothesis import strategies as st

from parity.formats import METRIC_NAMES
from parity.operations.scenarios.scenario import JobScenario, ScenarioSettings, TaskFiles
from parity.operations.scenarios.scripted_sandbox import Effect, Script
from parity.operations.scenarios.settings import AgentSettings, RetrySettings
from parity.operations.scenarios.task_strategies import models, timeouts

_FILES = {"environment/": "", "instruction.md": "Do it.\n", "solution/solve.sh": "", "tests/test.sh": ""}


_TASK = TaskFiles("[agent]\ntimeout_sec = 6.0\n", _FILES)


_STEPS = TaskFiles('[[steps]]\nname = "a"\n', {**_FILES, "steps/a/instruction.md": "1"})


_REWARDS = ("1", "0.5", "0", "2.5")


_agents = st.builds(
    AgentSettings,
    st.sampled_from(["nop", "oracle"]),
    model=models,
    override_timeout=timeouts,
    max_timeout=st.sampled_from([None, 2.0]),
)


def _script(call: int, kind: str, text: str, reward: str) -> Script:
    effect = Effect("wait", "", len(text)) if kind == "wait" else Effect("raise", text)
    left = {"/logs/verifier/reward.txt": reward}
    return Script({} if kind == "none" else {call: effect}, (), (left, left))


_scripts = st.builds(
    _script,
    st.integers(0, 10),
    st.sampled_from(["none", "none", "wait", "wait", "raise"]),
    st.sampled_from(["OSError", "TimeoutError", "x"]),
    st.sampled_from(_REWARDS),
)


# Only in the agent's own call, usually the fourth, does an exception that ends the program differ from a trial's error.
_calls = st.one_of(st.integers(0, 10), st.integers(3, 5))
_ending = st.builds(_script, _calls, st.just("raise"), st.sampled_from(["SystemExit"]), st.just("1"))


@st.composite
def settings_jobs(draw: st.DrawFn) -> JobScenario:
    """Draw jobs with several agents, models and metrics, with a subset of their tasks, or with concurrent trials."""
    tasks = draw(st.sampled_from([(_TASK, _TASK), (_TASK, _STEPS, _TASK), (_TASK,) * 4]))
    n_tasks = draw(st.sampled_from([None, -1, -2, 1, 2]))
    attempts = draw(st.sampled_from([1, 1, 2, 2, 0, -1]))
    further = tuple(draw(st.lists(_agents, max_size=2)))
    agent = draw(_agents)
    trials = max(attempts, 0) * len(tasks) * (1 + len(further))
    scripts = draw(st.lists(st.tuples(_scripts), min_size=trials, max_size=trials))
    concurrent = draw(st.sampled_from([1, 5, 6, 8]))
    ends = bool(scripts) and draw(st.booleans())
    if ends:
        # The first trial ends the program. It must run alone: concurrent trials would notice the end in any order.
        scripts[0] = (draw(_ending),)
        concurrent, n_tasks = 1, None
    return JobScenario(
        tasks,
        ScenarioSettings(agent, mounted=draw(st.booleans())),
        attempts,
        concurrent,
        draw(st.sampled_from([RetrySettings(), RetrySettings(), RetrySettings(5, frozenset({"OSError"}))])),
        tuple(scripts),
        further,
        draw(st.sampled_from([(), ("max", "sum"), ("min",), ("mean", "mean"), METRIC_NAMES])),
        n_tasks,
    )


def many_trials() -> JobScenario:
    """Return a job with a hundred short trials of different lengths, nine at a time; one trial is retried six times."""
    scripts = [(_script(place % 11, "wait", "x" * (place % 7), _REWARDS[place % 4]),) for place in range(100)]
    scripts[3] = (_script(0, "raise", "OSError", "1"),)
    return JobScenario(
        (_TASK,) * 4,
        ScenarioSettings(AgentSettings("nop")),
        25,
        9,
        RetrySettings(6, frozenset({"OSError"}), wait_multiplier=2.0),
        tuple(scripts),
        metrics=("mean", "sum"),
    )
