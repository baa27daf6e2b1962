"""Scenarios that a driver runs. They consist of tasks, settings, and scripts with effects on calls.

Scenarios contain only text and numbers, so that they have the same meaning in any language.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PosixPath

from parity.operations.scenarios.scripted_sandbox import Script
from parity.operations.scenarios.settings import AgentSettings, Multipliers, RetrySettings, VerifierTimeouts


@dataclass(frozen=True)
class TaskFiles:
    """The directory of a task, with exactly the given files."""

    toml: str = ""
    """The content of task.toml."""

    files: Mapping[str, str] = field(default_factory=dict)
    """The further files: contents by path in the directory. A path that ends in a slash is an empty directory."""

    def write(self, directory: Path) -> Path:
        """Write the files into `directory`, which must not exist yet, and return `directory`."""
        directory.mkdir(parents=True)
        for name, content in (("task.toml", self.toml), *self.files.items()):
            path = f"{directory}/{name.rstrip('/')}"
            if not os.path.isdir(above := os.path.dirname(path)):
                os.makedirs(above)
            if name.endswith("/"):
                os.mkdir(path)
            else:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(content)
        return directory


@dataclass(frozen=True)
class ScenarioSettings:
    """The settings for trials."""

    agent: AgentSettings = field(default_factory=AgentSettings)
    multipliers: Multipliers = field(default_factory=Multipliers)
    verifier_env: Mapping[str, str] = field(default_factory=dict)
    verification: bool = True
    host: Mapping[str, str] = field(default_factory=dict)
    """Environment variables that are set on the host in addition to the existing variables."""

    verifier_timeouts: VerifierTimeouts = field(default_factory=VerifierTimeouts)
    mounted: bool = False
    """Whether the sandboxes' log directories are mounted from the host."""


@dataclass(frozen=True)
class TrialScenario:
    """One trial of a task."""

    task: TaskFiles
    settings: ScenarioSettings = field(default_factory=ScenarioSettings)
    script: Script = field(default_factory=Script)


class SortedDirectory(PosixPath):
    """A directory that lists its entries, and those of nested directories, in the order of their names.

    The order in which a plain path lists entries depends on the file system.
    """

    def iterdir(self) -> Iterator[Path]:  # type: ignore[override]
        return iter(sorted(map(Path, super().iterdir())))


@dataclass(frozen=True)
class JobScenario:
    """A job over a dataset of tasks with the names task-1, task-2 and so on."""

    tasks: tuple[TaskFiles, ...]
    settings: ScenarioSettings = field(default_factory=ScenarioSettings)
    attempts: int = 1
    concurrent: int = 1
    retry: RetrySettings = field(default_factory=RetrySettings)
    scripts: tuple[tuple[Script, ...], ...] = ()
    """The scripts for the runs of each trial, in planned order. Further runs of a trial repeat its last script."""

    further_agents: tuple[AgentSettings, ...] = ()
    """Agents that attempt every task in addition to the agent in the settings, and after it."""

    metrics: tuple[str, ...] = ()
    n_tasks: int | None = None
    """The number of tasks that are run. A negative number skips as many tasks at the end."""

    earlier: Mapping[str, str] = field(default_factory=dict)
    """The files that earlier runs left in the job's directory: contents by path.

    `<folder>` in a content represents the directory that contains the job's directory and `dataset`. A path that ends
    in a slash is an empty directory.
    """

    def write_tasks(self, directory: Path) -> Path:
        """Write the dataset into `directory`. Return the path of the dataset, which lists its tasks in order."""
        for number, task in enumerate(self.tasks, 1):
            task.write(directory / "dataset" / f"task-{number}")
        return SortedDirectory(directory / "dataset")

    def write_earlier(self, job: Path) -> None:
        """Write the files of earlier runs into the job's directory, which must not exist yet."""
        for name, content in self.earlier.items():
            path = job / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if name.endswith("/"):
                path.mkdir()
            else:
                path.write_text(content.replace("<folder>", str(job.parent)), encoding="utf-8")

    def without_sets(self) -> "JobScenario":
        """Return the scenario with sorted lists of retried and excluded errors instead of sets."""
        include, exclude = (
            None if names is None else sorted(names) for names in (self.retry.include, self.retry.exclude)
        )
        return replace(self, retry=replace(self.retry, include=include, exclude=exclude))  # type: ignore[arg-type]

    def script(self, trial: int, run: int) -> Script:
        """Return the script for a run of a trial. Trials and runs are numbered from 0."""
        runs = self.scripts[trial] if trial < len(self.scripts) else ()
        return runs[min(run, len(runs) - 1)] if runs else Script()
