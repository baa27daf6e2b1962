"""Golden inputs of `run_job`: small jobs, rule by rule.

Effects are numbered by calls: start 0, log folders 1, the agent's logs 2 and 3, /logs/artifacts 4 and 5, tests 6 to 9,
stop 10. Trials are numbered in planned order.
"""

from collections.abc import Mapping
from dataclasses import replace

from parity.driver.settings import AgentSettings, RetrySettings
from parity.formats import NEVER_RETRIED
from parity.operations.goldens import unchecked_entries
from parity.operations.run_trial.vectors import VECTORS as TRIALS
from parity.operations.scenarios.recording import Effect, Script
from parity.operations.scenarios.scenario import JobScenario, ScenarioSettings, TaskFiles
from parity.operations.scenarios.wire import JOB_CODEC
from parity.operations.vector import Vector, vectors_of

_FILES = {"environment/": "", "instruction.md": "Do it.\n", "tests/test.sh": ""}
_TASK, _NO_TASK = TaskFiles("", _FILES), TaskFiles("x =", _FILES)
_NAMED = TaskFiles('[task]\nname = "org/named"\n', _FILES)
_QUICK = TaskFiles("[agent]\ntimeout_sec = 3.0\n", _FILES)
_NO_INSTRUCTION = TaskFiles("", {"environment/": "", "tests/test.sh": ""})
_LAX = TaskFiles("[agent]\nuser = true\n[verifier]\nuser = 1.0\n[environment]\nallow_internet = 'yes'\n", _FILES)
_STEP = TaskFiles("agent.timeout_sec = 10.0\n[[steps]]\nname = 'a'\nverifier.timeout_sec = 10.0\n", {**_FILES, "steps/a/instruction.md": "1"})  # fmt: skip
_NO_TESTS = TaskFiles("", {"environment/": "", "instruction.md": ""})

type _Runs = tuple[Script, ...]


def _rewarded(text: str, effects: Mapping[int, Effect] | None = None) -> Script:
    return Script(effects or {}, (), ({"/logs/verifier/reward.txt": text},))


def _raises(name: str = "OSError", call: int = 0) -> Script:
    return Script({call: Effect("raise", name)})


def _waits(seconds: int, reward: str = "1") -> Script:
    return _rewarded(reward, {0: Effect("wait", "", seconds)})


_FINE, _HALF, _ZERO = (_rewarded(text) for text in ("1", "0.5", "0"))
_CANCELLED, _NO_REWARD = Script({1: Effect("cancel")}), Script()
_HUGE = Script({}, (), ({"/logs/verifier/reward.json": '{"reward": 1' + "0" * 400 + "}"},))
_NAN = Script({}, (), ({"/logs/verifier/reward.json": '{"reward": NaN}'},))
_OS, _NOTHING = frozenset({"OSError"}), frozenset[str]()


def _job(
    *scripts: _Runs,
    tasks: tuple[TaskFiles, ...] = (_TASK,),
    attempts: int = 1,
    concurrent: int = 1,
    retry: RetrySettings | None = None,
    agent: AgentSettings | None = None,
    verification: bool = True,
) -> JobScenario:
    settings = ScenarioSettings(agent or AgentSettings("nop"), verification=verification)
    return JobScenario(tasks, settings, attempts, concurrent, retry or RetrySettings(), scripts)


def _retried(*runs: Script, most: int = 1, **more: object) -> JobScenario:
    """Build a job of one trial that has these runs."""
    return _job(runs, retry=RetrySettings(most, **more))  # type: ignore[arg-type]


_TWO, _THREE = (_TASK, _TASK), (_TASK, _TASK, _TASK)
_RAISED = (_raises(),)
_COMMAND = AgentSettings("command", "solve")
_LATE = Script({2: Effect("wait", "", 9)}, (), ({"/logs/verifier/reward.txt": "1"},))

