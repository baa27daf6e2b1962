"""Read a task.toml into a `TaskConfig` by TOML 1.0, as Harbor does, and check that this driver supports the task."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from tomllib import TOMLDecodeError
from typing import Any

import tomli
from pydantic import ValidationError

from parity.driver.errors import FatalTask, InvalidTask, UnsupportedTask
from parity.driver.task_links import check_plain
from parity.formats.errors import explain
from parity.formats.task import Artifact, EnvironmentConfig, TaskConfig, TaskStep


def read_task_file(directory: Path) -> TaskConfig:
    """Read the task.toml in a task's directory.

    Raises:
        InvalidTask: Harbor also refuses this task.toml; the cause is an error of the class that Harbor raises.
        FatalTask: this task.toml makes Harbor's job end with an error.
        UnsupportedTask: task.toml is a pipe or a device, or too long.
    """
    check_plain(directory, directory / "task.toml")
    try:
        with (directory / "task.toml").open() as file:
            values = read_toml(file.read(LONGEST + 1))
    except TOMLDecodeError as error:
        raise InvalidTask(directory, f"task.toml is not TOML: {error}; correct it") from error
    except OSError as error:
        raise InvalidTask(directory, f"task.toml cannot be read: {error}; correct it") from error
    except TooLongError as error:
        raise UnsupportedTask(directory, f"task.toml cannot be read: {error}; make it shorter") from None
    except (ValueError, RecursionError) as error:  # undecodable bytes, too many digits, too deep
        raise FatalTask(directory, f"task.toml cannot be read: {error}; correct it") from None
    return task_config(directory, values)


def task_config(directory: Path, values: Mapping[str, Any]) -> TaskConfig:
    """Return the settings from the values in a task.toml.

    Raises:
        InvalidTask: Harbor also refuses these values; the cause is an error of the class that Harbor raises.
        FatalTask: these values make Harbor's job end with an error.
    """
    try:
        # Rules: run-trial/lax-values, run-job/left-out
        return TaskConfig.model_validate(values)
    except ValidationError as error:
        raise InvalidTask(directory, f"task.toml: {explain(error, values)}") from error
    except OverflowError as error:
        raise FatalTask(directory, f"task.toml: {error}") from None


def check_supported(directory: Path, config: TaskConfig) -> None:
    """Check that the driver supports everything that a task needs.

    Raises:
        UnsupportedTask: the task needs something that the driver does not support.
    """
    problem = next(_problems(config), None)
    if problem is not None:
        raise UnsupportedTask(directory, f"task.toml: {problem}")


def _problems(config: TaskConfig) -> Iterator[str]:
    for environment in config.environments():
        yield from _problems_of_environment(environment)
    for step in config.steps or (None,):
        yield from _changes_of_network(config, step)
        yield from _outside_artifacts(step.artifacts if step else ())
        if step and (not step.name or "/" in step.name or step.name in (".", "..")):
            yield f"steps.name is {step.name!r}, which cannot name a directory; write one plain name"
    yield from _outside_artifacts(config.artifacts)


def _problems_of_environment(environment: EnvironmentConfig) -> Iterator[str]:
    instead = "which this driver does not offer; run the task with harbor"
    if environment.os == "windows":
        yield "environment.os is windows, which this driver does not run; run the task with harbor"
    if environment.gpus is not None and environment.gpus > 0:
        yield f"environment.gpus is {environment.gpus}, and no sandbox of this driver has any; run the task with harbor"
    if environment.tpu is not None:
        yield f"environment.tpu requests a TPU, {instead}"
    if environment.mcp_servers:
        yield f"environment.mcp_servers requests MCP servers, {instead}"
    if environment.skills_dir:
        yield f"environment.skills_dir requests skills, {instead}"
    if environment.network_mode == "allowlist":
        yield "environment.network_mode is allowlist, which this driver cannot enforce; choose no-network"


def _changes_of_network(config: TaskConfig, step: TaskStep | None) -> Iterator[str]:
    """Yield a problem for each phase whose `network_mode` differs from its sandbox's, because that cannot change."""
    verifier_environment = config.verifier_environment(step) if config.is_separate(step) else config.environment
    for phase, own, environment in (
        ("agent", step and step.agent.network_mode, config.environment),
        ("verifier", step and step.verifier.network_mode, verifier_environment),
    ):
        mode = own or getattr(config, phase).network_mode
        if mode is not None and mode != environment.network_mode:
            yield f"{phase}.network_mode is {mode}, its environment's {environment.network_mode}; give both the same"


def _outside_artifacts(artifacts: tuple[Artifact, ...]) -> Iterator[str]:
    """Yield a problem for each artifact with a destination outside the trial's directory. Harbor would write there."""
    for artifact in artifacts:
        target = artifact.destination or PurePosixPath(artifact.source).name
        if ".." in Path(target).parts or PurePosixPath(target).root == "//" or "\0" in artifact.source + target:
            yield f"artifacts: {artifact.source!r} leads out of the trial's directory; remove the '..' or '//'"


LONGEST = 1 << 20
"""The largest length of a task.toml, in characters. Parsing a longer text would take minutes and block all trials."""


class TooLongError(ValueError):
    """A text is longer than `LONGEST`. The message is one line."""


def read_toml(text: str) -> dict[str, Any]:
    """Parse a text as TOML 1.0.

    Raises:
        TOMLDecodeError: the text is not TOML 1.0.
        TooLongError: the text has more characters than `LONGEST`.
        ValueError, RecursionError: a number has too many digits, or the text is nested too deeply.
    """
    if len(text) > LONGEST:
        raise TooLongError(f"it has more than {LONGEST:,} characters")
    try:
        values = tomli.loads(text)  # refuses a key of very many parts, for which tomllib would need hours
    except tomli.TOMLDecodeError:
        tomllib.loads(text)  # raises its own class
        raise
    tomllib.loads(text)  # newer releases of tomli read TOML 1.1, which Harbor refuses
    return values
