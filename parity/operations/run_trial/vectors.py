"""Golden inputs of `run_trial`: small scenarios, rule by rule.

Effects are numbered by calls. Calls of the oracle in a task without steps: start 0, log folders 1, solution 2 to 5, the
agent's logs 6 and 7, /logs/artifacts 8 and 9, tests 10 to 13, stop 14. Calls of the agent `nop` in a task with steps:
start 0, log folders 1; then for each step the logs 2, the working directory 3, the agent's logs 4 and 5,
/logs/artifacts 6 and 7, the folders of the verifier 8 and 9, tests 10 to 13; the second step follows at 14, stop at 26.
"""

from collections.abc import Mapping

from parity.driver.settings import AgentSettings, Multipliers, VerifierTimeouts
from parity.operations.scenarios.recording import Effect, Script
from parity.operations.scenarios.scenario import ScenarioSettings, TaskFiles, TrialScenario
from parity.operations.vector import vectors_of

type _Texts = Mapping[str, str]
type _Effects = Mapping[int, Effect]

_SINGLE = {"environment/": "", "instruction.md": "Do it.\n", "solution/solve.sh": "", "tests/test.sh": ""}
_STEPS = {
    "environment/": "",
    "solution/solve.sh": "",
    "tests/test.sh": "",
    "steps/a/instruction.md": "1",
    "steps/b/instruction.md": "2",
}
_A, _B = '[[steps]]\nname = "a"\n', '[[steps]]\nname = "b"\n'
_ONE: _Texts = {"/logs/verifier/reward.txt": "1"}
_HALF: _Texts = {"/logs/verifier/reward.txt": "0.5"}
_APART = '[verifier]\nenvironment_mode = "separate"\n'
_HOST = {"SET": "of the host", "EMPTY": ""}
_COMMAND = AgentSettings("command", "solve")
_NOP = AgentSettings("nop")
_OUT = {"/app/out.txt": "out", "/app/data/a": "1", "/app/data/b.pyc": "2", "/logs/artifacts/kept": "3"}


def _raises(name: str = "OSError") -> Effect:
    return Effect("raise", name)


def _exits(code: int = 1) -> Effect:
    return Effect("exit", "", code)


def _waits(seconds: int) -> Effect:
    return Effect("wait", "", seconds)


_CANCEL = Effect("cancel")


def _scenario(
    toml: str = "",
    *,
    files: _Texts = _SINGLE,
    agent: AgentSettings | None = None,
    multipliers: Multipliers | None = None,
    ve: Mapping[str, str] | None = None,
    verification: bool = True,
    verifier_timeouts: VerifierTimeouts | None = None,
    mounted: bool = False,
    effects: _Effects | None = None,
    left: tuple[_Texts, ...] = (),
    tests: tuple[_Texts, ...] = (_ONE, _HALF),
) -> TrialScenario:
    limits = verifier_timeouts or VerifierTimeouts()
    settings = ScenarioSettings(
        agent or AgentSettings(), multipliers or Multipliers(), ve or {}, verification, _HOST, limits, mounted
    )
    return TrialScenario(TaskFiles(toml, files), settings, Script(effects or {}, left, tests))


def _steps(
    toml: str = _A + _B, *, files: _Texts | None = None, agent: AgentSettings = _NOP, **more: object
) -> TrialScenario:
    return _scenario(toml, files={**_STEPS, **(files or {})}, agent=agent, **more)  # type: ignore[arg-type]


def _without(name: str) -> _Texts:
    return {key: text for key, text in _SINGLE.items() if key != name}


_HEALTH = '[environment]\nhealthcheck = {command = "ready", interval_sec = 2.0, retries = 3}\n'
_STARTING = '[environment]\nhealthcheck = {command = "ready", interval_sec = 2.0, start_interval_sec = 0.5, start_period_sec = 1.0, retries = 1}\n'
_KEPT = 'artifacts = ["/app/out.txt", {source = "/app/data", destination = "/kept/deep"}]\n'
_EXCLUDING = 'artifacts = [{source = "/app/data", exclude = ["*.pyc", "two words"]}]\n'
_TIMES = "[agent]\ntimeout_sec = 10.0\n"

_SPELLED = '{"a": 1e-7, "b": 1e-5, "c": 1e16, "d": -0.0, "e": 1.0, "f": 1, "\\u00e9\\n\\u007f/": 123456789012345680000}'
_ODD_TEXT = 'é 😀 "quoted" \\ / \u2028 \x7f\x01\t'


def _rewarded(text: str, name: str = "reward.txt") -> TrialScenario:
    return _scenario(agent=_NOP, tests=({f"/logs/verifier/{name}": text},))


def _quoted(before: int, after: int) -> TrialScenario:
    """Return a trial whose error quotes a document: a word that decides the reason code, between so many bytes."""
    return _rewarded(f'["{"x" * (before - 2)}empty{"x" * (after - 2)}"]', "reward.json")


