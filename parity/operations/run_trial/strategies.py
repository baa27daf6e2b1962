"""Hypothesis strategies for scenarios of trials: tasks, settings, and effects on calls."""

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce

from hypothesis import strategies as st

from parity.operations.files.number_strategies import choose, seldom
from parity.operations.scenarios.event_strategies import TRIALS_WITH_MANY_CALLS, purposes
from parity.operations.scenarios.plain import PLAIN_TASK
from parity.operations.scenarios.scenario import ScenarioSettings, TaskFiles, TrialScenario
from parity.operations.scenarios.scripted_sandbox import Effect, Script
from parity.operations.scenarios.settings import AgentSettings, Multipliers, VerifierTimeouts
from parity.operations.scenarios.task_strategies import environments, models, tasks, timeouts

type _Files = dict[str, str]

_factors = seldom(st.sampled_from([3.0, 0.5, 0.0, 1.0, 0.001]), 1)
_agents = choose(
    st.builds(AgentSettings, st.just("oracle"), env=environments),
    st.builds(AgentSettings, st.just("oracle")),
    st.builds(AgentSettings, st.just("nop"), env=environments),
    st.builds(AgentSettings, st.just("command"), st.sampled_from(["solve", "a | parse; reward"]), environments),
)
_hosts = st.sampled_from(
    [{"SET": "set", "EMPTY": ""}, {"SET": "set", "EMPTY": ""}, {"SET": "s", "EMPTY": "", "API_KEY": "value"}]
)
_settings: st.SearchStrategy[ScenarioSettings] = st.builds(
    ScenarioSettings,
    _agents,
    choose(
        st.just(Multipliers()),
        st.builds(Multipliers, st.sampled_from([2.0, 1.0, 0.5]), _factors, _factors, _factors, _factors),
        st.builds(Multipliers, st.sampled_from([2.0, 1.0]), agent_setup=st.sampled_from([0.0, 1.0])),
    ),
    choose(environments, environments, st.just({"A": "of the line"})),
    st.sampled_from([True] * 6 + [False]),
    _hosts,
)


def _together(*choices: _Files) -> st.SearchStrategy[_Files]:
    """Draw up to three of the choices, and merge their files into one directory."""

    def join(drawn: list[_Files]) -> _Files:
        return reduce(lambda left, right: left if _collide(left, right) else {**left, **right}, drawn, {})

    return st.lists(st.sampled_from(choices), max_size=3).map(join)


def _collide(left: _Files, right: _Files) -> bool:
    """Return whether a path is a file on one side and a directory on the other side."""
    pairs = [*((a, b) for a in left for b in right), *((b, a) for a in left for b in right)]
    return any(longer.startswith(f"{shorter}/") for shorter, longer in pairs)


_of_agents = _together(
    {"/logs/agent/log.txt": "worked\n"},
    {"/app/out.txt": "out", "/app/out": "no suffix"},
    {"/app/data/a": "1", "/app/data/sub/b": "2"},
    {"/app/data.d/c": "3"},
    {"/logs/artifacts/x": "kept"},
    {"/logs/artifacts/manifest.json": "its own"},
    {"/logs/agent/exit-code.txt": "7"},
    {"/logs/agent/exit-code.txt/x": ""},
    {"/logs/verifier/reward.txt": "1.0"},
)
_rewards: st.SearchStrategy[_Files] = choose(
    st.sampled_from(["1", "0.5", "", "1e-7\n", "nan", "0", "missing"]).map(
        lambda text: {"/logs/verifier/reward.txt": text}
    ),
    st.sampled_from(
        [
            '{"reward": 1, "speed": 0.5}', '{"speed": 2, "reward": 0.5}', "{}", "null", '["empty"]',
            '{"a": true, "é": 1e16}', "{",
        ]
    ).map(lambda text: {"/logs/verifier/reward.json": text}),
    st.just({"/logs/verifier/reward.txt": "1", "/logs/verifier/reward.json": '{"reward": 0}'}),
    st.just({"/logs/verifier/reward.txt": "1"}),
    st.just({}),
)  # fmt: skip
_of_tests = st.builds(
    lambda reward, more: {**reward, **more},
    _rewards,
    st.sampled_from([{}, {}, {"/logs/verifier/sub/ctrf.json": "{}"}, {"/tests/seen": ""}]),
)
_raising = st.sampled_from(["RuntimeError", "OSError", "TimeoutError", "ValueError", "MissingRewardError"]).map(
    lambda name: Effect("raise", name)
)
_exiting = st.sampled_from([1, 2, 137, -9]).map(lambda code: Effect("exit", "", code))
_waiting = st.sampled_from([0, 1, 4, 11, 130, 700, 100_000]).map(lambda seconds: Effect("wait", "", seconds))
_printing = st.sampled_from(["/work dir\n", "", "/", "  /padded \n"]).map(lambda text: Effect("print", text))
_cancelling = st.just(Effect("cancel"))
_anything = (_raising, _raising, _waiting, _cancelling)
_working = (*[_exiting] * 4, *[_waiting] * 3, *_anything)
_by_purpose: dict[str, tuple[st.SearchStrategy[Effect], ...]] = {
    "check-health": (*[_exiting] * 6, _raising, _waiting),
    "ask-working-directory": (*[_printing] * 4, *_anything),
    "run-solution": _working,
    "run-command": _working,
    "run-tests": _working,
    "set-up": (*[_exiting] * 4, *_anything),
    "pack-artifact": (_exiting, _raising),
    "make-log-folders": (_exiting, _raising),
    "allow-tests": (_exiting, _raising),
}
_of_work = ("run-solution", "run-command", "run-tests", "set-up")
_likely = (*_of_work * 3, "check-health", "ask-working-directory", "stop")


