"""Golden inputs of `run_job` with files of earlier runs in the job's folder, rule by rule.

Each job has one task with two attempts. Earlier runs left one trial with the reward 1, unless a name says otherwise.
"""

import copy
import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from parity.driver.settings import AgentSettings, RetrySettings
from parity.operations.scenarios.earlier_jobs import Left, earlier_files
from parity.operations.scenarios.execution import RECORDING
from parity.operations.scenarios.plain import BARE_DIGEST, BARE_TASK
from parity.operations.scenarios.recording import Script
from parity.operations.scenarios.scenario import JobScenario, ScenarioSettings

_HALF = Script({}, (), ({"/logs/verifier/reward.txt": "0.5"},))
_SCENARIO = JobScenario((BARE_TASK,), ScenarioSettings(AgentSettings("nop")), 2, scripts=((_HALF,), (_HALF,)))
_OTHER_KEY = Script({}, (), ({"/logs/verifier/reward.json": '{"a\\ud800": 1}'},))
_ONE = Left(1, {"reward": 1})
_CONFIG, _RESULT = "task-1__early00/config.json", "task-1__early00/result.json"

type _Edit = Callable[[dict[str, Any]], object]


def _left(*left: Left, scenario: JobScenario = _SCENARIO, retries: int = 0) -> JobScenario:
    return replace(scenario, earlier=earlier_files(scenario, left or (_ONE,), retries=retries))


def _edited(name: str, edit: _Edit) -> JobScenario:
    """Return the scenario with one document of the earlier run edited."""
    scenario = _left()
    document = json.loads(scenario.earlier[name])
    edit(document)
    return _with(name, json.dumps(document))


def _with(name: str, text: str) -> JobScenario:
    scenario = _left()
    return replace(scenario, earlier={**scenario.earlier, name: text})


def _without(*names: str) -> JobScenario:
    scenario = _left()
    return replace(scenario, earlier={name: text for name, text in scenario.earlier.items() if name not in names})


_TRIAL: dict[str, Any] = {
    "task": {"name": "task-1", "type": "local", "digest": BARE_DIGEST},
    "agent": {"name": "nop"},
    "environment": {"import_path": RECORDING.import_path},
    "verifier": {},
}


def _lock(scenario: JobScenario | None = None, **members: object) -> JobScenario:
    scenario = scenario or _left()
    lock = {"n_concurrent_trials": 1, "retry": {}, "trials": [_TRIAL, _TRIAL], **members}
    return replace(scenario, earlier={**scenario.earlier, "lock.json": json.dumps(lock)})


def _locked(*place: str, value: object) -> JobScenario:
    """Return the scenario with lock.json edited: another value at one place of its first trial."""
    trial = inner = copy.deepcopy(_TRIAL)
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    return _lock(trials=[trial, _TRIAL])


_FILE, _SKILL = {"path": "a", "digest": BARE_DIGEST}, {"name": "a", "source": "a", "digest": BARE_DIGEST}
_BAD = BARE_DIGEST.upper()


def _older(status: object = None, **counts: object) -> JobScenario:
    """Return the scenario with a result.json whose stats have only these counts."""
    return _edited("result.json", _set(status=status, stats={"evals": {}, **counts}))


def _drop(*names: str) -> _Edit:
    return lambda document: [document.pop(name) for name in names]


def _set(**members: object) -> _Edit:
    return lambda document: document.update(members)


# The usage that an agent with a model reports.
_USED: dict[str, object] = {"n_input_tokens": 100, "n_cache_tokens": 50, "n_output_tokens": 10, "cost_usd": 0.25, "metadata": {"a": [1]}}  # fmt: skip

