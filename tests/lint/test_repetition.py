"""Findings of `parity lint` with `--repeat`."""

from pathlib import Path

import pytest

from parity.command import main
from tests.lint.tasks import CLEAN, lint, write_task

pytestmark = pytest.mark.needs("local")

_BY_CHANCE = "tr -dc 1-9 < /dev/urandom | head -c 15"
_COUNTS = """
rm -rf /logs/verifier/*
if [ -e /tmp/solved ]; then {}; else {}; fi > /logs/verifier/reward.txt
"""


@pytest.mark.parametrize(
    ("solved", "idle", "whose"),
    [
        (_BY_CHANCE, "echo 0", ["the solution"]),
        ("echo 1", _BY_CHANCE, ["an agent that does nothing"]),
        (_BY_CHANCE, _BY_CHANCE, ["the solution", "an agent that does nothing"]),
        ("echo nan", "echo 0", []),
    ],
)
def test_rewards_that_differ(
    solved: str, idle: str, whose: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """`--repeat` reports rewards that differ from trial to trial, with their values."""
    task = write_task(tmp_path / "task", _COUNTS.format(solved, idle), "")

    once = lint(capfd, task)[1]
    main(["lint", "--repeat", "3", str(task)])

    lines = [line for line in capfd.readouterr().out.splitlines() if "flaky-verifier" in line]
    assert "flaky-verifier" not in once.get("task", ())
    assert [
        line.partition("flaky-verifier: ")[2].partition(", verified 3 times, earns {'reward': ")[0] for line in lines
    ] == whose
    assert all(line.count("'reward': ") == 3 and line.count(" x1") == 3 for line in lines)


def test_a_task_without_a_solution(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Without a solution, only the rewards of an agent that does nothing are compared."""
    task = write_task(tmp_path / "task", _COUNTS.format("false", _BY_CHANCE), "")
    (task / "solution/solve.sh").unlink()

    found = lint(capfd, "--repeat", "2", task)

    assert found == (1, {"task": {"no-solution", "flaky-verifier"}})


def test_equal_rewards(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """With `--repeat`, a task without faults has no finding."""
    task = write_task(tmp_path / "task", CLEAN, "")

    assert lint(capfd, "--repeat", "3", task) == (0, {})