@st.composite
def _effects(draw: st.DrawFn, purposes: list[str]) -> dict[int, Effect]:
    """Draw effects on some of a trial's calls, given the purposes of the calls that it makes without effects."""
    effects: dict[int, Effect] = {}
    distinct = list(dict.fromkeys(purposes))
    for _ in range(draw(st.sampled_from([1, 1, 2, 2, 3]))):
        purpose = draw(st.sampled_from([*distinct, *(purpose for purpose in _likely if purpose in distinct)]))
        number = draw(st.sampled_from([n for n, each in enumerate(purposes) if each == purpose]))
        effect = draw(choose(*_by_purpose.get(purpose, _anything)))
        again = draw(st.integers(1, 5)) if purpose == "check-health" and effect.kind == "exit" else 1
        effects |= dict.fromkeys(range(number, number + again), effect)
    return effects


@st.composite
def scenarios_with_effects(draw: st.DrawFn) -> TrialScenario:
    """Draw trials with many calls, and effects on some of the calls."""
    number = draw(st.integers(0, len(TRIALS_WITH_MANY_CALLS) - 1))
    scenario = TRIALS_WITH_MANY_CALLS[number]
    return replace(scenario, script=replace(scenario.script, effects=draw(_effects(purposes(number)))))


_anywhere = st.dictionaries(st.integers(0, 30), choose(*_anything, _exiting), min_size=1, max_size=3)
_scripts: st.SearchStrategy[Script] = st.builds(
    Script,
    choose(st.just({}), _anywhere, _anywhere),
    st.lists(_of_agents, max_size=3).map(tuple),
    st.lists(_of_tests, min_size=1, max_size=3).map(tuple),
)
trial_scenarios: st.SearchStrategy[TrialScenario] = st.builds(TrialScenario, tasks(), _settings, _scripts)
"""Trials for any task, with effects on any calls."""


@st.composite
def settings_trials(draw: st.DrawFn) -> TrialScenario:
    """Draw any trials, most of them with mounted sandboxes or overridden timeouts."""
    scenario = draw(choose(trial_scenarios, scenarios_with_effects()))
    agent = replace(
        scenario.settings.agent,
        model=draw(models),
        override_timeout=draw(timeouts),
        max_timeout=draw(timeouts),
        override_setup_timeout=draw(st.sampled_from([None, None, None, 100.0, 0.0])),
    )
    limits = VerifierTimeouts(draw(timeouts), draw(timeouts))
    effects = dict(scenario.script.effects)
    if effects and draw(st.integers(0, 4)) == 0:
        effects[draw(st.sampled_from(sorted(effects)))] = Effect("raise", "SystemExit")
    return replace(
        scenario,
        settings=replace(scenario.settings, agent=agent, verifier_timeouts=limits, mounted=draw(st.booleans())),
        script=replace(scenario.script, effects=effects),
    )


_STEPS = """\
[[steps]]
name = "apart"
verifier = {environment_mode = "separate", env = {A = "value"}}

[[steps]]
name = "together"
"""


_STEP_FILES = {
    "environment/": "",
    "steps/apart/instruction.md": "Do it.\n",
    "steps/apart/tests/test.sh": "#!/bin/sh\n",
    "steps/together/instruction.md": "Go on.\n",
    "steps/together/tests/test.sh": "#!/bin/sh\n",
}


_PREPARE = 2
"""The index of the call that lets the host read mounted logs, if the agent does nothing."""


_SETTINGS = """\
[agent]
user = true
timeout_sec = {time}

[verifier]
timeout_sec = {time}

[environment]
allow_internet = "no"
memory = "2G"
"""
"""A task.toml with values that Harbor converts, and a placeholder for an unusual timeout."""


def rare_trials() -> Iterator[TrialScenario]:
    """Yield trials with unusual values in task.toml, steps and rewards, or mounted logs that the host cannot read.

    The task with steps has no shared tests, and the verifier of one step has a sandbox and a variable of its own. The
    last three trials leave a reward file with a word that determines a reason code, a reward that Python spells
    differently, and a reward that is no number, with such a word.
    """
    reward = {"/logs/verifier/reward.txt": "1"}
    for time in ("inf", "nan"):
        task = TaskFiles(_SETTINGS.format(time=time), PLAIN_TASK.files)
        late = {2: Effect("wait", "", 5)}
        yield TrialScenario(task, ScenarioSettings(AgentSettings("command", "solve")), Script(late, (), (reward,)))
    mounted = ScenarioSettings(AgentSettings("nop"), mounted=True)
    yield TrialScenario(PLAIN_TASK, mounted, Script({_PREPARE: Effect("raise", "OSError")}, (), (reward,)))
    yield TrialScenario(
        TaskFiles(_STEPS, _STEP_FILES), ScenarioSettings(AgentSettings("nop")), Script({}, (), (reward, reward))
    )
    for name, text in (("reward.txt", "missing"), ("reward.txt", "1e-7"), ("reward.json", '{"reward": "missing"}')):
        left = Script({}, (), ({f"/logs/verifier/{name}": text},))
        yield TrialScenario(PLAIN_TASK, ScenarioSettings(AgentSettings("nop")), left)
