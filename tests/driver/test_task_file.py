"""task.toml files of every kind: the driver accepts, leaves out or refuses them as Harbor does, with the same values.

The test compares a thousand files; `python -m tests.driver.test_task_file 20000 [seed]` compares more.
"""

import json
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest
from harbor.models.task import config as harbor
from harbor.models.task.task import Task as HarborTask
from harbor.models.task.verifier_mode import resolve_effective_verifier_env_config
from harbor.models.trial.config import AgentConfig as HarborAgent
from harbor.models.trial.config import EnvironmentConfig as HarborEnvironment
from harbor.trial.network_policy import resolve_trial_network_plan

from parity.driver.errors import FatalTask, InvalidTask, UnsupportedTask
from parity.driver.task import read_task
from parity.formats import task as ours
from tests.driver.task_tomls import Tomls

LEFT_OUT, FATAL, UNSUPPORTED = "left out", "ends the job", "unsupported"


def wheel(folder: Path, *, verified: bool) -> str:
    """Return the result of a folder in a dataset of the wheel: the reason for no trial, or the settings."""
    try:
        if not HarborTask.is_valid_dir(folder, disable_verification=not verified):
            return LEFT_OUT
        config = HarborTask(folder).config
    except Exception:
        return FATAL
    if _asks_for_more(config):
        return UNSUPPORTED
    apart = [resolve_effective_verifier_env_config(config, step) for step in config.steps or [None]]
    return _settings(config, separate=[environment is not None for environment in apart])


def driver(folder: Path, *, verified: bool) -> str:
    """Return the driver's result of a folder, in the same words."""
    try:
        config = read_task(folder, verified=verified, in_dataset=True).config
    except InvalidTask:
        return LEFT_OUT
    except FatalTask:
        return FATAL
    except UnsupportedTask:
        return UNSUPPORTED
    return _settings(config, separate=[config.is_separate(step) for step in config.steps or (None,)])


def _asks_for_more(config: harbor.TaskConfig) -> bool:
    """Return whether a task of Harbor's needs something that the driver is documented not to support."""
    environments = [config.environment]
    for step in config.steps or [None]:
        apart = resolve_effective_verifier_env_config(config, step)
        environments += [] if apart is None else [apart]
        plan = resolve_trial_network_plan(
            config,
            HarborAgent(),
            HarborEnvironment(),
            step_cfg=step,
            verifier_mode=harbor.VerifierEnvironmentMode.SHARED
            if apart is None
            else harbor.VerifierEnvironmentMode.SEPARATE,
            env_config=apart,
        )
        if plan.agent_phase != plan.agent_env_baseline or plan.verifier_phase != plan.verifier_phase_baseline:
            return True
        if step is not None and (step.name in ("", ".", "..") or "/" in step.name):
            return True
    artifacts = [*config.artifacts, *(artifact for step in config.steps or [] for artifact in step.artifacts)]
    return any(map(_is_more, environments)) or any(map(_leads_out, artifacts))


def _is_more(environment: harbor.EnvironmentConfig) -> bool:
    return bool(
        environment.os == harbor.TaskOS.WINDOWS
        or (environment.gpus or 0) > 0
        or environment.tpu
        or environment.mcp_servers
        or environment.skills_dir
        or environment.network_mode == harbor.NetworkMode.ALLOWLIST
    )


def _leads_out(artifact: str | harbor.ArtifactConfig) -> bool:
    source = artifact if isinstance(artifact, str) else artifact.source
    place = ("" if isinstance(artifact, str) else artifact.destination) or PurePosixPath(source).name
    return ".." in place.split("/") or (place.startswith("//") and place[2:3] != "/") or "\0" in source + place


def _settings(config: harbor.TaskConfig | ours.TaskConfig, *, separate: list[bool]) -> str:
    """Return the settings as text, in a form that both share: artifacts as tables, no deprecated keys."""
    settings = config.model_dump(mode="json")
    settings["steps"] = settings["steps"] or []
    for part in (settings, *settings["steps"]):
        part["artifacts"] = [
            {"source": each, "destination": None, "exclude": []} if isinstance(each, str) else each
            for each in part["artifacts"]
        ]
        for environment in (part.get("environment"), part["verifier"]["environment"]):
            if environment is not None:
                environment.pop("allow_internet", None)
    explicit = "network_mode" in config.environment.model_fields_set
    return json.dumps([settings, explicit, separate], sort_keys=True)


def compare(seed: int, count: int) -> Counter[str]:
    """Compare so many files, and return how often each result occurred.

    Raises:
        AssertionError: the two results for a file differ.
    """
    tomls, outcomes = Tomls(seed), Counter[str]()
    for number in range(count):
        toml = tomls.toml()
        verified = bool(number % 4)
        with tempfile.TemporaryDirectory() as home, warnings.catch_warnings(action="ignore"):
            folder = tomls.folder(Path(home) / "task", toml)
            expected, answered = (ask(folder, verified=verified) for ask in (wheel, driver))
        assert expected == answered, f"{number}: {toml}"
        outcomes[expected if expected in (LEFT_OUT, FATAL, UNSUPPORTED) else "taken"] += 1
    return outcomes


@pytest.mark.needs("utf-8")
def test_drawn_files() -> None:
    """A thousand drawn files have the same results in both, and every kind of result occurs often."""
    outcomes = compare(seed=1, count=1000)

    assert outcomes.keys() == {LEFT_OUT, FATAL, UNSUPPORTED, "taken"}
    assert min(outcomes.values()) > 20


if __name__ == "__main__":
    count, seed = [*map(int, sys.argv[1:]), 20_000, 1][:2] if len(sys.argv) > 2 else (int(sys.argv[1]), 1)
    print(dict(compare(seed, count)))
