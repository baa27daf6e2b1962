"""Scenarios that a driver runs: tasks as text, settings, and scripts with the effects on calls.

Everything is given as text, so that a scenario means the same in any language.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PosixPath

from parity.operations.scenarios.recording import Script
from parity.operations.scenarios.settings import AgentSettings, Multipliers, RetrySettings, VerifierTimeouts


@dataclass(frozen=True)
class TaskFiles:
    """The directory of a task, with exactly the given files."""

    toml: str = ""
    """The content of task.toml."""

    files: Mapping[str, str] = field(default_factory=dict)
    """The other files: contents by path in the directory. A path that ends in a slash is an empty directory."""

    def write(self, directory: Path) -> Path:
        """Write the files into the task's directory, which must not exist yet, and return the directory."""
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
    """Environment variables of the host, in addition to its own."""

    verifier_timeouts: VerifierTimeouts = field(default_factory=VerifierTimeouts)
    mounted: bool = False
    """Whether the log directories of the sandboxes are directories of the host."""


@dataclass(frozen=True)
class TrialScenario:
    """One trial of a task."""

    task: TaskFiles
    settings: ScenarioSettings = field(default_factory=ScenarioSettings)
    script: Script = field(default_factory=Script)


class SortedDirectory(PosixPath):
    """A directory that lists its entries, and those of its directories, in the order of their names.

    A plain directory lists them in an order that depends on the file system.
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
    """For each trial in planned order, the scripts of its runs; further runs repeat the last script."""

    further_agents: tuple[AgentSettings, ...] = ()
    """Agents that attempt every task after the agent of the settings."""

    metrics: tuple[str, ...] = ()
    n_tasks: int | None = None
    """The number of tasks that are run; a negative number leaves out that many of the last tasks."""

    earlier: Mapping[str, str] = field(default_factory=dict)
    """The files of earlier runs in the job's directory: contents by path. `<folder>` in them stands for the directory
    around the job's directory and `dataset`. A path that ends in a slash is an empty directory."""

    def write_tasks(self, directory: Path) -> Path:
        """Write the dataset into a directory; return the dataset's own directory, which lists the tasks in order."""
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
        """Return the scenario with sorted lists of errors instead of sets."""
        include, exclude = (
            None if names is None else sorted(names) for names in (self.retry.include, self.retry.exclude)
        )
        return replace(self, retry=replace(self.retry, include=include, exclude=exclude))  # type: ignore[arg-type]

    def script(self, trial: int, run: int) -> Script:
        """Return the script of a run of a trial; both count from 0."""
        runs = self.scripts[trial] if trial < len(self.scripts) else ()
        return runs[min(run, len(runs) - 1)] if runs else Script()
