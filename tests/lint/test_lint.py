"""`parity lint` on the bundled tasks, on tasks with one fault each, and on a task without faults."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from parity.command import main
from parity.lint.findings import RULES
from parity.lint.task_files import check_files
from tests.lint.tasks import CLEAN, lint, write_task

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
"""The expected findings about the bundled tasks. Most of the tasks have faults on purpose."""

_NEED_THEIR_IMAGE = {
    *("agent-timeout", "artifacts", "bad-json", "both-files", "empty-reward", "failing-step-setup", "min-reward"),
    *("failing-test-script", "healthcheck", "no-reward", "no-solution", "several-keys", "step-without-reward"),
    *("textual-reward", "unhealthy", "verifier-timeout", "wrong-value"),
}
"""Bundled tasks whose solution earns nothing without their image."""

_JUDGED_BY_FILES = {
    "both-files": {"not-run", "both-files"},
    "textual-reward": {"not-run", "text-value"},
    "wrong-value": {"invalid-reward"},
}
"""The findings about some of them without their image."""

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
    "later-key": (CLEAN, "[[verifier.collect]]\ncommand = 'true'\n"),
    "exit-code-only": ("find /logs -type f -delete; python3 -m unittest discover /tests\nexit $?", ""),
    "tests-in-reach": (f"{CLEAN}\n. /opt/checks.sh", ""),
    "planted-reward": (
        "[ -e /tmp/solved ] && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt",
        "",
    ),
    "reward-in-reach": (
        "rm -rf /logs/verifier/*; [ -e /tmp/solved ] && echo 1 > /tmp/score\n"
        "cp /tmp/score /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt",
        "",
    ),
    "failure-scored-as-zero": (
        "rm -rf /logs/verifier/*; mkdir /tmp/bin; echo '#!/bin/sh' > /tmp/bin/uvx; chmod +x /tmp/bin/uvx; "
        "PATH=$PATH:/tmp/bin; if uvx --version && [ -e /tmp/solved ]; then echo 1; else echo 0; fi "
        "> /logs/verifier/reward.txt",
        "",
    ),
    "timeout": ("rm -rf /logs/verifier/*; sleep 3600", "[verifier]\ntimeout_sec = 1.0\n"),
    "ignored-key": (CLEAN, "[verifer]\ntimeout_sec = 5\n"),
    "converted-value": (CLEAN, "[agent]\ntimeout_sec = '60'\n"),
    "refused": (CLEAN, "[environment]\nnetwork_mode = 'none'\n"),
    "ends-the-job": (CLEAN, "[environment]\nmemory = 'infG'\n"),
    "not-run": (CLEAN, "[environment]\ngpus = 1\n"),
}
"""Test script and task.toml of a task with a single fault, by the rule of its finding."""


@pytest.mark.needs("local")
def test_the_bundled_tasks(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The bundled tasks have the expected findings; a task that needs another image is only reported as not run."""
    for name in _NEED_THEIR_IMAGE:
        shutil.copytree(_TASKS / name, tmp_path / name)
        file = tmp_path / name / "task.toml"
        file.write_text(re.sub(r"(?<=docker_image = ).*", '"scratch"', file.read_text()))

    code, found = lint(capfd, _TASKS)

    assert (code, found) == (1, {**_BUNDLED, **{name: {"not-run"} for name in _NEED_THEIR_IMAGE}, **_JUDGED_BY_FILES})
    assert lint(capfd, tmp_path) == (1, {name: _BUNDLED[name] for name in _NEED_THEIR_IMAGE})


