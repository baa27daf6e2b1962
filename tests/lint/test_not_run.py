"""Tasks that `parity lint` cannot judge by a run, and faults that it finds all the same."""

from pathlib import Path

import pytest

from parity.command import main
from tests.lint.tasks import CLEAN, lint, write_task

_TESTS_FAIL = "rm -f /logs/verifier/reward.json; echo {}; echo 0 > /logs/verifier/reward.txt"


@pytest.mark.parametrize(
    ("dockerfile", "printed", "lacks"),
    [
        ("FROM ubuntu:24.04\nFROM --platform=linux/amd64 python:3.13 AS last\n", "x", "the image python:3.13"),
        ("FROM scratch\n", "Could not resolve host", "a network (it prints 'Could not resolve')"),
        (
            "FROM a\n",
            "x: SEED: unbound variable",
            "the image a and the variable SEED (it prints 'SEED: unbound variable')",
        ),
    ],
)
@pytest.mark.needs("local")
def test_what_the_sandbox_lacks(
    dockerfile: str, printed: str, lacks: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """If the solution earns nothing and the sandbox lacks something, the task is not judged."""
    task = write_task(tmp_path / "task", _TESTS_FAIL.format(printed), "")
    (task / "environment/Dockerfile").write_text(dockerfile)

    assert main(["lint", str(task)]) == 1

    earned = "the solution earns no more than an agent that does nothing"
    assert capfd.readouterr().out.startswith(f"{task}: not-run: {earned}, in a sandbox without {lacks}; ")


_LEAVES = "rm -f /logs/verifier/reward.*; echo '{}' > /logs/verifier/reward.{}"


@pytest.mark.parametrize(
    ("tests", "rules"),
    [
        (_LEAVES.format("0,85", "txt"), {"invalid-reward"}),
        (_LEAVES.format("85%", "txt"), {"invalid-reward"}),
        (_LEAVES.format("3 / 4", "txt"), {"not-run"}),
        (_LEAVES.format("", "txt"), {"not-run"}),
        (_LEAVES.format("sh: bc: not found", "txt"), {"not-run"}),
        (_LEAVES.format('{"reward": null}', "json"), {"invalid-reward"}),
        (_LEAVES.format('{"reward": "pass"}', "json"), {"invalid-reward"}),
        (_LEAVES.format('{"reward": 0,85}', "json"), {"invalid-reward"}),
        (_LEAVES.format('{"reward": 1, "failed": []}', "json"), {"invalid-reward"}),
        (_LEAVES.format('{"reward": , "passed": 3}', "json"), {"not-run"}),
        (_LEAVES.format('{"reward": ""}', "json"), {"not-run"}),
        (_LEAVES.format("null", "json"), {"not-run", "null-rewards"}),
        (_LEAVES.format('{"reward": true}', "json"), {"not-run", "boolean-value"}),
    ],
)
@pytest.mark.needs("local")
def test_files_are_judged_without_the_image(
    tests: str, rules: set[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A wrong value in a reward file is found without the task's image, if no missing tool can be its cause."""
    task = write_task(tmp_path / "task", tests, "")
    (task / "environment/Dockerfile").write_text("FROM ubuntu:24.04\n")

    assert lint(capfd, task) == (1, {"task": rules})


@pytest.mark.needs("local")
def test_a_sandbox_that_does_not_start(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """If no sandbox starts, no fault of the task is reported."""
    task = write_task(tmp_path / "task", CLEAN, "[environment]\nbuild_timeout_sec = 0.0001\n")

    main(["lint", str(task)])

    what = "not-run: no sandbox started: the sandbox did not start within 0.0001 seconds; "
    assert capfd.readouterr().out.startswith(f"{task}: {what}")


@pytest.mark.needs("local")
def test_a_solution_that_earns_shows_that_all_is_there(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """If the solution earns its reward in a sandbox without the task's image, the task is judged."""
    task = write_task(tmp_path / "task", CLEAN, "")
    (task / "environment/Dockerfile").write_text("FROM ubuntu:24.04\n")

    assert lint(capfd, task) == (0, {})


@pytest.mark.needs("local")
def test_variables_of_the_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """No task gets a variable of the host; a task that asks for one is not run."""
    monkeypatch.setenv("SECRET", "5")
    task = write_task(tmp_path / "task", CLEAN, "[environment.env]\nKEY = '${SECRET}'\n")

    main(["lint", str(task)])

    asked = "not-run: task.toml asks for variables that are not set: SECRET; run it with harbor, or give a default"
    assert capfd.readouterr().out == f"{task}: {asked}: ${{SECRET:-...}}\n"