# Rule to named scenarios.
SCENARIOS: dict[str, dict[str, JobScenario]] = {
    "resume-not-finite": {
        "nan": _left(Left(1, {"reward": math.nan})),
        "infinite": _left(_ONE, Left(1, {"reward": 1, "speed": -math.inf})),
        "step": _left(Left(1, {"reward": 1}, steps=({"reward": math.nan}, {"reward": 1}))),
        "cancelled": _left(Left(1, {"reward": math.nan}, "CancelledError")),
    },
    "resume-damaged": {
        "config-cut": _with("config.json", "{"),
        "config-empty": _with("config.json", ""),
        "config-array": _with("config.json", "[]"),
        "config-type": _edited("config.json", _set(n_attempts="two")),
        "result-cut": _with("result.json", '{"id": '),
        "result-without-id": _edited("result.json", _drop("id")),
        "trial-result-cut": _with(_RESULT, '{"id": '),
        "trial-result-empty": _with(_RESULT, ""),
        "trial-result-type": _edited(_RESULT, _set(agent_setup=3)),
        "trial-result-without-name": _edited(_RESULT, _drop("task_name")),
        "trial-config-in-result": _edited(_RESULT, lambda result: result["config"].update(artifacts=3)),
        "trial-config-array": _with(_CONFIG, "[]"),
        "trial-config-missing": _without(_CONFIG),
        "cancelled-and-cut": _with("task-1__other00/result.json", "{"),
    },
    "resume-without-config": {"trials": _without("config.json"), "none": _without("config.json", _CONFIG, _RESULT)},
    "resume-lock": {
        "cut": _with("lock.json", "{"),
        "no-lock": _with("lock.json", '{"trials": []}'),
        "the-same": _lock(),
        "other-trials": _lock(trials=[_TRIAL]),
        "other-settings": _lock(n_concurrent_trials=2),
        "nothing-excluded": _lock(_left(scenario=replace(_SCENARIO, retry=RetrySettings(exclude=None)))),
    },
    "resume-legacy-retries": {
        "in-status": _older({"n_retries": 1}),
        "as-text": _older({"n_retries": "2"}),
        "in-both": _older({"n_retries": 1}, n_retries=2),
        "nowhere": _older({"n_errored_trials": 1}),
        "status-no-object": _older([{"n_retries": 1}]),
        "stats-no-object": _edited("result.json", _set(status={"n_retries": 1}, stats=[])),
        "stats-null": _edited("result.json", _set(status={"n_retries": 1}, stats=None)),
    },
    "resume-legacy-damaged": {
        "retries-no-number": _older({"n_retries": "x"}),
        "retries-null": _older({"n_retries": None}),
        "retries-unused": _older({"n_retries": "x"}, n_retries=1),
        "running-no-number": _older({"n_running_trials": 1.5}),
        "trials-no-number": _older(n_trials="x"),
        "trials-unused": _older(n_trials="x", n_completed_trials=1),
        "trials-before-status": _older({"n_completed_trials": "x"}, n_trials=1),
        "errors-no-number": _older(n_errors=[]),
        "errors-unused": _older(n_errors=[], n_errored_trials=1),
        "time-no-time": _edited("result.json", _set(status={"updated_at": "x"}, updated_at=None)),
        "time-unused": _edited("result.json", _set(status={"updated_at": "x"})),
    },
    "resume-lock-digests": {
        "skills-of-agent": _locked("agent", "skills", value=["a"]),
        "skills-of-agent-no-paths": _locked("agent", "skills", value=[1]),
        "compose-of-environment": _locked("environment", "extra_docker_compose", value=["a"]),
        "compose": _locked("extra_docker_compose", value=[_FILE]),
        "compose-none": _locked("extra_docker_compose", value=[]),
        "compose-null": _locked("extra_docker_compose", value=None),
        "compose-no-digest": _locked("extra_docker_compose", value=[{**_FILE, "digest": _BAD}]),
        "compose-without-path": _locked("extra_docker_compose", value=[{"digest": BARE_DIGEST}]),
        "instructions": _locked("extra_instructions", value=[_FILE]),
        "instructions-none": _locked("extra_instructions", value=[]),
        "instructions-no-digest": _locked("extra_instructions", value=[{**_FILE, "digest": "x"}]),
        "skills": _locked("skills", value=[_SKILL]),
        "skills-none": _locked("skills", value=[]),
        "skills-no-digest": _locked("skills", value=[{**_SKILL, "digest": BARE_DIGEST[7:]}]),
        "skills-without-source": _locked("skills", value=[{"name": "a", "digest": BARE_DIGEST}]),
        "task": _locked("task", "digest", value="sha256:" + 64 * "0"),
        "task-upper-case": _locked("task", "digest", value=_BAD),
        "task-too-short": _locked("task", "digest", value=BARE_DIGEST[:-1]),
        "task-without-prefix": _locked("task", "digest", value=BARE_DIGEST[7:]),
        "task-elsewhere": _locked("task", "path", value="elsewhere"),
    },
    "resume-otherwise": {
        "config-without-defaults": _edited("config.json", _drop("plugins", "debug", "artifacts", "tasks", "metrics", "retry", "timeout_multiplier")),
        "config-with-more": _edited("config.json", _set(more=1)),
        "config-lax": _edited("config.json", _set(n_attempts="2", timeout_multiplier=1, debug="no")),
        "result-without-stats": _edited("result.json", _drop("stats")),
        "result-with-odd-stats": _edited("result.json", _set(stats="none")),
        "trial-result-with-more": _edited(_RESULT, _set(more=1)),
        "trial-config-with-more": _edited(_CONFIG, _set(more=1)),
        "trial-config-without-defaults": _edited(_CONFIG, _drop("artifacts", "job_id", "timeout_multiplier", "trial_name")),
    },
    "resume-settings": {
        "concurrent": replace(_left(), concurrent=2),
        "retry": replace(_left(), retry=RetrySettings(1)),
        "metrics": replace(_left(), metrics=("max",)),
        "quiet": _edited("config.json", _set(quiet=False)),
        "debug-and-name": _edited("config.json", _set(debug=True, job_name="other")),
        "fewer-attempts": replace(_left(), attempts=1),
    },
    "resume-not-planned": {
        "too-many": _left(_ONE, _ONE, _ONE),
        "another-task": _edited(_CONFIG, lambda config: config["task"].update(path="<folder>/dataset/task-2")),
        "another-multiplier": _edited(_CONFIG, _set(timeout_multiplier=2.0)),
    },
    "resume-replaced-key": {
        "alone": _left(Left(1, {"a\ud800": 1})),
        "beside-the-same": _left(Left(1, {"a\ud800": 1}), scenario=replace(_SCENARIO, scripts=((_OTHER_KEY,), (_OTHER_KEY,)))),
    },
    "resume-same-job": {"retries": _left(retries=3), "nothing-left": replace(_SCENARIO, earlier=earlier_files(_SCENARIO, ()))},
    "resume-again": {
        "begun": _left(_ONE, Left(1, ended=False)),
        "cancelled": _left(_ONE, Left(1, error="CancelledError")),
        "only-begun": _left(Left(1, ended=False), Left(1, ended=False)),
        "log-only": replace(_SCENARIO, earlier={"job.log": "begun\n"}),
        "empty-folder": replace(_SCENARIO, earlier={**earlier_files(_SCENARIO, ()), "task-1__early00/": ""}),
        "no-result-of-the-job": _without("result.json"),
    },
    "resume-kept": {
        "beyond-a-double": _left(Left(1, {"reward": 10**400})),
        "all-beyond-a-double": _left(Left(1, {"reward": 10**400}), _ONE),
        "one": _left(),
        "keys": _left(Left(1, {"b": 1, "a": 0.5})),
        "usage": _edited(_RESULT, lambda result: result.update(agent_result=_USED)),
        "part-of-usage": _edited(_RESULT, lambda result: result.update(agent_result={"n_output_tokens": 7})),
        "usage-of-a-step": _edited(_RESULT, lambda result: result.update(agent_result=None, step_results=[{"step_name": "a", "agent_result": _USED}, {"step_name": "b", "agent_result": _USED}])),
        "usage-of-task-and-step": _edited(_RESULT, lambda result: result.update(agent_result=_USED, step_results=[{"step_name": "a", "agent_result": _USED}])),
        "all": _left(_ONE, Left(1, {"reward": 0.25}, "AgentTimeoutError")),
        "error": _left(Left(1, None, "OSError"), scenario=replace(_SCENARIO, retry=RetrySettings(1))),
        "two-agents": _left(
            Left(1, {"reward": 1}, agent=1),
            scenario=replace(_SCENARIO, attempts=1, further_agents=(AgentSettings("nop", model="some/model"),)),
        ),
    },
}  # fmt: skip