# Rule to named scenarios.
_SCENARIOS: dict[str, dict[str, TrialScenario]] = {
    "lax-values": {
        "user-true": _scenario("[agent]\nuser = true\n", agent=_COMMAND),
        "user-float": _scenario("[verifier]\nuser = 1000.0\n", agent=_NOP),
        "user-digits": _steps("[agent]\nuser = 5\n" + _A + 'agent = {user = "0"}\nverifier = {user = false}\n', agent=_COMMAND),
        **{f"network-{word}": _scenario(f"[environment]\nallow_internet = {value}\n", agent=_NOP) for word, value in (("yes", '"yes"'), ("no", '"No"'), ("off", '"off"'), ("zero", "0"), ("one", "1.0"))},
        "network-no-answer": _scenario('[environment]\nallow_internet = "n"\nnetwork_mode = "public"\n', agent=_NOP),
        "resources": _scenario('[environment]\ncpus = "+2"\nmemory_mb = 512.0\nstorage_mb = " 1_024 "\n', agent=_NOP),
        "size-below-long": _scenario("[environment]\nmemory_mb = 9223372036854774784.0\n", agent=_NOP),
        "timeout-text": _scenario('[agent]\ntimeout_sec = " 10.5 "\n', agent=_COMMAND, effects={2: _waits(11)}),
        "timeout-true": _scenario("[verifier]\ntimeout_sec = true\n", agent=_NOP, effects={8: _waits(2)}),
        "healthcheck": _scenario('[environment]\nhealthcheck = {command = "ready", retries = "2.0", interval_sec = "1_0"}\n', agent=_NOP, effects={2: _exits(), 3: _exits()}),
        "threshold": _steps(_A + 'min_reward = "1.5"\n' + _B),
        "thresholds": _steps(_A + 'min_reward = {reward = true, speed = "-inf"}\n' + _B),
        "system": _scenario('[environment]\nos = "LINUX"\ncpus = true\n', agent=_NOP),
    },
    "size-with-unit": {
        "gigabytes": _scenario('[environment]\nmemory = "2G"\nstorage = " 1.5g "\n', agent=_NOP),
        "cut-off": _scenario('[environment]\nmemory = "1.99M"\nstorage = "1025K"\n', agent=_NOP),
        "both": _scenario('[environment]\nmemory = "1e3M"\nmemory_mb = 1000\n', agent=_NOP),
        "no-text": _scenario("[environment]\nmemory = 2048\nstorage_mb = 7\nstorage = 1.5\n", agent=_NOP),
    },
    "nan-timeout": {
        "agent": _scenario("[agent]\ntimeout_sec = nan\n", agent=_COMMAND, effects={2: _waits(5)}),
        "oracle": _scenario("[agent]\ntimeout_sec = nan\n"),
        "verifier": _scenario("[verifier]\ntimeout_sec = nan\n", agent=_NOP, effects={8: _waits(5)}),
        "build": _scenario("[environment]\nbuild_timeout_sec = nan\n", agent=_NOP, effects={0: _waits(5)}),
        "no-wait": _scenario("[agent]\ntimeout_sec = nan\n[verifier]\ntimeout_sec = nan\n", agent=_COMMAND),
    },
    "document-layout": {"plain": _scenario(agent=_NOP), "error": _scenario(agent=_NOP, effects={0: _raises()}), "steps": _steps()},
    "document-spelling": {"rewards": _rewarded(_SPELLED, "reward.json"), "mean": _steps(tests=({"/logs/verifier/reward.txt": "1e-7"},)), "texts": _scenario(agent=_NOP, ve={"A": _ODD_TEXT})},
    "duplicate-key": {"plain": _scenario(agent=_NOP), "reward": _rewarded('{"reward": 1, "reward": 2}', "reward.json")},
    "time-format": {"plain": _scenario(agent=_NOP), "error": _scenario(agent=_NOP, effects={0: _raises()}), "step": _steps(_A, effects={12: _raises()})},
    "message-presence": {"error": _scenario(agent=_NOP, effects={0: _raises()}), "cancelled": _scenario(agent=_NOP, effects={0: _CANCEL}), "step": _steps(_A, effects={12: _raises()})},
    "message-code": {
        "longest-in-full": _quoted(22, 23), "in-full": _quoted(23, 21), "shortest-cut": _quoted(23, 23), "head-end": _quoted(20, 60), "beyond-head": _quoted(21, 60), "tail-begin": _quoted(60, 19), "before-tail": _quoted(60, 20),
        "no-reward": _scenario(agent=_NOP, tests=({},)), "empty": _rewarded(""), "text": _rewarded("missing"), "broken": _rewarded('{"empty":', "reward.json"), "string": _rewarded('{"reward": "missing"}', "reward.json"),
        "null": _rewarded('{"reward": null}', "reward.json"), "key": _rewarded('{"empty": []}', "reward.json"), "list": _rewarded('["empty"]', "reward.json"), "cut": _rewarded(f'["{"x" * 30}empty{"x" * 30}"]', "reward.json"),
        "upload": _scenario(agent=_NOP, effects={6: _raises("MissingRewardError")}), "download": _scenario(agent=_NOP, effects={9: _raises("MissingRewardError")}), "raised": _scenario(agent=_NOP, effects={7: _raises("MissingRewardError")}),
        "command": _scenario(agent=AgentSettings("command", "parse reward"), effects={2: _exits()}), "healthcheck": _scenario('[environment]\nhealthcheck = {command = "test reward -o empty", retries = 1}\n', agent=_NOP, effects={2: _exits()}),
        "variable": _scenario('[verifier]\nenv = {REWARD = "${MISSING}"}\n', agent=_NOP), "missing-reward": _scenario('[verifier]\nenv = {A = "${REWARD_MISSING}"}\n', agent=_NOP),
        "step": _steps('[[steps]]\nname = "empty-reward"\n', files={"steps/empty-reward/instruction.md": "", "steps/empty-reward/workdir/setup.sh": ""}, effects={5: _exits()}), "no-solution": _steps('[[steps]]\nname = "empty-reward"\n', files={"steps/empty-reward/instruction.md": "", "steps/empty-reward/solution/other": ""}, agent=AgentSettings()),
    },
    "result-config": {"plain": _scenario(agent=_NOP), "secrets": _scenario(agent=AgentSettings("nop", None, {"API_KEY": "0123456789", "A": "1"})), "multipliers": _scenario(agent=_NOP, multipliers=Multipliers(2.0, 3.0, 0.5, 1.0, 4.0))},
    "missing-variable": {
        "sandbox": _scenario('[environment]\nenv = {A = "${MISSING}"}\n'), "agent": _scenario(agent=AgentSettings("oracle", None, {"A": "${MISSING}"})), "solution": _scenario('[solution]\nenv = {A = "${MISSING}"}\n'),
        "verifier": _scenario('[verifier]\nenv = {A = "${MISSING}"}\n'), "command-line": _scenario(ve={"A": "${MISSING}"}), "step": _steps(_A + 'verifier = {env = {A = "${MISSING}"}}\n' + _B),
        "verifier's-sandbox": _scenario('[verifier]\nenvironment = {env = {A = "${MISSING}"}}\n'),
    },
    "start-timeout": {"late": _scenario("[environment]\nbuild_timeout_sec = 5.0\n", effects={0: _waits(6)}), "in-time": _scenario("[environment]\nbuild_timeout_sec = 5.0\n", effects={0: _waits(4)}), "late-folders": _scenario("[environment]\nbuild_timeout_sec = 5.5\n", effects={1: _waits(6)}), "no-time": _scenario("[environment]\nbuild_timeout_sec = 0.0\n"), "default": _scenario(effects={0: _waits(601)}), "steps": _steps("[environment]\nbuild_timeout_sec = 5.0\n" + _A, effects={0: _waits(6)})},
    "agent-setup-timeout": {"no-time": _scenario(multipliers=Multipliers(agent_setup=0.0)), "steps": _steps(multipliers=Multipliers(agent_setup=0.0)), "a-little": _scenario(multipliers=Multipliers(agent_setup=0.001))},
    "sandbox": {"image": _scenario('[environment]\ndocker_image = "debian:12"\n', agent=_NOP), "resources": _scenario("[environment]\ncpus = 2\nmemory_mb = 512\nstorage_mb = 100\n", agent=_NOP), "offline": _scenario('[environment]\nnetwork_mode = "no-network"\n', agent=_NOP), "empty-image": _scenario('[environment]\ndocker_image = ""\n', agent=_NOP)},
    "image-files": {name: _scenario('[environment]\ndocker_image = "debian:12"\n', files={**_SINGLE, f"environment/{file}": "1"}, agent=_NOP) for name, file in (("data", "data"), ("dockerfile", "Dockerfile"), ("compose", "docker-compose.yaml"), ("folder", "more/data"))},
    "working-directory": {"set": _scenario('[environment]\nworkdir = "/work"\n'), "empty": _scenario('[environment]\nworkdir = ""\n', agent=_NOP), "image": _scenario('[environment]\nworkdir = "/two words"\ndocker_image = "x"\n', files={**_SINGLE, "environment/data": ""}, agent=_NOP), "steps": _steps('[environment]\nworkdir = "/work"\n' + _A)},
    "asked-working-directory": {name: _steps(_A, files={"steps/a/workdir/setup.sh": ""}, effects={3: Effect("print", text)}) for name, text in (("other", "/work\n"), ("padded", "  /two words \n"), ("none", ""), ("root", "/\n"))},
    "healthcheck-start-period": {"three": _scenario(_STARTING, effects={2: _exits(), 3: _exits()}, agent=_NOP), "too-many": _scenario(_STARTING, effects=dict.fromkeys((2, 3, 4, 5), _exits()), agent=_NOP), "slow": _scenario(_STARTING, effects={2: _waits(3), 3: _exits(), 4: _exits()}, agent=_NOP), "two-retries": _scenario(_STARTING.replace("retries = 1", "retries = 2"), effects=dict.fromkeys((2, 3, 4), _exits()), agent=_NOP)},
    "healthcheck-retries": {"last-chance": _scenario(_HEALTH, effects={2: _exits(), 3: _exits()}, agent=_NOP), "killed": _scenario(_HEALTH, effects={2: _exits(-9)}, agent=_NOP), "too-often": _scenario(_HEALTH, effects=dict.fromkeys((2, 3, 4), _exits()), agent=_NOP), "none": _scenario('[environment]\nhealthcheck = {command = "ready", retries = 0}\n', effects={2: _exits()}, agent=_NOP), "fewer": _scenario('[environment]\nhealthcheck = {command = "ready", retries = -1}\n', effects={2: _exits(), 3: _exits()}, agent=_NOP), "default": _scenario('[environment]\nhealthcheck = {command = "ready"}\n', effects=dict.fromkeys((2, 3, 4), _exits()), agent=_NOP), "step": _steps(_A + 'healthcheck = {command = "ready", retries = 1}\n' + _B, effects={4: _exits()})},
    "healthcheck-interval": {"two": _scenario(_HEALTH, effects={2: _exits()}, agent=_NOP), "none": _scenario('[environment]\nhealthcheck = {command = "ready", interval_sec = 0.0}\n', effects={2: _exits()}, agent=_NOP), "default": _scenario('[environment]\nhealthcheck = {command = "ready"}\n', effects={2: _exits()}, agent=_NOP)},
    "healthcheck-first": {"task": _scenario(_HEALTH), "step": _steps(_A + 'healthcheck = {command = "ready"}\n'), "raises": _scenario(_HEALTH, effects={2: _raises()}), "step-raises": _steps(_A + 'healthcheck = {command = "ready"}\n' + _B, effects={4: _raises()})},
    "healthcheck-command": {"fraction": _scenario('[environment]\nhealthcheck = {command = "a | b", timeout_sec = 1.9}\n[agent]\nuser = "bob"\n', agent=_NOP), "too-slow": _scenario('[environment]\nhealthcheck = {command = "ready", timeout_sec = 1.9}\n', effects={2: _waits(2)}, agent=_NOP), "infinite": _scenario('[environment]\nhealthcheck = {command = "ready", timeout_sec = inf}\n', agent=_NOP), "step": _steps('[agent]\nuser = "bob"\n' + _A + 'healthcheck = {command = "ready"}\n'), "below-a-second": _scenario('[environment]\nhealthcheck = {command = "ready", timeout_sec = 0.5}\n', agent=_NOP)},
    "verifier-variables": {"command-line": _scenario('[verifier]\nenv = {A = "task", B = "task"}\n', ve={"A": "line"}, agent=_NOP), "step": _steps('[verifier]\nenv = {A = "task", B = "task"}\n' + _A + 'verifier = {env = {A = "step"}}\n'), "all": _steps('[verifier]\nenv = {A = "task", B = "task", C = "task"}\n' + _A + 'verifier = {env = {A = "step", B = "step"}}\n', ve={"A": "line"})},
    "templates": {
        "set": _scenario('[verifier]\nenv = {A = "${SET}", B = "${SET:-other}"}\n', agent=_NOP), "default": _scenario('[verifier]\nenv = {A = "${MISSING:-other}", B = "${MISSING:-}"}\n', agent=_NOP), "empty": _scenario('[verifier]\nenv = {A = "${EMPTY}", B = "${EMPTY:-other}"}\n', agent=_NOP),
        "no-templates": _scenario('[verifier]\nenv = {A = "$SET", B = "a ${SET}", C = "${}", D = "${SET:x}", E = "${SET", F = "${A}B}"}\n', agent=_NOP), "sandbox": _scenario('[environment]\nenv = {A = "${SET}"}\n', agent=_NOP), "agent": _scenario(agent=AgentSettings("command", "solve", {"A": "${SET}"})), "solution": _scenario('[solution]\nenv = {A = "${SET}"}\n'),
    },
    "task-variables": {"every-command": _scenario('[environment]\nenv = {A = "1"}\n'), "overridden": _scenario('[environment]\nenv = {A = "task", B = "task"}\n[verifier]\nenv = {A = "tests"}\n', agent=AgentSettings("command", "solve", {"B": "agent"})), "verifier's-own": _scenario('[environment]\nenv = {A = "1"}\n[verifier]\nenvironment = {env = {B = "2"}}\n', agent=_NOP)},
    "agent-variables": {"oracle": _scenario(agent=AgentSettings("oracle", None, {"A": "agent", "B": "agent", "DEBIAN_FRONTEND": "agent"})), "solution": _scenario('[solution]\nenv = {A = "solution"}\n', agent=AgentSettings("oracle", None, {"A": "agent"})), "command": _scenario(agent=AgentSettings("command", "solve", {"INSTRUCTION": "another"}))},
    "instruction": {name: _scenario(files={**_SINGLE, "instruction.md": text}, agent=_COMMAND) for name, text in (("canary", "<!-- CANARY x -->\n\nDo it.\n"), ("two", "# canary\n# Canary\nDo it."), ("within", "Do it.\n# canary"), ("blank", "\n  \nDo it.\n"), ("blank-first", "\n# canary\nDo it."), ("plain", "Do it.\n"), ("nothing", ""))},
    "step-user": {"own": _steps('[agent]\nuser = "bob"\n[verifier]\nuser = "judge"\n' + _A + 'agent = {user = "alice"}\nverifier = {user = 1000}\n', agent=_COMMAND), "task's": _steps('[agent]\nuser = "bob"\n[verifier]\nuser = "judge"\n' + _A + "agent = {timeout_sec = 5.0}\n", agent=_COMMAND), "zero": _steps('[agent]\nuser = "bob"\n[verifier]\nuser = "judge"\n' + _A + 'agent = {user = 0}\nverifier = {user = ""}\n', agent=_COMMAND)},
    "verifier-user": {"own": _scenario('[verifier]\nuser = "judge"\n', agent=_NOP), "not-the-agent's": _scenario('[agent]\nuser = "bob"\n'), "apart": _scenario('[verifier]\nuser = "judge"\nenvironment_mode = "separate"\n', agent=_NOP), "number": _scenario("[verifier]\nuser = 0\n", agent=_NOP)},
    "agent-user": {"oracle": _scenario('[agent]\nuser = "bob"\n'), "command": _scenario('[agent]\nuser = "bob"\n', agent=_COMMAND), "number": _scenario("[agent]\nuser = 1000\n"), "empty": _scenario('[agent]\nuser = ""\n', agent=_COMMAND), "set-up": _steps('[agent]\nuser = "bob"\n' + _A, files={"steps/a/workdir/setup.sh": ""})},
    "root-commands": {"users": _scenario(_KEPT + '[agent]\nuser = "bob"\n[verifier]\nuser = "judge"\n', left=(_OUT,)), "packed": _scenario(_EXCLUDING + '[agent]\nuser = "bob"\n', left=(_OUT,)), "steps": _steps('[agent]\nuser = "bob"\n[verifier]\nuser = "judge"\n' + _A)},
    "output-redirected": {"oracle": _scenario(), "command": _scenario(agent=AgentSettings("command", "a | b; c > 'd'")), "apart": _scenario(_APART, agent=_NOP)},
    "no-solution": {"none": _scenario(files=_without("solution/solve.sh")), "no-script": _scenario(files={**_without("solution/solve.sh"), "solution/other.sh": ""}), "nop-needs-none": _scenario(files=_without("solution/solve.sh"), agent=_NOP), "step": _steps(_A + _B, files={"steps/a/solution/other": ""}, agent=AgentSettings())},
    "step-solution": {"own": _steps(_A, files={"steps/a/solution/solve.sh": "own"}, agent=AgentSettings()), "second": _steps(_A + _B, files={"steps/b/solution/solve.sh": "own"}, agent=AgentSettings())},
    "solution-by-oracle-only": {"nop": _scenario(agent=_NOP), "command": _scenario(agent=_COMMAND), "steps": _steps(_A, files={"steps/a/solution/solve.sh": ""})},
    "oracle-timeout": {"none": _scenario(), "fraction": _scenario("[agent]\ntimeout_sec = 3.9\n"), "below-one": _scenario("[agent]\ntimeout_sec = 0.5\n"), "multiplied": _scenario(_TIMES, multipliers=Multipliers(2.5)), "infinite": _scenario("[agent]\ntimeout_sec = inf\n"), "step": _steps(_TIMES + _A + "agent = {timeout_sec = 5.0}\n", agent=AgentSettings()), "step-alone": _steps(_A + "agent = {timeout_sec = 5.0}\n", agent=AgentSettings())},
    "oracle-output": {"plain": _scenario(), "fails": _scenario(effects={5: _raises()}), "other-logs": _scenario(left=({"/logs/agent/log.txt": "1"},))},
    "oracle-exit-code": {"one": _scenario(effects={4: _exits()}), "killed": _scenario(effects={4: _exits(-9)}), "planted": _scenario(effects={4: _exits()}, left=({"/logs/agent/exit-code.txt": "0"},)), "folder": _scenario(effects={4: _exits()}, left=({"/logs/agent/exit-code.txt/x": "0"},)), "step": _steps(_A, agent=AgentSettings(), effects={6: _exits(2)})},
    "separate-has-tests": {"plain": _scenario(_APART, agent=_NOP), "none": _scenario(_APART, files=_without("tests/test.sh"), agent=_NOP), "step": _steps(_A + 'verifier = {environment_mode = "separate"}\n', files={"steps/a/tests/test.sh": "own"})},
    "tests-after-agent": {"oracle": _scenario(), "command": _scenario(agent=_COMMAND), "steps": _steps(_A + _B), "raises": _scenario(effects={10: _raises()})},
    "step-tests": {"over": _steps(_A, files={"steps/a/tests/test.sh": "own"}), "beside": _steps(_A, files={"steps/a/tests/data": "own"}), "second": _steps(_A + _B, files={"steps/b/tests/test.sh": "own"})},
    "allow-before-run": {"plain": _scenario(), "fails": _scenario(effects={3: _exits(), 11: _exits()}), "raises": _scenario(effects={11: _raises()}), "solution-raises": _scenario(effects={3: _raises()})},
    "verification-disabled": {"plain": _scenario(verification=False), "apart": _scenario(_APART, verification=False, agent=_NOP), "steps": _steps(_A + "min_reward = 0.5\n" + _B, verification=False)},
    "logs-reset": {"plain": _steps(), "left-over": _steps(agent=_COMMAND, left=({"/logs/agent/first": "1", "/logs/verifier/reward.json": "{}"},)), "apart": _steps(_A + 'verifier = {environment_mode = "separate"}\n' + _B), "raises": _steps(effects={8: _raises()})},
    "stop-before-separate": {"plain": _scenario(_APART, agent=_NOP), "last-step": _steps(_A + 'verifier = {environment_mode = "separate"}\n' + _B + 'verifier = {environment_mode = "separate"}\n'), "not-the-last": _steps(_A + 'verifier = {environment_mode = "separate"}\n' + _B), "disabled": _scenario(_APART, verification=False, agent=_NOP)},
    "separate-sandbox": {"same": _scenario('[environment]\nworkdir = "/work"\ncpus = 2\ndocker_image = "a"\n' + _APART, agent=_NOP), "own": _scenario('[environment]\nworkdir = "/work"\n[verifier]\nenvironment = {docker_image = "b", network_mode = "no-network", memory_mb = 512}\n', agent=_NOP), "step's": _steps(_APART + _A + 'verifier = {environment = {workdir = "/own"}}\n', files={"steps/a/tests/test.sh": "own"}), "odd-name": _steps(_APART + '[[steps]]\nname = "o\'ne step"\n', files={"steps/o'ne step/instruction.md": ""}), "late": _scenario(_APART + "[environment]\nbuild_timeout_sec = 5.0\n", agent=_NOP, effects={7: _waits(6)})},
    "artifacts-for-verifier": {"files": _scenario(_KEPT + _APART, agent=_COMMAND, left=(_OUT,)), "none": _scenario(_KEPT + _APART, agent=_NOP), "step": _steps('artifacts = ["/app/out.txt"]\n' + _A + 'verifier = {environment_mode = "separate"}\nartifacts = ["/app/data"]\n', agent=_COMMAND, left=(_OUT,))},
    "artifact-failure": {"missing": _scenario('artifacts = ["/app/missing", "/app/missing.txt"]\n', agent=_NOP), "not-looked-at": _scenario('artifacts = ["/app/data", "/app/out.txt"]\n', agent=_NOP, effects={6: _raises(), 8: _raises()}), "not-downloaded": _scenario(_KEPT, agent=_COMMAND, left=(_OUT,), effects={8: _raises()}), "not-packed": _scenario(_EXCLUDING, agent=_COMMAND, left=(_OUT,), effects={8: _exits(2)})},
    "artifact-exclude": {"two": _scenario(_EXCLUDING, agent=_COMMAND, left=(_OUT,)), "missing": _scenario(_EXCLUDING, agent=_COMMAND), "kept-archive": _scenario(_EXCLUDING, agent=_COMMAND, left=(_OUT,), effects={10: _exits()}), "convention": _scenario('artifacts = [{source = "/logs/artifacts", exclude = ["kept"]}]\n', agent=_COMMAND, left=(_OUT,))},
    "artifact-convention": {"before": _scenario(_KEPT, agent=_COMMAND, left=(_OUT,)), "named": _scenario('artifacts = ["/app/out.txt", "/logs/artifacts/"]\n', agent=_COMMAND, left=(_OUT,)), "elsewhere": _scenario('artifacts = [{source = "/logs/artifacts", destination = "x"}]\n', agent=_COMMAND, left=(_OUT,)), "step": _steps('artifacts = ["/logs/artifacts"]\n' + _A + 'artifacts = ["/app/out.txt"]\n', agent=_COMMAND, left=(_OUT,))},
    "artifact-destination": {"deep": _scenario(_KEPT, agent=_COMMAND, left=(_OUT,)), "top": _scenario('artifacts = [{source = "/app/data", destination = "."}]\n', agent=_COMMAND, left=(_OUT,)), "same": _scenario('artifacts = [{source = "/app/out.txt", destination = "x"}, {source = "/app/data", destination = "x"}]\n', agent=_COMMAND, left=(_OUT,)), "manifest": _scenario('artifacts = [{source = "/app/data", destination = "manifest.json"}]\n', agent=_COMMAND, left=(_OUT,)), "empty": _scenario('artifacts = [{source = "/app/out.txt", destination = ""}]\n', agent=_COMMAND, left=(_OUT,))},
    "artifact-manifest": {"two": _scenario(_KEPT, agent=_COMMAND, left=(_OUT,)), "planted": _scenario(agent=_COMMAND, left=({"/logs/artifacts/manifest.json": "mine"},)), "plain": _scenario(agent=_NOP)},
    "multiplier": {"both": _scenario(_TIMES, multipliers=Multipliers(2.0, agent=3.0)), "one": _scenario(_TIMES, multipliers=Multipliers(2.0, agent=1.0), effects={4: _waits(15)}), "verifier": _scenario("[verifier]\ntimeout_sec = 10.0\n", agent=_NOP, multipliers=Multipliers(2.0, verifier=1.0), effects={8: _waits(15)}), "build": _scenario("[environment]\nbuild_timeout_sec = 10.0\n", agent=_NOP, multipliers=Multipliers(2.0, environment_build=0.5), effects={0: _waits(7)}), "general": _scenario(_TIMES, multipliers=Multipliers(0.5), effects={4: _waits(7)})},
    "step-agent-timeout": {"own": _steps(_TIMES + _A + "agent = {timeout_sec = 20.0}\n", agent=_COMMAND, effects={4: _waits(15)}), "shorter": _steps(_TIMES + _A + "agent = {timeout_sec = 5.0}\n", agent=_COMMAND, effects={4: _waits(7)}), "task's": _steps(_TIMES + _A, agent=_COMMAND, effects={4: _waits(15)})},
    "step-verifier-timeout": {"default": _steps("[verifier]\ntimeout_sec = 10.0\n" + _A, effects={12: _waits(15)}), "too-late": _steps("[verifier]\ntimeout_sec = 1000.0\n" + _A, effects={12: _waits(700)}), "own": _steps(_A + "verifier = {timeout_sec = 10.0}\n" + _B, effects={12: _waits(15)}), "single": _scenario("[verifier]\ntimeout_sec = 10.0\n", agent=_NOP, effects={8: _waits(15)}), "single-default": _scenario(agent=_NOP, effects={8: _waits(601)})},
    "agent-timeout": {"oracle": _scenario("[agent]\ntimeout_sec = 10.5\n", effects={4: _waits(11)}), "other-call": _scenario("[agent]\ntimeout_sec = 10.5\n", effects={2: _waits(11)}), "command": _scenario(_TIMES, agent=_COMMAND, effects={2: _waits(11)}), "in-time": _scenario(_TIMES, agent=_COMMAND, effects={2: _waits(9)}), "raised": _scenario(agent=_COMMAND, effects={2: _raises("TimeoutError")}), "no-time": _scenario("[agent]\ntimeout_sec = 0.0\n", agent=_COMMAND), "step": _steps(_TIMES + _A, agent=_COMMAND, effects={4: _waits(11)})},
    "cancellation": {"start": _scenario(effects={0: _CANCEL}), "agent": _scenario(effects={4: _CANCEL}), "artifacts": _scenario(agent=_NOP, effects={5: _CANCEL}), "verifier": _scenario(agent=_NOP, effects={8: _CANCEL}), "stop": _scenario(agent=_NOP, effects={10: _CANCEL}), "recovery": _scenario(agent=_NOP, effects={1: _raises(), 2: _CANCEL}), "step": _steps(effects={12: _CANCEL}), "apart": _scenario(_APART, agent=_NOP, effects={13: _CANCEL})},
    "stop-error": {"alone": _scenario(agent=_NOP, effects={10: _raises()}), "after-another": _scenario(agent=_NOP, effects={8: _raises("ValueError"), 10: _raises()}), "apart": _scenario(_APART, agent=_NOP, effects={15: _raises()}), "before-separate": _scenario(_APART, agent=_NOP, effects={6: _raises()})},
    "first-error": {"agent-then-tests": _scenario(agent=_COMMAND, effects={2: _exits(), 9: _raises()}), "tests-then-stop": _scenario(agent=_NOP, effects={8: _raises("ValueError"), 10: _raises()}), "step": _steps(agent=_COMMAND, effects={4: _raises("ValueError"), 13: _raises()})},
    "verified-after-error": {"killed": _scenario(agent=_COMMAND, effects={2: _exits(-9)}), "exit": _scenario(agent=_COMMAND, effects={2: _exits()}), "raises": _scenario(agent=_COMMAND, effects={2: _raises()}), "oracle-raises": _scenario(effects={4: _raises("CustomError")}), "step": _steps(agent=_COMMAND, effects={4: _raises()})},
    "logs-failure": {"download": _scenario(agent=_NOP, effects={2: _raises()}), "upload": _scenario(agent=_NOP, effects={3: _raises()}), "both": _steps(_A, effects={4: _raises(), 5: _raises()})},
    "recovery": {"start": _scenario(effects={0: _raises()}), "agent": _scenario(effects={2: _raises()}), "tests": _scenario(agent=_NOP, effects={8: _raises()}), "step": _steps(effects={3: _raises()}), "step-start": _steps(_A, effects={0: _raises()})},
    "agent-logs": {"kept": _scenario(left=({"/logs/agent/log.txt": "1", "/logs/agent/more/log.txt": "2"},)), "command": _scenario(agent=_COMMAND, left=({"/logs/agent/log.txt": "1"},)), "steps": _steps(agent=_COMMAND, left=({"/logs/agent/log.txt": "1"}, {"/logs/agent/log.txt": "2"}))},
    "stop-once": {"plain": _scenario(agent=_NOP), "error": _scenario(agent=_NOP, effects={0: _raises()}), "stop-raises": _scenario(agent=_NOP, effects={1: _raises(), 3: _raises()}), "step": _steps(_A)},
    "step-preparation": {"all": _steps(_A + 'healthcheck = {command = "ready"}\n', files={"steps/a/workdir/setup.sh": ""}), "files": _steps(_A, files={"steps/a/workdir/data": "1"}), "set-up-fails": _steps(_A + 'healthcheck = {command = "ready"}\n' + _B, files={"steps/a/workdir/setup.sh": ""}, effects={5: _exits()}, agent=_COMMAND), "set-up-killed": _steps(_A + _B, files={"steps/a/workdir/setup.sh": ""}, effects={5: _exits(-9)}, agent=_COMMAND), "set-up-raises": _steps(_A + _B, files={"steps/a/workdir/setup.sh": ""}, effects={5: _raises()}, agent=_COMMAND), "upload-raises": _steps(_A + _B, files={"steps/a/workdir/data": ""}, effects={4: _raises()}, agent=_COMMAND)},
    "min-reward": {"missed-in-second": _steps(_A + _B + 'min_reward = 1.0\n[[steps]]\nname = "c"\n', files={"steps/c/instruction.md": "3"}, tests=(_ONE, _HALF, _ONE)), "missed": _steps(_A + "min_reward = 2.0\n" + _B), "met": _steps(_A + "min_reward = 1\n" + _B), "keys": _steps(_A + "min_reward = {reward = 0.5, speed = 0.5}\n" + _B), "no-reward": _steps(_A + "min_reward = 0.0\n" + _B, tests=({}, _ONE))},
    "step-archive": {"two": _steps(agent=_COMMAND, left=({"/logs/agent/log.txt": "1"}, {"/logs/artifacts/x": "2"})), "same-name": _steps(_A + _A, agent=_COMMAND, left=({"/logs/agent/log.txt": "1"}, {"/logs/agent/log.txt": "2"})), "set-up-fails": _steps(_A, files={"steps/a/workdir/setup.sh": ""}, effects={5: _exits()}), "same-name-folders": _steps(_A + _A, agent=_COMMAND, left=({"/logs/agent/more/log.txt": "1"}, {"/logs/agent/more/log.txt": "2"}))},
    "rewards": {"mean": _steps(), "final": _steps('multi_step_reward_strategy = "final"\n' + _A + _B), "final-keys": _steps('multi_step_reward_strategy = "final"\n' + _A, tests=({"/logs/verifier/reward.json": '{"b": 1, "a": 0.5}'},)), "json": _scenario(agent=_NOP, tests=({"/logs/verifier/reward.json": '{"b": 1, "a": 0.5}'},)), "null": _scenario(agent=_NOP, tests=({"/logs/verifier/reward.json": "null"},)), "none": _scenario(agent=_NOP, tests=({},)), "planted": _scenario(agent=_COMMAND, left=(_ONE,), tests=({},)), "planted-json": _scenario(agent=_COMMAND, left=({"/logs/verifier/reward.json": '{"reward": 1}'},), tests=({"/logs/verifier/reward.txt": "0"},)), "empty": _scenario(agent=_NOP, tests=({"/logs/verifier/reward.txt": ""},)), "keys": _steps(tests=({"/logs/verifier/reward.json": '{"b": 1, "a": 0.5}'}, _ONE))},
    "task-name": {"own": _scenario('[task]\nname = "org/kept.name"\n', agent=_NOP), "folder's": _scenario(agent=_NOP)},
    "timings": {"plain": _scenario(agent=_NOP), "start-fails": _scenario(agent=_NOP, effects={0: _raises()}), "agent-fails": _scenario(agent=_COMMAND, effects={2: _raises()}), "step": _steps(_A)},
    "config": {"plain": _scenario(agent=_NOP), "secrets": _scenario(agent=AgentSettings("nop", None, {"API_KEY": "0123456789", "TOKEN": "short", "A_TOKEN": "${SET}"}), ve={"SET": "of the host", "PASSWORD": "of the host"}), "multipliers": _scenario(agent=_NOP, multipliers=Multipliers(2.0, 3.0, 0.5, 1.0, 4.0))},
    "calls": {"wait": _scenario(agent=_NOP, effects={5: _waits(7)}), "wait-more": _scenario(effects=dict.fromkeys(range(0, 14, 2), _waits(1)))},
    "files": {"deep": _scenario(agent=_NOP, tests=({"/logs/verifier/reward.txt": "1", "/logs/verifier/more/ctrf.json": "{}"},)), "none": _scenario(agent=_NOP, effects={0: _raises()})},
    "result": {"parse-error": _scenario(agent=_NOP, tests=({"/logs/verifier/reward.txt": "one"},)), "tests-not-downloaded": _scenario(agent=_NOP, effects={9: _raises()})},
}  # fmt: skip

