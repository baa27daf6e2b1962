"""Executes scenarios with the clean room's HarborEnv, in virtual time."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parity.harbor_env.dataset import Row, to_dataset
from parity.harbor_env.env import HarborEnv
from parity.harbor_env.errors import DatasetError, SandboxError
from parity.harbor_env.hooks import State
from parity.harbor_env.scoring import average
from parity.operations.rollout.scenario import AGENT, BASE_URL, EnvScenario
from parity.operations.scenarios.document_texts import masked_message
from parity.operations.scenarios.transcripts import Transcript
from parity.operations.scenarios.virtual_time import run_virtually
from parity.runners.clean_room.environment_client import ScriptedClient
from parity.runners.clean_room.scenarios import unlogged
from parity.scorer.series import OFFICIAL, Series

_VARIABLES = frozenset(
    {
        *("OPENAI_BASE_URL", "OPENAI_MODEL", "HARBOR_TASK_NAME", "HARBOR_TASK_DIR", "HARBOR_INSTRUCTION_PATH"),
        "AGENT_WORKDIR",
    }
)
"""The environment variables that the documentation lists."""


class NoSandboxes:
    """A sandbox provider that is required but never used."""

    name = "none"

    def preflight(self) -> None:
        pass

    def refusal(self, spec: object) -> str | None:
        return None

    def make(self, spec: object) -> Any:
        raise RuntimeError("a scenario has no sandboxes")


def run_environment_scenario(scenario: EnvScenario, directory: Path, *, series: Series = OFFICIAL) -> Transcript:
    """Run every task in the dataset, using an empty directory, and return the transcript."""
    with unlogged("parity.harbor_env"):
        try:
            environment = _environment(scenario, directory, series)
            dataset = _in_columns(environment.rows) if scenario.scoring == "documented" else []
        except DatasetError as error:
            return {"refused": "harbor" if scenario.scoring == "harbor" else str(error.mistake)}
        rollouts = [_roll_out(environment, scenario, row, directory) for row in environment.rows]
    states = [state for state, _ in rollouts]
    transcript_of = _as_harbor if scenario.scoring == "harbor" else _as_documented
    return {
        **({"rows": [_row(row, directory / "dataset") for row in dataset]} if dataset else {}),
        "rollouts": [transcript_of(state, client, scenario) for state, client in rollouts],
        "average": average([state["reward"] for state in states], series=series),
    }


def _in_columns(rows: list[Row]) -> list[Row]:
    """Convert rows to the form that a dataset returns after it has stored them in columns."""
    columns: list[Row] = to_dataset(rows).to_list()
    return columns


def _environment(scenario: EnvScenario, directory: Path, series: Series) -> HarborEnv:
    environment = HarborEnv(
        AGENT,
        scenario.write(directory),
        None if scenario.names is None else list(scenario.names),
        scenario.workdir,
        scenario.image,
        scoring=scenario.scoring,
        sandboxes=NoSandboxes(),
        environment_vars=scenario.variables,
        base_url=BASE_URL,
        faults="error" if scenario.scoring == "harbor" else "zero",
    )
    environment.series = series
    return environment


def _roll_out(environment: HarborEnv, scenario: EnvScenario, row: Any, directory: Path) -> tuple[State, ScriptedClient]:
    root = directory / f"sandbox-{row['example_id']}"
    root.mkdir()
    client = ScriptedClient(scenario.task(row["task"]), root)
    environment.sandbox_client = client
    return run_virtually(environment.rollout(row, model=scenario.model)), client


def _as_harbor(state: State, client: ScriptedClient, scenario: EnvScenario) -> Transcript:
    error = state["error"]
    if isinstance(error, SandboxError):
        error = error.__cause__  # Harbor's exception for a failure of the infrastructure
    return {
        "error": None if error is None else type(error).__name__,
        "message": None if error is None else masked_message(type(error).__name__, str(error)),
        "rewards": state["rewards"],
        "reward": state["reward"],
        "tests": {key: client.tests[key] for key in ("command", "cwd", "env")} if client.tests else None,
    }


def _as_documented(state: State, client: ScriptedClient, scenario: EnvScenario) -> Transcript:
    request = client.requests[0]
    return {
        "image": request.docker_image,
        "env": {
            name: value
            for name, value in sorted(request.environment_vars.items())
            if name in _VARIABLES or name in scenario.variables
        },
        "calls": client.calls,
        "reward": state["reward"],
        "failed": state["error"] is not None,
    }


def _row(row: Mapping[str, Any], dataset: Path) -> Transcript:
    info = row["info"]
    return {
        "example_id": row["example_id"],
        "task": row["task"],
        "prompt": row["prompt"],
        "task_dir": str(Path(info["task_dir"]).relative_to(dataset)),
        "docker_image": info["docker_image"],
        "config": _plain(info["config"]),
    }


def _plain(value: Any) -> Any:
    """Return a value from task.toml without nulls in tables, and with dates and times as strings."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
