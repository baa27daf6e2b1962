"""Datasets: the bundled tasks, and tasks that are written for a test."""

from pathlib import Path

BUNDLED = Path(__file__).parents[2] / "tasks"

NAMES = [
    "bad-json",
    "both-files",
    "failing-test-script",
    "no-reward",
    "reward-txt",
    "several-keys",
    "wrong-value",
]
"""Bundled tasks that need only one sandbox and have complete instructions."""

SOLVE = "echo hello > greeting.txt; echo 1 > /logs/verifier/reward.txt"
"""A command that solves all of these tasks."""


def write_task(folder: Path, test_script: str, name: str = "task") -> Path:
    """Add a task with this test script to a dataset, and return the dataset."""
    task = folder / name
    (task / "tests").mkdir(parents=True)
    (task / "solution").mkdir()
    (task / "environment").mkdir()
    (task / "instruction.md").write_text("Do it.\n")
    (task / "task.toml").write_text("[verifier]\ntimeout_sec = 60\n")
    (task / "tests" / "test.sh").write_text(f"#!/bin/bash\n{test_script}\n")
    (task / "solution" / "solve.sh").write_text("#!/bin/bash\necho the secret solution\n")
    return folder