_LEFT = {"/logs/agent/log.txt": "1", "/logs/artifacts/kept": "2", "/app/out.txt": "out"}


def _limited(**limits: float) -> AgentSettings:
    return AgentSettings("command", "solve", **limits)  # type: ignore[arg-type]


_SCENARIOS |= {
    "mounted": {
        "oracle": _scenario(mounted=True, left=(_LEFT,)),
        "command": _scenario(_KEPT, mounted=True, agent=_COMMAND, left=(_LEFT,)),
        "no-artifacts": _scenario(mounted=True, agent=_NOP),
        "excluding": _scenario('artifacts = [{source = "/logs/artifacts", exclude = ["kept"]}]\n', mounted=True, agent=_COMMAND, left=(_LEFT,)),
        "steps": _steps(mounted=True, agent=_COMMAND, left=(_LEFT, _LEFT)),
        "apart": _scenario(_APART, mounted=True, agent=_COMMAND, left=(_LEFT,)),
        "step-apart": _steps(_A + 'verifier = {environment_mode = "separate"}\n' + _B, mounted=True, agent=_COMMAND, left=(_LEFT, _LEFT)),
        "not-prepared": _scenario(mounted=True, agent=_NOP, effects={2: _raises()}),
        "error": _scenario(mounted=True, agent=_COMMAND, effects={2: _raises()}),
        "exit-code": _scenario(mounted=True, effects={4: _exits(7)}),
    },
    "override-timeout": {
        "agent": _scenario(_TIMES, agent=_limited(override_timeout=20.0), effects={2: _waits(15)}),
        "agent-shorter": _scenario(_TIMES, agent=_limited(override_timeout=5.0), effects={2: _waits(7)}),
        "agent-zero": _scenario(_TIMES, agent=_limited(override_timeout=0.0), effects={2: _waits(9)}),
        "agent-where-none": _scenario(agent=_limited(override_timeout=5.0), effects={2: _waits(7)}),
        "step": _steps(_A + "agent = {timeout_sec = 5.0}\n", agent=_limited(override_timeout=20.0), effects={4: _waits(7)}),
        "oracle": _scenario(_TIMES, agent=AgentSettings(override_timeout=20.5), effects={4: _waits(15)}),
        "verifier": _scenario("[verifier]\ntimeout_sec = 10.0\n", agent=_NOP, verifier_timeouts=VerifierTimeouts(20.0), effects={8: _waits(15)}),
        "verifier-of-step": _steps(_A + "verifier = {timeout_sec = 10.0}\n", verifier_timeouts=VerifierTimeouts(20.0), effects={12: _waits(15)}),
        "multiplied": _scenario(_TIMES, agent=_limited(override_timeout=6.0), multipliers=Multipliers(2.0), effects={2: _waits(11)}),
    },
    "override-setup-timeout": {
        "zero": _scenario(agent=AgentSettings("nop", override_setup_timeout=0.0)),
        "some": _scenario(agent=AgentSettings("nop", override_setup_timeout=5.0)),
    },
    "longest-timeout": {
        "agent": _scenario(_TIMES, agent=_limited(max_timeout=5.0), effects={2: _waits(7)}),
        "agent-zero": _scenario(_TIMES, agent=_limited(max_timeout=0.0), effects={2: _waits(9)}),
        "agent-multiplied": _scenario(_TIMES, agent=_limited(max_timeout=5.0), multipliers=Multipliers(2.0), effects={2: _waits(9)}),
        "override": _scenario(_TIMES, agent=_limited(override_timeout=20.0, max_timeout=12.0), effects={2: _waits(15)}),
        "step": _steps(_A + "agent = {timeout_sec = 20.0}\n", agent=_limited(max_timeout=5.0), effects={4: _waits(7)}),
        "no-timeout": _scenario(agent=_limited(max_timeout=5.0), effects={2: _waits(7)}),
        "verifier": _scenario(agent=_NOP, verifier_timeouts=VerifierTimeouts(max=5.0), effects={8: _waits(7)}),
        "verifier-of-step": _steps(_A, verifier_timeouts=VerifierTimeouts(30.0, 20.0), effects={12: _waits(25)}),
        "verifier-multiplied": _scenario(agent=_NOP, multipliers=Multipliers(verifier=2.0), verifier_timeouts=VerifierTimeouts(max=5.0), effects={8: _waits(7)}),
    },
    "program-ends": {
        "oracle": _scenario(effects={4: _raises("SystemExit")}),
        "command": _scenario(agent=_COMMAND, effects={2: _raises("SystemExit")}),
        "interrupted": _scenario(agent=_COMMAND, effects={2: _raises("KeyboardInterrupt")}),
        "tests": _scenario(agent=_NOP, effects={8: _raises("SystemExit")}),
        "start": _scenario(agent=_NOP, effects={0: _raises("SystemExit")}),
        "step": _steps(agent=_COMMAND, effects={4: _raises("SystemExit")}),
    },
    "model": {
        name: _scenario(agent=AgentSettings("nop", model=model))
        for name, model in {"both": "some/model", "name": "model", "more": "a/b/c", "provider": "some/", "empty": ""}.items()
    },
}  # fmt: skip

