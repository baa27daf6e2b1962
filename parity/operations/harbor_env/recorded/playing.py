"""Plays an environment of ours in virtual time."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from parity.driver.virtual_time import run_virtually
from parity.harbor_env.columns import to_dataset
from parity.harbor_env.env import HarborEnv
from parity.harbor_env.errors import DatasetError
from parity.harbor_env.scoring import average
from parity.harbor_env.states import State
from parity.operations.harbor_env.recorded.client import PlayedClient
from parity.operations.harbor_env.recorded.records import Record, told_row, told_variables
from parity.operations.harbor_env.recorded.scenario import AGENT, BASE_URL, EnvScenario
from parity.operations.scenarios.document_texts import masked_message
from parity.scorer.series import OFFICIAL, Series


class NoSandboxes:
    """A kind of sandbox that is never asked for one."""

    name = "none"

    def preflight(self) -> None:
        pass

    def refusal(self, spec: object) -> str | None:
        return None

    def make(self, spec: object) -> Any:
        raise RuntimeError("a scenario has no sandboxes")


def play_environment(scenario: EnvScenario, folder: Path, *, series: Series = OFFICIAL) -> Record:
    """Run every task of the dataset in an empty folder, and tell what happened."""
    with _unlogged():
        try:
            environment = _environment(scenario, folder, series)
            dataset = to_dataset(environment.read_rows()).to_list() if scenario.scoring == "documented" else []
        except DatasetError as error:
            return {"refused": "harbor" if scenario.scoring == "harbor" else str(error.mistake)}
        rollouts = [_roll_out(environment, scenario, row, folder) for row in environment.rows]
    states = [state for state, _ in rollouts]
    told = _told_harbor if scenario.scoring == "harbor" else _told_documented
    return {
        **({"rows": [told_row(row, folder / "dataset") for row in dataset]} if dataset else {}),
        "rollouts": [told(state, client, scenario) for state, client in rollouts],
        "average": average([state["reward"] for state in states], series=series),
    }


def _environment(scenario: EnvScenario, folder: Path, series: Series) -> HarborEnv:
    environment = HarborEnv(
        AGENT,
        scenario.write(folder),
        None if scenario.names is None else list(scenario.names),
        scenario.workdir,
        scenario.image,
        scoring=scenario.scoring,
        sandboxes=NoSandboxes(),
        environment_vars=scenario.variables,
        base_url=BASE_URL,
        faults="error",
    )
    environment.harbor_tasks.series = series
    return environment


def _roll_out(environment: HarborEnv, scenario: EnvScenario, row: Any, folder: Path) -> tuple[State, PlayedClient]:
    root = folder / f"sandbox-{row['example_id']}"
    root.mkdir()
    client = PlayedClient(scenario.task(row["task"]), root)
    environment.sandbox_client = client
    return run_virtually(environment.rollout(row, model=scenario.model)), client


def _told_harbor(state: State, client: PlayedClient, scenario: EnvScenario) -> Record:
    error = state["error"]
    return {
        "error": None if error is None else type(error).__name__,
        "message": None if error is None else masked_message(type(error).__name__, str(error)),
        "rewards": state["rewards"],
        "reward": state["reward"],
        "tests": {key: client.tests[key] for key in ("command", "cwd", "env")} if client.tests else None,
    }


def _told_documented(state: State, client: PlayedClient, scenario: EnvScenario) -> Record:
    request = client.requests[0]
    return {
        "image": request.docker_image,
        "env": told_variables(request.environment_vars, scenario.variables),
        "calls": client.told,
        "reward": state["reward"],
        "failed": state["error"] is not None,
    }


@contextmanager
def _unlogged() -> Iterator[None]:
    """Without warnings: what they tell is compared."""
    logger = logging.getLogger("parity.harbor_env")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)
