"""Trials with many calls, into which faults are injected. Together, the trials make every kind of call."""

from collections.abc import Iterator
from dataclasses import replace
from operator import itemgetter

from parity.operations.scenarios.scenario import ScenarioSettings, TaskFiles, TrialScenario
from parity.operations.scenarios.scripted_sandbox import Effect, Script
from parity.operations.scenarios.settings import AgentSettings, Multipliers

_LEFT = {
    "/logs/agent/log.txt": "worked\n",
    "/logs/artifacts/kept": "1",
    "/app/data/a": "1",
    "/app/data/sub/b.pyc": "2",
    "/app/out.txt": "out",
}
_SINGLE = {
    "environment/data.txt": "data",
    "instruction.md": "Do it.\n",
    "solution/solve.sh": "#!/bin/sh\n",
    "tests/test.sh": "#!/bin/sh\n",
}
_STEPS = {
    "environment/Dockerfile": "FROM debian:12\n",
    "solution/solve.sh": "#!/bin/sh\n",
    "tests/test.sh": "#!/bin/sh\n",
    "steps/one/instruction.md": "First.\n",
    "steps/one/workdir/setup.sh": "#!/bin/sh\n",
    "steps/one/tests/data": "1",
    "steps/two/instruction.md": "Then.\n",
    "steps/two/workdir/data": "2",
    "steps/two/solution/solve.sh": "#!/bin/sh\n",
    "steps/two/tests/test.sh": "#!/bin/sh\n",
}
_REWARDS = ({"/logs/verifier/reward.json": '{"reward": 1, "speed": 0.5}'}, {"/logs/verifier/reward.txt": "0.5"})
_FACTORS = Multipliers(2.0, agent=1.0, verifier=0.5)
_COMMAND = ScenarioSettings(AgentSettings("command", "parse the reward", {"A": "1"}))

_ORACLE = """\
artifacts = [{source = "/app/data", exclude = ["*.pyc"]}, "/app/out.txt", "/app/missing"]

[environment]
docker_image = "debian:12"
build_timeout_sec = 100.0
healthcheck = {command = "ready", interval_sec = 2.0, start_period_sec = 3.0, start_interval_sec = 1.0, retries = 2}
env = {A = "${EMPTY:-other}"}

[agent]
timeout_sec = 10.5
user = "bob"

[verifier]
timeout_sec = 100.0
user = "judge"
"""
_APART = """\
artifacts = ["/app/out.txt", {source = "/app/data", destination = "kept"}]

[environment]
workdir = "/work"
healthcheck = {command = "ready", retries = 1}

[agent]
timeout_sec = 10.0

[verifier]
timeout_sec = 100.0
user = 1000
env = {A = "1"}
environment = {env = {B = "2"}}
"""
_TWO_STEPS = """\
[agent]
timeout_sec = 10.0
user = "bob"

[verifier]
timeout_sec = 3.0

[[steps]]
name = "one"
min_reward = 0.5
healthcheck = {command = "ready", interval_sec = 1.0, retries = 2}
artifacts = [{source = "/app/data", exclude = ["*.pyc"]}]

[[steps]]
name = "two"
agent = {user = "alice", timeout_sec = 100.0}
verifier = {timeout_sec = 5.0, env = {A = "1"}}
"""
_STEPS_APART = """\
multi_step_reward_strategy = "final"

[environment]
healthcheck = {command = "ready", interval_sec = 1.0}

[agent]
user = "bob"

[[steps]]
name = "one"
agent = {user = 0}
verifier = {environment_mode = "separate", timeout_sec = 100.0}
artifacts = ["/app/out.txt"]

[[steps]]
name = "two"
agent = {timeout_sec = 0.0}
verifier = {timeout_sec = 100.0}
"""