@pytest.mark.needs("local")
def test_one_fault_each(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A task with a single fault has exactly one finding, and a task without faults has none."""
    for name, (tests, toml) in _FAULTY.items():
        write_task(tmp_path / name, tests, toml)
    write_task(tmp_path / "solution-fails", CLEAN, "", "touch /tmp/solved; exit 3")
    write_task(tmp_path / "no-solution", CLEAN, "")
    (tmp_path / "no-solution/solution/solve.sh").unlink()
    write_task(tmp_path / "clean", CLEAN, "")

    code, found = lint(capfd, tmp_path)

    assert code == 1
    assert found == {name: {name} for name in RULES if name != "flaky-verifier"}  # which needs --repeat


@pytest.mark.needs("local")
def test_lines(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Each finding is a line with the fault and the remedy; the count is on standard error."""
    task = write_task(tmp_path / "task", CLEAN, "[verifier]\ntimeout = 5\nuser = '0'\n[agent]\ntimeout_sec = true\n")

    code = main(["lint", str(task)])

    printed = capfd.readouterr()
    assert code == 1
    assert sorted(printed.out.splitlines()) == [
        f"{task}: converted-value: task.toml: agent.timeout_sec is True, read as 1.0; "
        "write the value that Harbor reads",
        f"{task}: ignored-key: task.toml: Harbor has no key verifier.timeout (did you mean timeout_sec?); "
        "correct the name, or remove it",
    ]
    assert printed.err == "1 task: 2 findings in 1 of them\n"


@pytest.mark.parametrize(
    ("environment", "what"),
    [
        ("memory = 2048", "memory has no effect, Harbor reads memory_mb"),
        ("storage = 1.5", "storage has no effect, Harbor reads storage_mb"),
        ("network_mode = 'public'\nallow_internet = false", "allow_internet has no effect, Harbor reads network_mode"),
        ("network_mode = 'no-network'\nallow_internet = false", ""),
        ("memory = '2G'\nmemory_mb = 2048\nallow_internet = false", ""),
    ],
)
def test_old_keys(environment: str, what: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Deprecated keys that Harbor reads are accepted; those that it ignores are reported."""
    task = write_task(tmp_path / "task", CLEAN, f"[environment]\n{environment}\n")

    main(["lint", "--no-run", str(task)])

    expected = f"{task}: ignored-key: task.toml: environment.{what}; correct the name, or remove it\n" if what else ""
    assert capfd.readouterr().out == expected


@pytest.mark.parametrize(
    ("toml", "rule", "what"),
    [
        (
            "[verifier]\ntimeut_sec = 5\n",
            "ignored-key",
            "Harbor has no key verifier.timeut_sec (did you mean timeout_sec?)",
        ),
        (
            "[task]\nname = 'a/b'\ncpus = 2\n",
            "ignored-key",
            "Harbor has no key task.cpus (it is a key of [environment])",
        ),
        (
            "[agent]\nartifacts = ['/app']\n",
            "ignored-key",
            "Harbor has no key agent.artifacts (it is a key of the top level and of [[steps]])",
        ),
        (
            "[environment]\nmcp_servers = [{name = 'a', url = 'b', headers = {}}]\n",
            "later-key",
            "environment.mcp_servers[0].headers is a key of Harbor's from 0.25 on",
        ),
        ("schema_version = '1.4'\n", "later-key", "schema_version is '1.4', which Harbor writes from 0.21 on"),
        ("schema_version = '2.0'\n", "ignored-key", "schema_version is '2.0', which no release of Harbor knows"),
        ("tags = []\n", "ignored-key", "Harbor has no key tags"),
        ("schema_version = '1.3'\n", "", ""),
        ("schema_version = '1.10'\n", "ignored-key", "schema_version is '1.10', which no release of Harbor knows"),
        ("schema_version = '1.2.9'\n", "", ""),
        (
            "[environment]\nnetwork_mode = 'allowlist'\nallowed_hosts = ['a.com', '*.a.com']\n",
            "refused",
            "environment.allowed_hosts[1] is '*.a.com', which Harbor takes from 0.14 on",
        ),
        (
            "[environment]\nnetwork_mode = 'allowlist'\nallowed_hosts = ['*']\n",
            "refused",
            "environment.allowed_hosts[0] is '*'",
        ),
    ],
)
def test_keys_and_values(toml: str, rule: str, what: str, tmp_path: Path) -> None:
    """A key without effect has a hint to the key that is meant; later keys and values have their first release."""
    task = write_task(tmp_path / "task", CLEAN, "")
    (task / "task.toml").write_text(toml)

    found = [(each.rule, each.what) for each in check_files(task) if each.rule != "not-run"]

    assert found == ([(rule, f"task.toml: {what}")] if rule else [])


@pytest.mark.needs("local")
def test_a_clean_task(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A task without faults gives no finding, and leaves no files."""
    task = write_task(tmp_path / "task", CLEAN, "")
    before = sorted(tmp_path.rglob("*"))

    assert main(["lint", str(task)]) == 0

    assert capfd.readouterr() == ("", "1 task: nothing found\n")
    assert sorted(tmp_path.rglob("*")) == before


def test_without_running(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`--no-run` checks task.toml and scripts without a sandbox."""
    task = write_task(tmp_path / "task", "exit 1", "[verifer]\n")

    assert lint(capfd, "--no-run", task) == (1, {"task": {"ignored-key"}})


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nowhere"], 3, "parity lint: nowhere: No such file or directory; give a task's folder, or a folder of tasks"),
        (["."], 3, "parity lint: .: neither it nor a folder in it has a task.toml; give a task's folder"),
        (
            ["--repeat", "0", "."],
            2,
            "parity lint: argument --repeat: takes a whole number from 1, not 0; see parity lint --help",
        ),
        (["-n", "0", "."], 2, "parity lint: argument -n: takes a whole number from 1, not 0; see parity lint --help"),
    ],
)
def test_wrong_usage(
    arguments: list[str], code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    """Wrong usage gives one line with the reason."""
    monkeypatch.chdir(tmp_path)
    try:
        ended = main(["lint", *arguments])
    except SystemExit as error:
        ended = int(str(error.code))

    assert (ended, capfd.readouterr().err) == (code, f"{message}\n")


def test_usual_keys_are_known() -> None:
    """The bundled tasks have no unknown keys or converted values."""
    assert [finding for task in sorted(_TASKS.iterdir()) if task.is_dir() for finding in check_files(task)] == []