# Values that Harbor's models refuse.
_WRONG = {
    "no-system": 'environment.os = ""',
    "windows-without-script": 'environment.os = "windows"',
    "half-a-user": "agent.user = 1.5",
    "no-yes": 'environment.allow_internet = "maybe"',
    "truth-of-two": "environment.allow_internet = 2",
    "size-far-beyond": "environment.memory_mb = 1e30",
    "size-beyond-long": "environment.memory_mb = 9223372036854775808.0",
    "hosts-without-mode": "agent.allowed_hosts = []",
    "mode-without-hosts": 'environment.network_mode = "allowlist"',
    "no-unit": 'environment.memory = "2T"',
    "two-sizes": 'environment.memory = "2G"\nenvironment.memory_mb = "2048"',
    "no-topology": 'environment.tpu = {type = "v4"}',
    "server-without-url": 'environment.mcp_servers = [{name = "m"}]',
    "shared-with-environment": 'verifier.environment_mode = "shared"\nverifier.environment = {}',
    "byte-order-mark": "\ufeffagent.user = 1",
}

# By rule: named scenarios.
_SCENARIOS: dict[str, dict[str, JobScenario]] = {
    "document-layout": {"plain": _job((_FINE,)), "error": _job(_RAISED)},
    "document-spelling": {"rewards": _job((_rewarded("1e-7"),), (_rewarded("1e16"),), tasks=_TWO), "texts": _job(_RAISED, agent=AgentSettings("command", 'é "x" \u2028'))},
    "duplicate-key": {"plain": _job((_FINE,))},
    "time-format": {"plain": _job((_FINE,)), "cancelled": _job((_CANCELLED,)), "retried": _retried(_raises(), _FINE)},
    "overflow": {
        "alone": _job((_HUGE,)),
        "first": _job((_HUGE,), (_FINE,), tasks=_TWO),
        "last": _job((_HALF,), (_HUGE,), tasks=_TWO),
        "beside-others": _job((_waits(2),), (_HUGE,), (_waits(1),), tasks=_THREE, concurrent=3),
        "retried": _retried(_raises(), _HUGE),
    },
    "left-out": {
        "no-toml": _job((_FINE,), tasks=(_NO_TASK, _TASK)),
        "no-instruction": _job((_FINE,), tasks=(_TASK, _NO_INSTRUCTION)),
        "no-tests": _job((_FINE,), tasks=(_NO_TESTS, _TASK)),
        **{name: _job((_FINE,), tasks=(TaskFiles(toml, _FILES), _TASK)) for name, toml in _WRONG.items()},
    },
    "tasks": {
        "two": _job(_RAISED, _RAISED, tasks=(_NAMED, _TASK)),
        "between": _job(_RAISED, _RAISED, tasks=(_TASK, _NO_TASK, _TASK)),
        "lax-values": _job(_RAISED, _RAISED, tasks=(_LAX, _TASK)),
    },
    "planned-order": {
        "two-by-two": _job(*[_RAISED] * 4, tasks=_TWO, attempts=2),
        "one-left-out": _job(*[_RAISED] * 4, tasks=(_TASK, _NO_TASK, _TASK), attempts=2, concurrent=4),
    },
    "cancelled": {
        "alone": _job((_CANCELLED,)),
        "first": _job((_CANCELLED,), _RAISED, tasks=_TWO),
        "last": _job((_FINE,), (_CANCELLED,), tasks=_TWO),
        "retried": _retried(_CANCELLED, _FINE),
        "after-an-error": _retried(_raises(), _CANCELLED, most=2),
        "excluded": _retried(_CANCELLED, _FINE, exclude=frozenset({"CancelledError"})),
    },
    "same-name": {"two-runs": _retried(_raises()), "two-trials": _job((_raises(), _HALF), tasks=_TWO, retry=RetrySettings(1))},
    "concurrency": {
        "one": _job((_waits(2),), _RAISED, tasks=_TWO),
        "two": _job((_waits(2),), (_waits(1),), _RAISED, tasks=_THREE, concurrent=2),
        "enough": _job((_waits(2),), (_waits(1),), _RAISED, tasks=_THREE, concurrent=4),
        "five": _job(*[(_waits(2),)] * 5, _RAISED, attempts=6, concurrent=5),
        "not-in-batches": _job((_waits(9),), (_waits(1),), (_waits(1),), (_waits(4),), (_waits(1),), _RAISED, tasks=_THREE, attempts=2, concurrent=2),
        "longest-last": _job((_waits(1),), (_waits(9),), (_waits(1),), (_waits(1),), _RAISED, _RAISED, tasks=_THREE, attempts=2, concurrent=3),
        "holds-its-seat": _job((_raises(), _HALF), _RAISED, tasks=_TWO, retry=RetrySettings(1, min_wait_sec=5.0)),
    },
    "retry-limit": {
        "none": _job((_raises(), _FINE)),
        "one": _retried(_raises(), _raises(), _FINE),
        "three": _retried(_raises(), most=3),
        "six": _retried(_raises(), most=6, wait_multiplier=2.0),
    },
    "no-error-no-retry": {
        "rewarded": _retried(_FINE, most=2),
        "no-points": _retried(_ZERO),
        "failed-tests": _retried(_rewarded("1", {8: Effect("exit", "", 1)})),
    },
    "excluded": {
        **{name: _retried(_raises(name)) for name in sorted(NEVER_RETRIED)},
        "no-reward": _retried(_NO_REWARD),
        "agent-timeout": _job((_LATE, _FINE), tasks=(_QUICK,), agent=_COMMAND, retry=RetrySettings(1)),
        "given": _retried(_raises(), exclude=_OS),
    },
    "included": {
        "another": _retried(_raises("ValueError"), include=_OS),
        "base-class": _retried(_raises("FileNotFoundError"), include=_OS),
        "second-run": _retried(_raises(), _raises("ValueError"), include=_OS, most=2),
    },
    "excluded-beats-included": {
        "both": _retried(_raises(), include=_OS, exclude=_OS),
        "usually": _retried(_NO_REWARD, include=frozenset({"RewardFileNotFoundError", "OSError"})),
    },
    "retried": {
        "any": _retried(_raises("CustomError"), _ZERO),
        "included": _retried(_raises(), _ZERO, include=_OS),
        "including-nothing": _retried(_raises(), _ZERO, include=_NOTHING),
        "excluding-nothing": _retried(_NO_REWARD, _ZERO, exclude=_NOTHING),
        "no-exclusion": _retried(_NO_REWARD, _ZERO, exclude=None),
        "derived-class": _retried(_raises("FileNotFoundError"), _ZERO, exclude=_OS),
        "stop": _retried(_rewarded("1", {10: Effect("raise", "OSError")}), _ZERO),
    },
    "longest-wait": {
        "at-once": _retried(_raises(), max_wait_sec=0.5),
        "second": _retried(_raises(), most=3, min_wait_sec=2.0, wait_multiplier=3.0, max_wait_sec=7.0),
        "none": _retried(_raises(), max_wait_sec=0.0),
    },
    "waits": {
        "default": _retried(_raises(), most=2),
        "growing": _retried(_raises(), most=3, min_wait_sec=1.5, wait_multiplier=2.0),
        "shrinking": _retried(_raises(), most=2, min_wait_sec=8.0, wait_multiplier=0.5),
        "no-more": _retried(_raises(), most=2, wait_multiplier=0.0),
        "none": _retried(_raises(), min_wait_sec=0.0),
    },
    "folder-anew": {
        "exception": _retried(_raises(), _FINE),
        "logs": _retried(Script({10: Effect("raise", "OSError")}, (), ({"/logs/verifier/reward.txt": "1", "/logs/verifier/first": ""},)), _FINE),
        "another-exception": _retried(_raises(), _raises(call=1)),
    },
    "retries-counted": {"one": _retried(_raises(), _ZERO), "two-trials": _job(*[_RAISED] * 2, tasks=_TWO, retry=RetrySettings(2)), "none": _job(_RAISED)},
    "last-run-counts": {
        "recovered": _retried(_raises(), _HALF),
        "another-error": _retried(_raises(), _raises("ValueError")),
        "rewards": _retried(_rewarded("1", {10: Effect("raise", "OSError")}), _HALF),
    },
    "stats": {
        "literal-nans": _job((_NAN,), (_NAN,), attempts=2), "other-nans": _job((_rewarded("nan"),), (_NAN,), (_rewarded("nan"),), attempts=3),
        "mean": _job((_FINE,), (_HALF,), tasks=_TWO, concurrent=2),
        "pass-at-k": _job((_FINE,), (_ZERO,), attempts=2),
        "tasks-of-one-name": _job((_FINE,), (_ZERO,), tasks=(_NAMED, _NAMED)),
        "no-rewards": _job(_RAISED),
    },
    "step-errors": {"no-file": _job((_NO_REWARD,), (_FINE,), tasks=(_STEP,), attempts=2), "verifier-timeout": _job((_rewarded("1", {12: Effect("wait", "", 15)}),), (_FINE,), tasks=(_STEP,), attempts=2), "agent-exit": _job((_rewarded("1", {4: Effect("exit", "", 1)}),), (_ZERO,), tasks=(_STEP,), attempts=2, agent=_COMMAND), "agent-timeout": _job((_rewarded("1", {4: Effect("wait", "", 15)}),), (_ZERO,), tasks=(_STEP,), attempts=2, agent=_COMMAND)},
    "result": {"plain": _job((_HALF,)), "two": _job(_RAISED, _RAISED, attempts=2)},
    "lock": {
        "tasks": _job(_RAISED, _RAISED, tasks=(_TASK, _NAMED)),
        "retry": _job(_RAISED, retry=RetrySettings(2, _OS, None, 2.0, 0.5, 3.0), concurrent=3),
        "agent": _job(_RAISED, agent=AgentSettings("command", "solve", {"A": "1"})),
    },
    "config": {
        "plain": _job(_RAISED),
        "all": _job(_RAISED, attempts=2, concurrent=3, retry=RetrySettings(0, _NOTHING, _NOTHING, 2.0, 0.5, 3.0)),
        "agent": _job(_RAISED, agent=_COMMAND),
    },
    "files": {"plain": _job((_FINE,)), "error": _job(_RAISED)},
    "trials": {"calls": _job((_waits(3),)), "error-in-tests": _job((_raises(call=8),)), "mounted": replace(_job((_HALF,), _RAISED, attempts=2), settings=ScenarioSettings(AgentSettings("nop"), mounted=True))},
}  # fmt: skip
_SCENARIOS["excluded"] |= {name: _retried(_raises(error), _ZERO, exclude=frozenset({excluded})) for name, error, excluded in (("part-of-a-name", "FileNotFoundError", "Error"), ("case", "OSError", "oserror"))}  # fmt: skip
_SCENARIOS["included"] |= {name: _retried(_raises(), _ZERO, include=frozenset({included})) for name, included in (("part-of-a-name", "Error"), ("any-exception", "Exception"), ("case", "oserror"))}  # fmt: skip
_SCENARIOS["waits"] |= {"fraction": _retried(_raises("MemoryError"), min_wait_sec=1.00048828125), "hours": _retried(_raises("RecursionError"), min_wait_sec=9000.0, max_wait_sec=1e5)}  # fmt: skip

