"""Scenarios of an environment: the files of a dataset, the constructor's arguments, and the files that tests leave."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

BASE_URL = "http://127.0.0.1:1/rollout/played/v1"
"""The address of the model for agents. No agent in a scenario uses it."""

type Files = Mapping[str, bytes]
"""Contents of files by path. A path that ends in a slash is an empty directory."""

AGENT = "true"
"""The command of the agent."""

type Scoring = Literal["harbor", "documented"]
"""The rules by which an environment computes rewards: those of Harbor, or those in HarborEnv's documentation."""

type RolloutCall = Literal["upload-task", "upload-tests", "unpack-tests", "run-tests", "read-reward"]
"""The purpose of a call in a rollout."""


@dataclass(frozen=True)
class InjectedFault:
    """A fault in each call of one kind."""

    call: RolloutCall
    seconds: int | None = None
    """The time that the call takes, in seconds; None if the call raises."""


@dataclass(frozen=True)
class TaskScenario:
    """A directory of a dataset, a task or not, and the course of its rollout."""

    name: str
    files: Files = field(default_factory=dict)
    left: Files = field(default_factory=dict)
    """The files that the tests leave in the verifier's directory."""

    code: int = 0
    """The exit code of the test script."""

    injected_fault: InjectedFault | None = None


@dataclass(frozen=True)
class EnvScenario:
    """One environment over one dataset."""

    scoring: Scoring
    tasks: tuple[TaskScenario, ...]
    names: tuple[str, ...] | None = None
    """The names of the selected tasks; None selects all tasks."""

    workdir: str = "/app"
    image: str = "python:3.11-slim"
    variables: Mapping[str, str] = field(default_factory=dict)
    model: str | None = None

    def write(self, directory: Path) -> Path:
        """Write the dataset into a directory, and return the path of the dataset."""
        dataset = directory / "dataset"
        dataset.mkdir()
        for task in self.tasks:
            (dataset / task.name).mkdir()
            write_files(dataset / task.name, task.files)
        return dataset

    def task(self, name: str) -> TaskScenario:
        """Return the task with this name."""
        return next(task for task in self.tasks if task.name == name)


def write_files(directory: Path, files: Files) -> None:
    """Write files into an existing directory."""
    for name, content in files.items():
        path = f"{directory}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not name.endswith("/"):
            with open(path, "wb") as file:
                file.write(content)