TRIALS_WITH_MANY_CALLS = (
    TrialScenario(TaskFiles("", _SINGLE), ScenarioSettings(AgentSettings("nop")), Script({}, (), _REWARDS)),
    TrialScenario(
        TaskFiles(_ORACLE, _SINGLE),
        ScenarioSettings(multipliers=_FACTORS, host={"EMPTY": ""}),
        Script({}, (_LEFT,), _REWARDS),
    ),
    TrialScenario(TaskFiles(_APART, _SINGLE), _COMMAND, Script({}, (_LEFT,), _REWARDS)),
    TrialScenario(TaskFiles(_TWO_STEPS, _STEPS), ScenarioSettings(), Script({}, (_LEFT, _LEFT), _REWARDS)),
    TrialScenario(TaskFiles(_STEPS_APART, _STEPS), _COMMAND, Script({}, (_LEFT, _LEFT), _REWARDS)),
)
"""The trials, before effects on their calls are added."""


_PURPOSES = (
    """
    start make-log-folders download-agent-logs upload-agent-logs look-for-folder download-artifact upload-tests
    allow-tests run-tests download-verifier-logs stop
    """,
    """
    start make-log-folders ask-working-directory upload-files check-health upload-solution allow-solution
    run-solution download-oracle-output download-agent-logs upload-agent-logs look-for-folder download-artifact
    look-for-folder pack-artifact download-artifact remove-archive look-for-folder download-artifact look-for-folder
    download-artifact upload-tests allow-tests run-tests download-verifier-logs stop
    """,
    """
    start make-log-folders check-health run-command download-agent-logs upload-agent-logs look-for-folder
    download-artifact look-for-folder download-artifact look-for-folder stop start make-log-folders empty-folder
    empty-folder upload-files upload-files upload-files allow-tests run-tests download-verifier-logs stop
    """,
    """
    start make-log-folders empty-folder ask-working-directory upload-files set-up check-health upload-solution
    allow-solution run-solution download-oracle-output download-agent-logs upload-agent-logs look-for-folder
    download-artifact look-for-folder pack-artifact download-artifact remove-archive empty-folder empty-folder
    upload-tests upload-tests allow-tests run-tests download-verifier-logs empty-folder ask-working-directory
    upload-files upload-solution allow-solution run-solution download-oracle-output download-agent-logs
    upload-agent-logs look-for-folder download-artifact empty-folder empty-folder upload-tests upload-tests
    allow-tests run-tests download-verifier-logs stop
    """,
    """
    start make-log-folders check-health empty-folder ask-working-directory upload-files set-up run-command
    download-agent-logs upload-agent-logs look-for-folder download-artifact look-for-folder download-artifact start
    make-log-folders empty-folder empty-folder upload-files upload-files allow-tests run-tests
    download-verifier-logs stop empty-folder ask-working-directory upload-files download-agent-logs
    upload-agent-logs look-for-folder download-artifact empty-folder empty-folder upload-tests upload-tests
    allow-tests run-tests download-verifier-logs stop
    """,
)


def purposes(number: int) -> list[str]:
    """Return the purposes of the calls that one of these trials makes, in order, as in harbor 0.13.1."""
    return _PURPOSES[number].split()


_RAISED, _CANCELLED, _FAILED = Effect("raise", "OSError"), Effect("cancel"), Effect("exit", "", 1)
_LATE = Effect("wait", "", 20)
_FAILING = {"run-solution": 1, "run-command": 1, "run-tests": 1, "set-up": 1, "check-health": 5}
"""Purposes of calls whose exit code matters, with the number of times in a row that the call is to fail."""


def faulty_scenarios() -> Iterator[TrialScenario]:
    """Yield scenarios in which a call raises, fails or is late, or is cancelled itself or right after an error.

    There are scenarios for each of these trials, and for each kind of call that the trial makes.
    """
    for number, scenario in enumerate(TRIALS_WITH_MANY_CALLS):
        first = {purpose: place for place, purpose in reversed(list(enumerate(purposes(number))))}
        for purpose, place in sorted(first.items(), key=itemgetter(1)):
            events = [{place: _RAISED}, {place: _RAISED, place + 1: _CANCELLED} if number % 2 else {place: _CANCELLED}]
            if purpose in _FAILING:
                events += [dict.fromkeys(range(place, place + _FAILING[purpose]), _FAILED), {place: _LATE}]
                events.append({place: Effect("raise", "ValueError"), place + 1: _RAISED})
            for effects in events:
                yield replace(scenario, script=replace(scenario.script, effects=effects))
