"""The directories, names and scripted sandboxes of a scenario's run, which are the same for every driver."""

import asyncio
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path

from parity.operations.scenarios.scenario import JobScenario, ScenarioSettings, TrialScenario
from parity.operations.scenarios.scripted_mounted import ScriptedMountedSandbox
from parity.operations.scenarios.scripted_sandbox import Script, ScriptedSandbox, ScriptedSandboxes

TRIAL, JOB = "trial", "job"
"""The name of a single trial, and that of a job."""

SCRIPTED_ENVIRONMENT = "parity.reference.recorded:RecordingEnvironment"
"""The import path of the environment in a configuration, under which Harbor finds the scripted sandboxes."""

COMMAND_AGENT = "parity.reference.command_agent:CommandAgent"
"""The import path of the agent `command` in a configuration."""


def endings(scripts: Iterable[Script]) -> tuple[type[BaseException], ...]:
    """Return the classes of exceptions that end a trial or a job from outside.

    KeyboardInterrupt is included only if a script raises it, because otherwise the user has pressed Ctrl-C. The
    exceptions are not recorded, but their effects are visible in the directory.
    """
    raised = (effect.text for script in scripts for effect in script.effects.values() if effect.kind == "raise")
    interrupts = (KeyboardInterrupt,) if "KeyboardInterrupt" in raised else ()
    return asyncio.CancelledError, SystemExit, *interrupts


def roots_of_trial(directory: Path) -> dict[str, Path]:
    """Return the directories of a trial that runs in `directory`, by the names for them in transcripts."""
    return {"trial": directory / JOB / TRIAL, "task": directory / "task", "folder": directory}


def sandboxes_of_trial(
    scenario: TrialScenario, directory: Path, kind: type[ScriptedSandbox] = ScriptedSandbox
) -> ScriptedSandboxes:
    """Return the scripted sandboxes for a trial that runs in `directory`.

    Args:
        scenario: the trial.
        directory: the directory in which the trial runs.
        kind: the class of the sandboxes if the scenario does not mount their log directories.
    """
    roots = roots_of_trial(directory)
    return ScriptedSandboxes(lambda name, run: scenario.script, lambda name: roots, _kind(scenario.settings, kind))


def sandboxes_of_job(
    scenario: JobScenario, directory: Path, kind: type[ScriptedSandbox] = ScriptedSandbox
) -> ScriptedSandboxes:
    """Return the scripted sandboxes for a job that runs in `directory`, with trial names from `counted_endings`.

    The arguments are those of `sandboxes_of_trial`.
    """
    return ScriptedSandboxes(
        lambda name, run: scenario.script(int(name[-7:]), run),
        lambda name: {"trial": directory / JOB / name, "folder": directory},
        _kind(scenario.settings, kind),
    )


def _kind(settings: ScenarioSettings, kind: type[ScriptedSandbox]) -> type[ScriptedSandbox]:
    return ScriptedMountedSandbox if settings.mounted else kind


def counted_endings() -> Callable[[], str]:
    """Return a function that creates the endings of trial names, which number the planned trials from 0."""
    numbers = count()
    return lambda: f"{next(numbers):07}"