_MODELS = tuple(AgentSettings("nop", model=model) for model in ("provider/model", "model", "a/b/c", "", "provider/"))
_SETTINGS: dict[str, dict[str, JobScenario]] = {
    "n-tasks": {f"{count}-of-three": replace(_job(_RAISED, tasks=_THREE), n_tasks=count) for count in (1, 2, 5, -1, -2)}
    | {"beside-no-task": replace(_job(_RAISED, tasks=(_NO_TASK, _TASK, _TASK)), n_tasks=1)},
    "no-attempts": {"none": _job(attempts=0), "fewer": _job(tasks=_TWO, attempts=-3)},
    "agents": {
        "two": replace(_job(_RAISED, _RAISED, tasks=_TWO), further_agents=(_COMMAND,)),
        "the-same": replace(_job((_FINE,), (_HALF,), attempts=2), further_agents=(AgentSettings("nop"),)),
        "three-at-a-time": replace(_job(*[(_waits(1),)] * 6, attempts=2, concurrent=3), further_agents=(_COMMAND,) * 2),
    },
    "models": {
        "all": replace(_job(*[(_FINE,)] * 6), further_agents=_MODELS),
        "one": _job((_HALF,), agent=AgentSettings("nop", model="provider/model")),
    },
    "metrics": {
        "max": replace(_job((_FINE,), (_HALF,), attempts=2), metrics=("max",)),
        "all": replace(_job((_FINE,), (_HALF,), (_ZERO,), attempts=3), metrics=("sum", "min", "mean", "max")),
        "twice": replace(_job((_FINE,)), metrics=("mean", "mean")),
    },
    "program-ends": {
        "agent": _job((Script({2: Effect("raise", "SystemExit")}),), _RAISED, tasks=_TWO, agent=_COMMAND),
        "tests": _job((_raises("KeyboardInterrupt", 8),), tasks=_TWO),
        "beside-another": _job((_waits(5),), (_raises("SystemExit", 8),), _RAISED, tasks=_THREE, concurrent=2),
        "retried": _retried(_raises(), _raises("SystemExit"), _FINE, most=3),
    },
}
"""Vectors of rare settings."""