# Names, texts and numbers beside similar ones, which other software may confuse.
_ALIKE: dict[str, dict[str, TrialScenario]] = {
    "step-verifier-timeout": {"fraction": _scenario("[verifier]\ntimeout_sec = 10.5\n", agent=_NOP, effects={8: _waits(11)}), "fraction-of-step": _steps(_A + "verifier = {timeout_sec = 10.5}\n", effects={12: _waits(11)})},
    "multiplier": {"agent's-alone": _scenario(_TIMES + "[verifier]\ntimeout_sec = 10.0\n", agent=_COMMAND, multipliers=Multipliers(agent=0.0), effects={8: _waits(5)}), "verifier's-alone": _scenario(_TIMES, agent=_COMMAND, multipliers=Multipliers(verifier=0.0), effects={2: _waits(5)}), "build-alone": _scenario(_TIMES, agent=_COMMAND, multipliers=Multipliers(environment_build=0.5), effects={2: _waits(7), 8: _waits(400)}), "general-and-none": _scenario(_TIMES, agent=_COMMAND, multipliers=Multipliers(0.0, 1.0, 1.0, 1.0, 1.0))},
    "templates": {"in-default": _scenario('[verifier]\nenv = {A = "${MISSING:-${SET}}", B = "${MISSING:-$SET}", C = "${MISSING:-a:-b}"}\n', agent=_NOP), "blanks": _scenario('[verifier]\nenv = {A = "${ SET }", B = " ${SET}", C = "${SET} "}\n', agent=_NOP, effects={8: _waits(1)}), "case": _scenario('[verifier]\nenv = {A = "${set:-no}", B = "${Set:-no}"}\n', agent=_NOP), "other-software's": _scenario('[verifier]\nenv = {A = "%SET%", B = "$(SET)", C = "{{SET}}", D = "{SET}", E = "$${SET}", F = "${SET-no}", G = "${SET:=no}", H = "${SET:?}", I = "${SET:+no}"}\n', agent=_NOP)},
    "config": {"names-alike": _scenario(agent=AgentSettings("nop", None, dict.fromkeys(("MONKEY", "AUTHOR", "KEYBOARD", "api_key", "Api-Token", "PASS", "PWD", "APIKEY", "BEARER", "PRIVATE", "tokens", "ACCESS"), "0123456789")))},
    "verifier-variables": {"empty": _scenario('[verifier]\nenv = {A = "", B = " "}\n', ve={"C": ""}, agent=_NOP), "step-of-two": _steps('[verifier]\nenv = {A = "task"}\n' + _A + 'verifier = {env = {B = "step"}}\n' + _B)},
    "instruction": {name: _scenario(files={**_SINGLE, "instruction.md": text}, agent=_COMMAND) for name, text in {"line-ends": "Do it.\r\nNow.\rThen.\n\n", "byte-order-mark": "\ufeff<!-- canary -->\nDo it.", "canary-in-a-word": "# canaryish\nDo it.", "two-canaries": "# canary\n<!-- canary -->\n\n# canary\nDo it.", "canary-of-two-lines": "<!--\ncanary -->\nDo it.", "slashes": "// canary\nDo it.", "line-separator": "# canary\u2028Do it.\x0cNow.", "blank-lines": " \n\t\n  Do it.  \n"}.items()},
    "artifact-convention": {"named-alike": _scenario('artifacts = ["/logs/artifacts-more", "/var/out.txt"]\n', agent=_COMMAND, left=({"/logs/artifacts-more/a": "1", "/var/out.txt": "2"},))},
    "artifact-failure": {"look-killed": _scenario('artifacts = ["/app/data"]\n', agent=_NOP, effects={6: _exits(-9)}), "pack-killed": _scenario(_EXCLUDING, agent=_COMMAND, left=(_OUT,), effects={8: _exits(-9)})},
    "artifact-manifest": {"twice": _scenario('artifacts = ["/app/out.txt", "/app/out.txt", "/app/data/", "/app/data"]\n', agent=_COMMAND, left=(_OUT,))},
    "asked-working-directory": {"two-lines": _steps(_A, files={"steps/a/workdir/setup.sh": ""}, effects={3: Effect("print", "Welcome\n/work\n")})},
    "separate-sandbox": {f"step-named/{name}": _steps(f'[verifier]\nenvironment_mode = "separate"\n[[steps]]\nname = "{step}"\n', files={f"steps/{step}/instruction.md": ""}) for name, step in {"long": "long" * 16, "case": "Step", "dots": "a.b-c_d", "ends-in-a-point": "x" * 37 + ".y" * 9, "63-letters-in-all": "x" * 46, "one-more": "x" * 47}.items()},
    "image-files": {name: _scenario('[environment]\ndocker_image = "debian:12"\n', files={**_SINGLE, f"environment/{file}": "1"}, agent=_NOP) for name, file in (("hidden", ".dockerignore"), ("compose-yml", "docker-compose.yml"), ("compose-alone", "compose.yaml"), ("lower-case", "dockerfile"), ("containerfile", "Containerfile"), ("suffix", "Dockerfile.dev"), ("deeper", "build/Dockerfile"))},
    "rewards": {"no-keys-in-a-step": _steps(tests=({"/logs/verifier/reward.json": "{}"}, _ONE)), "null-in-a-step": _steps(tests=({"/logs/verifier/reward.json": "null"}, _ONE)), "keys-like-numbers": _scenario(agent=_NOP, tests=({"/logs/verifier/reward.json": '{"b": 1, "10": 2, "9": 3}'},))},
    "min-reward": {"zero-and-null": _steps(_A + "min_reward = 0.0\n" + _B, tests=({"/logs/verifier/reward.json": "null"}, _ONE)), "zero-and-less": _steps(_A + "min_reward = 0\n" + _B, tests=({"/logs/verifier/reward.txt": "-0.5"}, _ONE))},
    "oracle-exit-code": {str(code): _scenario(effects={4: _exits(code)}) for code in (256, -15)},
}  # fmt: skip
VECTORS = vectors_of("run-trial", _SCENARIOS) + vectors_of("run-trial", _ALIKE)
