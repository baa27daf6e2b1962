"""Runs of the real HarborEnv of an installed release of `verifiers`, method by method, on a client in memory.

Nothing reaches a network: no remote sandbox is requested, no tunnel is opened, and no model is called.
"""

import atexit
import signal
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from unittest import mock

from parity.harbor_env.errors import Mistake
from parity.harbor_env.releases import is_too_old
from parity.operations.harbor_env.recorded.client import RecordedClient
from parity.operations.harbor_env.recorded.records import average_of, row_record, variables_record
from parity.operations.harbor_env.recorded.scenario import AGENT, BASE_URL, EnvScenario
from parity.operations.scenarios.records import Record
from parity.operations.scenarios.virtual_time import run_virtually
from parity.runners.third_party import quietly

_MISTAKES: tuple[tuple[str, Mistake], ...] = (
    ("FileNotFoundError", Mistake.NO_FOLDER),
    ("NotADirectoryError", Mistake.NOT_A_FOLDER),
    ("IsADirectoryError", Mistake.UNREADABLE),
    ("TOMLDecodeError", Mistake.TOML),
    ("UnicodeDecodeError", Mistake.ENCODING),
    ("UnicodeEncodeError", Mistake.ENCODING),
    ("AttributeError", Mistake.TYPE),
    ("OverflowError", Mistake.TYPE),
    ("ArrowInvalid", Mistake.MIXED_TYPES),
    ("ArrowTypeError", Mistake.MIXED_TYPES),
    ("ValueError", Mistake.NO_TASKS),
)


def installed_release() -> str | None:
    """Return the installed release of `verifiers`, or None if it is missing, too old or without HarborEnv."""
    try:
        installed = version("verifiers")
    except PackageNotFoundError:
        return None
    return installed if not is_too_old(installed) and _classes() else None


@cache
def _classes() -> Any:
    """Return the package with HarborEnv, or None; later releases have it in another package."""
    with quietly():
        for name in ("verifiers", "verifiers.legacy"):
            try:
                package = import_module(name)
                return package if package.HarborEnv else None
            except (ImportError, AttributeError):
                continue
    return None


def run_released(scenario: EnvScenario, folder: Path) -> Record:
    """Run every task of the dataset in an empty folder, and return the record.

    Raises:
        Exception: any error that `compute_reward` does not catch.
    """
    with quietly():
        try:
            environment = _environment(scenario, folder)
            rows = environment.load_harbor_dataset().to_list()
        except Exception as error:
            return {"refused": _mistake(error)}
        rollouts = [_rolled_out(environment, scenario, row, folder) for row in rows]
    return {
        "rows": [row_record(row, folder / "dataset") for row in rows],
        "rollouts": rollouts,
        "average": average_of([rollout["reward"] for rollout in rollouts]),
    }


def _mistake(error: Exception) -> str:
    kind = type(error).__name__
    return next((str(mistake) for name, mistake in _MISTAKES if name == kind), kind)


def _environment(scenario: EnvScenario, folder: Path) -> Any:
    # Changes no answer: it only registers functions for the end of the process, which would be thousands.
    with mock.patch.object(atexit, "register"), mock.patch.object(signal, "signal"):
        return _classes().HarborEnv(
            run_command=AGENT,
            dataset_path=scenario.write(folder),
            tasks=None if scenario.names is None else list(scenario.names),
            agent_workdir=scenario.workdir,
            docker_image=scenario.image,
            environment_vars=dict(scenario.variables),
            interception_url="http://127.0.0.1:1",
        )


def _rolled_out(environment: Any, scenario: EnvScenario, row: Mapping[str, Any], folder: Path) -> Record:
    row_shown = row_record(row, folder / "dataset")
    root = folder / f"sandbox-{row['example_id']}"
    root.mkdir()
    client = RecordedClient(scenario.task(row_shown["task"]), root)
    state = {**row, "interception_base_url": BASE_URL, "sandbox_id": "played", "model": scenario.model, "error": None}

    async def roll_out() -> tuple[str, dict[str, str], float]:
        image, variables = await environment.get_docker_image(state), await environment.build_env_vars(state)
        await environment.post_sandbox_setup(state)
        await client.execute_command("played", AGENT)
        return image, variables, await environment.compute_reward(state)

    environment.sandbox_client = client
    image, variables, reward = run_virtually(roll_out())
    return {
        "image": image,
        "env": variables_record(variables, scenario.variables),
        "calls": client.calls,
        "reward": reward,
        "failed": state["error"] is not None,
    }
