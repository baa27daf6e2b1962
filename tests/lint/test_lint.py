"""`parity lint`: over the bundled tasks, over tasks with one fault each, and over one without any."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from parity.command import main
from parity.lint.findings import RULES
from parity.lint.task_files import check_files

_TASKS = Path(__file__).parents[1] / "tasks"
_BUNDLED: Mapping[str, set[str]] = {
    "agent-timeout": {"solution-fails", "nothing-earns", "planted-reward"},
    "artifacts": {"nothing-earns", "planted-reward"},
    "bad-json": {"invalid-reward"},
    "both-files": {"nothing-earns", "both-files"},
    "empty-reward": {"empty-reward", "planted-reward"},
    "environment-files": {"planted-reward"},
    "environment-variables": {"planted-reward"},
    "failing-solution": {"solution-fails", "planted-reward"},
    "failing-step-setup": {"solution-fails", "nothing-earns"},
    "failing-test-script": {"nothing-earns", "planted-reward"},
    "healthcheck": {"nothing-earns", "planted-reward"},
    "min-reward": {"nothing-earns"},
    "multi-step-final": {"no-reward-on-failure"},
    "multi-step-mean": {"invalid-reward"},
    "no-reward": {"no-reward", "planted-reward"},
    "no-solution": {"no-solution", "planted-reward"},
    "planted-links": {"no-reward-on-failure", "planted-reward"},
    "planted-reward-json": {"both-files", "planted-reward"},
    "planted-reward-txt": {"no-reward-on-failure", "planted-reward"},
    "reward-txt": {"planted-reward"},
    "several-keys": {"nothing-earns"},
    "step-without-reward": {"no-reward", "nothing-earns"},
    "textual-reward": {"nothing-earns", "text-value"},
    "unhealthy": {"solution-fails"},
    "users": {"planted-reward"},
    "verifier-timeout": {"timeout"},
    "wrong-value": {"invalid-reward"},
}
"""What is to be found in the bundled tasks, most of which are wrong on purpose."""

_CLEAN = """
rm -rf /logs/verifier/reward.json /logs/verifier/reward.txt
if [ -e /tmp/solved ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
"""
_JSON = """
[ -e /tmp/solved ] && solved=1 || solved=0
rm -rf /logs/verifier/reward.txt
echo '{}' > /logs/verifier/reward.json
"""
_FAULTY: Mapping[str, tuple[str, str]] = {
    "wrong-name": ("echo 1 > /logs/verifier/rewards.json; rm -rf /logs/verifier/reward.*", ""),
    "no-reward": ("rm -rf /logs/verifier/reward.*", ""),
    "no-reward-on-failure": (
        "rm -rf /logs/verifier/reward.*; cat /tmp/solved > /tmp/x && echo 1 > /logs/verifier/reward.txt",
        "",
    ),
    "empty-reward": ("rm -rf /logs/verifier/*; touch /logs/verifier/reward.txt", ""),
    "invalid-reward": (_JSON.format('{"reward": {"nested": 1}}'), ""),
    "nothing-earns": ("rm -rf /logs/verifier/*; echo 1 > /logs/verifier/reward.txt", ""),
    "other-keys": (_JSON.format("{\"solved_'$solved'\": '$solved'}"), ""),
    "both-files": (_JSON.format("{\"reward\": '$solved'}") + "echo 1 > /logs/verifier/reward.txt", ""),
    "text-value": (_JSON.format('{"reward": "\'$solved\'"}'), ""),
    "boolean-value": (_JSON.format('{"reward": \'$solved\', "tidy": true}'), ""),
    "repeated-key": (_JSON.format('{"reward": 0, "reward": \'$solved\'}'), ""),
    "null-rewards": ("rm -rf /logs/verifier/*; echo null > /logs/verifier/reward.json", ""),
    "not-finite": (_JSON.format('{"reward": \'$solved\', "speed": NaN}'), ""),
    "planted-reward": (
        "[ -e /tmp/solved ] && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt",
        "",
    ),
    "timeout": ("rm -rf /logs/verifier/*; sleep 3600", "[verifier]\ntimeout_sec = 1.0\n"),
    "ignored-key": (_CLEAN, "[verifer]\ntimeout_sec = 5\n"),
    "converted-value": (_CLEAN, "[agent]\ntimeout_sec = '60'\n"),
    "refused": (_CLEAN, "[environment]\nnetwork_mode = 'none'\n"),
    "ends-the-job": (_CLEAN, "[environment]\nmemory = 'infG'\n"),
    "not-run": (_CLEAN, "[environment]\ngpus = 1\n"),
}
"""By the rule that is to be found, and no other: the test script, and what task.toml says."""


def _write(folder: Path, tests: str, toml: str, solution: str = "touch /tmp/solved") -> Path:
    for name, text in {
        "task.toml": f"version = '1.0'\n{toml}",
        "instruction.md": "Create /tmp/solved.",
        "solution/solve.sh": f"#!/bin/bash\n{solution}\n",
        "tests/test.sh": f"#!/bin/bash\n{tests}\n",
        "environment/Dockerfile": "FROM scratch\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def _lint(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, dict[str, set[str]]]:
    """The exit code, and the rules that were found by the name of each task."""
    code = main(["lint", "--json", *map(str, arguments)])
    found: dict[str, set[str]] = {}
    for each in json.loads(capfd.readouterr().out):
        found.setdefault(Path(each["task"]).name, set()).add(each["rule"])
    return code, found


def test_the_bundled_tasks(capfd: pytest.CaptureFixture[str]) -> None:
    """What is wrong with each is found, and nothing else: there is no false alarm."""
    assert _lint(capfd, _TASKS) == (1, _BUNDLED)


def test_one_fault_each(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A task with a single fault has that finding alone; one without any has none."""
    for name, (tests, toml) in _FAULTY.items():
        _write(tmp_path / name, tests, toml)
    _write(tmp_path / "solution-fails", _CLEAN, "", "touch /tmp/solved; exit 3")
    _write(tmp_path / "no-solution", _CLEAN, "")
    (tmp_path / "no-solution/solution/solve.sh").unlink()
    _write(tmp_path / "clean", _CLEAN, "")

    code, found = _lint(capfd, tmp_path)

    assert code == 1
    assert found == {name: {name} for name in RULES}


def test_lines(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """One a finding, with what was found and what to do; the count goes to standard error."""
    task = _write(tmp_path / "task", _CLEAN, "[verifier]\ntimeout = 5\nuser = '0'\n[agent]\ntimeout_sec = true\n")

    code = main(["lint", str(task)])

    printed = capfd.readouterr()
    assert code == 1
    assert sorted(printed.out.splitlines()) == [
        f"{task}: converted-value: task.toml: agent.timeout_sec is True, read as 1.0; write that value",
        f"{task}: ignored-key: task.toml: verifier.timeout is no key of Harbor's, perhaps for timeout_sec; "
        "correct the name, or take it out",
    ]
    assert printed.err == "1 task: 2 findings in 1 of them\n"


def test_a_clean_task(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing is found, and nothing stays in the current folder or beside the task."""
    task = _write(tmp_path / "task", _CLEAN, "")
    before = sorted(tmp_path.rglob("*"))

    assert main(["lint", str(task)]) == 0

    assert capfd.readouterr() == ("", "1 task: nothing found\n")
    assert sorted(tmp_path.rglob("*")) == before


def test_variables_of_the_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """No task gets one: one that asks for it is not run."""
    monkeypatch.setenv("SECRET", "5")
    task = _write(tmp_path / "task", _CLEAN, "[environment.env]\nKEY = '${SECRET}'\n")

    assert _lint(capfd, task) == (1, {"task": {"not-run"}})


def test_without_running(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """task.toml alone, without a sandbox."""
    task = _write(tmp_path / "task", "exit 1", "[verifer]\n")

    assert _lint(capfd, "--no-run", task) == (1, {"task": {"ignored-key"}})


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nowhere"], 3, "parity lint: nowhere: No such file or directory; give a task's folder, or a folder of tasks"),
        (["."], 3, "parity lint: .: there is no task.toml in it or in a folder of it; give a task's folder"),
        (["-n", "0", "."], 2, "parity lint: argument -n: takes a whole number from 1, not 0; see parity lint --help"),
    ],
)
def test_wrong_usage(
    arguments: list[str], code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    """One line that says why."""
    monkeypatch.chdir(tmp_path)
    try:
        ended = main(["lint", *arguments])
    except SystemExit as error:
        ended = int(str(error.code))

    assert (ended, capfd.readouterr().err) == (code, f"{message}\n")


def test_usual_keys_are_known() -> None:
    """No key of the bundled tasks is called unknown, nor is a value."""
    assert [finding for task in sorted(_TASKS.iterdir()) if task.is_dir() for finding in check_files(task)] == []
