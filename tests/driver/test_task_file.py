"""task.toml files of every kind: taken, left out or fatal as with Harbor, and read to the same values.

A thousand are compared here; `python -m tests.driver.test_task_file 20000 [seed]` compares more.
"""

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

from parity.driver import task_config as ours
from parity.driver.task import read_task
from parity.driver.task_table import FatalTask, InvalidTask, UnsupportedTask
from tests.driver.task_tomls import Tomls

LEFT_OUT, FATAL, UNSUPPORTED = "left out", "ends the job", "unsupported"


def wheel(folder: Path, *, verified: bool) -> str:
    """What a dataset of the wheel makes of a folder: why there is no trial of it, or its settings."""
    try:
        if not HarborTask.is_valid_dir(folder, disable_verification=not verified):
            return LEFT_OUT
        config = HarborTask(folder).config
    except Exception:
        return FATAL
    return UNSUPPORTED if _asks_for_more(config) else repr(_converted(config))


def driver(folder: Path, *, verified: bool) -> str:
    """What the driver makes of it, in the same words."""
    try:
        return repr(read_task(folder, verified=verified, in_dataset=True).config)
    except InvalidTask:
        return LEFT_OUT
    except FatalTask:
        return FATAL
    except UnsupportedTask:
        return UNSUPPORTED


def _asks_for_more(config: harbor.TaskConfig) -> bool:
    """Whether a task of Harbor's asks for what the driver is documented not to do."""
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
    return any(map(_is_more, environments)) or any(map(_leads_out, map(_artifact, artifacts)))


def _is_more(environment: harbor.EnvironmentConfig) -> bool:
    return bool(
        environment.os == harbor.TaskOS.WINDOWS
        or (environment.gpus or 0) > 0
        or environment.tpu
        or environment.mcp_servers
        or environment.skills_dir
        or environment.network_mode == harbor.NetworkMode.ALLOWLIST
    )


def _leads_out(artifact: ours.Artifact) -> bool:
    place = artifact.destination or PurePosixPath(artifact.source).name
    return ".." in place.split("/") or (place.startswith("//") and place[2:3] != "/") or "\0" in artifact.source + place


def _converted(config: harbor.TaskConfig) -> ours.TaskConfig:
    """The wheel's settings as the driver's."""
    phases = [phase for part in (config, *(config.steps or [])) for phase in (part.agent, part.verifier)]
    asks = any(phase.network_mode == harbor.NetworkMode.PUBLIC for phase in phases)
    return ours.TaskConfig(
        config.task and config.task.name,
        _agent(config.agent),
        _verifier(config.verifier),
        _environment(config.environment, explicit=asks),
        config.solution.env,
        config.multi_step_reward_strategy and config.multi_step_reward_strategy.value,
        tuple(map(_step, config.steps or ())),
        tuple(map(_artifact, config.artifacts)),
    )


def _agent(config: harbor.AgentConfig) -> ours.AgentConfig:
    return ours.AgentConfig(config.timeout_sec, config.user, config.network_mode and config.network_mode.value)


def _verifier(config: harbor.VerifierConfig) -> ours.VerifierConfig:
    separate = {None: None if config.environment is None else True, "shared": False, "separate": True}
    return ours.VerifierConfig(
        config.timeout_sec,
        config.env,
        config.user,
        separate[config.environment_mode and config.environment_mode.value],
        config.environment and _environment(config.environment),
        config.network_mode and config.network_mode.value,
    )


def _environment(config: harbor.EnvironmentConfig, *, explicit: bool = False) -> ours.EnvironmentConfig:
    return ours.EnvironmentConfig(
        config.build_timeout_sec,
        config.docker_image,
        config.network_mode.value,
        explicit or "network_mode" in config.model_fields_set,
        config.cpus,
        config.memory_mb,
        config.storage_mb,
        config.env,
        _healthcheck(config.healthcheck),
        config.workdir,
        config.os.value,
        config.gpus,
        config.tpu and config.tpu.type,
        tuple(server.name for server in config.mcp_servers),
        config.skills_dir,
    )


def _healthcheck(config: harbor.HealthcheckConfig | None) -> ours.Healthcheck | None:
    if config is None:
        return None
    times = config.interval_sec, config.timeout_sec, config.start_period_sec, config.start_interval_sec
    return ours.Healthcheck(config.command, *times, config.retries)


def _step(config: harbor.StepConfig) -> ours.TaskStep:
    return ours.TaskStep(
        config.name,
        _agent(config.agent),
        _verifier(config.verifier),
        config.min_reward,
        _healthcheck(config.healthcheck),
        tuple(map(_artifact, config.artifacts)),
    )


def _artifact(config: str | harbor.ArtifactConfig) -> ours.Artifact:
    if isinstance(config, str):
        return ours.Artifact(config)
    return ours.Artifact(config.source, config.destination, tuple(config.exclude))


def compare(seed: int, count: int) -> Counter[str]:
    """Compare so many files, and count how often each came of it.

    Raises:
        AssertionError: the two differ about one.
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
    """Both say the same of a thousand of them, among which there are all that may come of one."""
    outcomes = compare(seed=1, count=1000)

    assert outcomes.keys() == {LEFT_OUT, FATAL, UNSUPPORTED, "taken"}
    assert min(outcomes.values()) > 20


if __name__ == "__main__":
    count, seed = [*map(int, sys.argv[1:]), 20_000, 1][:2] if len(sys.argv) > 2 else (int(sys.argv[1]), 1)
    print(dict(compare(seed, count)))