# Vectors of `run_trial`: one a rule, because a job runs its trials as they run alone; and those that other software
# may read differently in a job.
_AS_ALONE = """
    lax-values/user-true size-with-unit/gigabytes nan-timeout/agent message-code/list result-config/plain
    start-timeout/late agent-setup-timeout/no-time sandbox/image image-files/data working-directory/set
    asked-working-directory/other healthcheck-start-period/three healthcheck-retries/last-chance
    healthcheck-interval/two healthcheck-first/task healthcheck-command/fraction verifier-variables/command-line
    templates/set task-variables/every-command agent-variables/oracle instruction/canary step-user/own
    verifier-user/own agent-user/oracle root-commands/users output-redirected/oracle no-solution/none
    step-solution/own solution-by-oracle-only/nop oracle-timeout/none oracle-output/plain oracle-exit-code/one
    separate-has-tests/plain tests-after-agent/oracle step-tests/over allow-before-run/plain
    verification-disabled/plain logs-reset/plain stop-before-separate/plain separate-sandbox/same
    artifacts-for-verifier/files artifact-failure/missing artifact-exclude/two artifact-convention/before
    artifact-destination/deep artifact-manifest/two multiplier/both step-agent-timeout/own
    step-verifier-timeout/default agent-timeout/oracle stop-error/alone first-error/agent-then-tests
    verified-after-error/exit logs-failure/both recovery/start agent-logs/kept stop-once/plain step-preparation/all
    min-reward/missed step-archive/two rewards/final timings/plain calls/wait files/deep result/parse-error
    mounted/oracle override-timeout/agent override-setup-timeout/zero longest-timeout/verifier
    artifact-convention/named artifact-failure/not-looked-at artifact-manifest/twice
    asked-working-directory/none asked-working-directory/padded asked-working-directory/two-lines config/names-alike
    config/secrets healthcheck-retries/fewer healthcheck-retries/too-often healthcheck-start-period/slow
    image-files/compose image-files/compose-yml image-files/hidden instruction/byte-order-mark
    instruction/canary-in-a-word instruction/line-ends instruction/two-canaries longest-timeout/verifier-multiplied
    message-code/command message-code/step min-reward/no-reward min-reward/zero-and-null multiplier/agent's-alone
    multiplier/general-and-none multiplier/verifier's-alone oracle-exit-code/-15 oracle-timeout/below-one
    oracle-timeout/fraction rewards/keys-like-numbers rewards/no-keys-in-a-step
    separate-sandbox/step-named/case separate-sandbox/step-named/long
    start-timeout/late-folders step-user/zero step-verifier-timeout/fraction step-verifier-timeout/own
    templates/blanks templates/case templates/empty templates/in-default templates/no-templates templates/other-software's
    verified-after-error/raises verified-after-error/step verifier-variables/empty verifier-variables/step-of-two
    working-directory/steps verification-disabled/steps healthcheck-start-period/two-retries rewards/final-keys
"""
_TRIALS = {vector.id.removeprefix("run-trial/"): vector.case for vector in TRIALS}
_SCENARIOS["trials"] |= {
    f"as-alone/{name}": JobScenario((trial.task,), trial.settings, scripts=((trial.script,),))
    for name, trial in ((name, _TRIALS[name]) for name in _AS_ALONE.split())
}


def _resumed() -> list[Vector]:
    """Return the vectors of resumed jobs. Only the golden file has their inputs: documents that an earlier run left."""
    return [
        Vector(rule, entry["id"].removeprefix(f"{rule}/"), JOB_CODEC.decode(entry["input"]))
        for entry in unchecked_entries("run_job")
        if (rule := entry["rule"]).startswith("run-job/resume-")
    ]


VECTORS = [*vectors_of("run-job", {**_SCENARIOS, **_SETTINGS}), *_resumed()]
