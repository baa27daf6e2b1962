"""What a driver is given to run: tasks as text, settings, and a script of what happens to each call.

Everything is given as text, so that a scenario means the same in any language.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PosixPath

from parity.driver.settings import AgentSettings, Multipliers, RetrySettings, VerifierTimeouts
from parity.operations.scenarios.recording import Script


@dataclass(frozen=True)
class TaskFiles:
    """A task's folder. It has `environment`, `tests/test.sh` and `instruction.md` unless they are left out."""

    toml: str = ""
    """task.toml."""

    files: Mapping[str, str] = field(default_factory=dict)
    """Its other files: path in the folder to content. A path that ends in a slash is an empty folder."""

    def write(self, folder: Path) -> Path:
        """Write the task's folder, which must not be there; the folder."""
        folder.mkdir(parents=True)
        for name, content in (("task.toml", self.toml), *self.files.items()):
            path = f"{folder}/{name.rstrip('/')}"
            if not os.path.isdir(above := os.path.dirname(path)):
                os.makedirs(above)
            if name.endswith("/"):
                os.mkdir(path)
            else:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(content)
        return folder


@dataclass(frozen=True)
class ScenarioSettings:
    """How trials are run."""

    agent: AgentSettings = field(default_factory=AgentSettings)
    multipliers: Multipliers = field(default_factory=Multipliers)
    verifier_env: Mapping[str, str] = field(default_factory=dict)
    verification: bool = True
    host: Mapping[str, str] = field(default_factory=dict)
    """Environment variables of the host, beside those that are there anyway."""

    verifier_timeouts: VerifierTimeouts = field(default_factory=VerifierTimeouts)
    mounted: bool = False
    """Whether the log folders of the sandboxes are folders of the host."""


@dataclass(frozen=True)
class TrialScenario:
    """One trial of a task."""

    task: TaskFiles
    settings: ScenarioSettings = field(default_factory=ScenarioSettings)
    script: Script = field(default_factory=Script)


class SortedFolder(PosixPath):
    """A folder that lists what is in it, and in its folders, in order of name.

    A plain one lists it as its file system likes.
    """

    def iterdir(self) -> Iterator[Path]:  # type: ignore[override]
        return iter(sorted(map(Path, super().iterdir())))


@dataclass(frozen=True)
class JobScenario:
    """A job over a dataset of tasks, which are called task-1, task-2 and so on."""

    tasks: tuple[TaskFiles, ...]
    settings: ScenarioSettings = field(default_factory=ScenarioSettings)
    attempts: int = 1
    concurrent: int = 1
    retry: RetrySettings = field(default_factory=RetrySettings)
    scripts: tuple[tuple[Script, ...], ...] = ()
    """For each trial in planned order, how its first run goes, its second, and so on; the last one holds on."""

    further_agents: tuple[AgentSettings, ...] = ()
    """Those that attempt every task after the agent of the settings."""

    metrics: tuple[str, ...] = ()
    n_tasks: int | None = None
    """How many tasks are run; of a negative number, so many of the last ones are not."""

    earlier: Mapping[str, str] = field(default_factory=dict)
    """What lies in the job's folder when the job is started: path in it to content, in which `<folder>` stands for the
    folder that the job's folder and `dataset` lie in. A path that ends in a slash is an empty folder."""

    def write_tasks(self, folder: Path) -> Path:
        """Write the dataset into a folder; its own folder, which lists the tasks in their order."""
        for number, task in enumerate(self.tasks, 1):
            task.write(folder / "dataset" / f"task-{number}")
        return SortedFolder(folder / "dataset")

    def write_earlier(self, job: Path) -> None:
        """Write what lies in the job's folder, which must not be there."""
        for name, content in self.earlier.items():
            path = job / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if name.endswith("/"):
                path.mkdir()
            else:
                path.write_text(content.replace("<folder>", str(job.parent)), encoding="utf-8")

    def without_sets(self) -> "JobScenario":
        """The scenario with sorted names of errors in place of sets of them."""
        include, exclude = (
            None if names is None else sorted(names) for names in (self.retry.include, self.retry.exclude)
        )
        return replace(self, retry=replace(self.retry, include=include, exclude=exclude))  # type: ignore[arg-type]

    def script(self, trial: int, run: int) -> Script:
        """How a run of a trial goes; both count from 0."""
        runs = self.scripts[trial] if trial < len(self.scripts) else ()
        return runs[min(run, len(runs) - 1)] if runs else Script()
