"""What an environment is given to run: a dataset as files, a constructor's arguments, and what the tests leave."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from parity.harbor_env.scoring import Scoring

BASE_URL = "http://127.0.0.1:1/rollout/played/v1"
"""Where the agents of a scenario would find a model."""

type Files = Mapping[str, bytes]
"""Path to content. A path that ends in a slash is an empty folder."""

AGENT = "true"
"""The agent's command."""

type RolloutMoment = Literal["upload-tests", "unpack-tests", "run-tests", "read-reward"]
"""A call of a rollout, by what it is for."""


@dataclass(frozen=True)
class InjectedFault:
    """What happens to each call of one kind."""

    moment: RolloutMoment
    seconds: int | None = None
    """How long the call takes; None where it raises."""


@dataclass(frozen=True)
class TaskScenario:
    """A folder of a dataset, be it a task or not, and how its rollout goes."""

    name: str
    files: Files = field(default_factory=dict)
    left: Files = field(default_factory=dict)
    """What the tests leave in the verifier's folder."""

    code: int = 0
    """What the test script exits with."""

    injected_fault: InjectedFault | None = None


@dataclass(frozen=True)
class EnvScenario:
    """One environment over one dataset."""

    scoring: Scoring
    tasks: tuple[TaskScenario, ...]
    names: tuple[str, ...] | None = None
    """Which tasks to take."""

    workdir: str = "/app"
    image: str = "python:3.11-slim"
    variables: Mapping[str, str] = field(default_factory=dict)
    model: str | None = None

    def write(self, folder: Path) -> Path:
        """Write the dataset into a folder; its own folder."""
        dataset = folder / "dataset"
        dataset.mkdir()
        for task in self.tasks:
            (dataset / task.name).mkdir()
            write_files(dataset / task.name, task.files)
        return dataset

    def task(self, name: str) -> TaskScenario:
        """The task of a name."""
        return next(task for task in self.tasks if task.name == name)


def write_files(folder: Path, files: Files) -> None:
    """Write files into a folder that exists."""
    for name, content in files.items():
        path = f"{folder}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not name.endswith("/"):
            with open(path, "wb") as file:
                file.write(content)
