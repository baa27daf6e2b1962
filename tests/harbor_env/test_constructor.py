"""Wrong arguments of the constructor, and the sandboxes that right ones give."""

import asyncio
import math
from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import SandboxUnavailable
from parity.harbor_env import DatasetError, HarborEnv, Scoring
from parity.harbor_env.settings import NAMES
from tests.recorded_sandbox import RecordedSandboxes
from tests.run.tasks import write_task


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Return a dataset of one task."""
    write_task(tmp_path / "data" / "task", tests="true")
    return tmp_path / "data"


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("run_command", "", "must not be empty"),
        ("tasks", "abc", "must be an array, not 'abc'"),
        ("scoring", "x", "must be 'harbor' or 'documented', not 'x'"),
        ("faults", "x", "must be 'zero' or 'error', not 'x'"),
        ("agent_workdir", "app", "is 'app': give an absolute path inside the sandbox"),
        ("agent_workdir", "/app/../oracle/deep", "is '/app/../oracle/deep': give another directory than /oracle"),
        ("agent_workdir", "/logs/verifier", "is '/logs/verifier': give another directory than /logs/verifier"),
        ("timeout_seconds", 0, "must be greater than 0"),
        ("timeout_seconds", math.inf, "must be less than inf"),
        ("timeout_seconds", "5", "must be a number, not '5'"),
        ("cpu_cores", True, "must be a number, not a boolean"),
        ("memory_gb", 1e-9, "must be greater than or equal to 0.0009765625"),
        ("end_processes", 1, "must be true or false, not 1"),
        ("network", True, "is True: local sandboxes have no network; use sandboxes='docker'"),
        ("sandboxes", "x", "is 'x': choose 'local' or 'docker', or give a kind of sandbox"),
    ],
)
def test_wrong_argument_is_named(dataset: Path, name: str, value: Any, problem: str) -> None:
    """A wrong argument is named with what to give instead, in one line."""
    arguments = {"run_command": "true", "dataset_path": dataset, name: value}

    with pytest.raises(ValueError, match=name) as raised:
        HarborEnv(**arguments)

    assert str(raised.value) == f"{name} {problem}"


def test_unknown_argument_is_named_with_the_known_ones(dataset: Path) -> None:
    """An unknown argument is named, and the known ones are listed."""
    arguments: dict[str, Any] = {"run_command": "true", "dataset_path": dataset, "timeout": 1}

    with pytest.raises(TypeError) as raised:
        HarborEnv(**arguments)

    assert str(raised.value) == f"unexpected argument 'timeout'; expected one of {', '.join(NAMES)}"


@pytest.mark.parametrize("directory", ["/testsuite", "/logs", "/", ""])
def test_any_other_directory_is_accepted_for_the_agent(dataset: Path, directory: str) -> None:
    """Any directory of the sandbox is accepted for the agent, except those that are emptied or of the kernel."""
    env = HarborEnv("true", dataset, agent_workdir=directory, sandboxes=RecordedSandboxes())

    assert env.harbor_settings.agent_workdir == directory


def test_sandbox_has_the_documented_size_by_default(dataset: Path) -> None:
    """Without arguments, a sandbox has no network, one CPU, 2 GB of memory and 5 GB of disk."""
    kind = RecordedSandboxes()
    env = HarborEnv("true", dataset, scoring="documented", sandboxes=kind)

    asyncio.run(env.rollout(env.rows[0]))

    (spec,) = kind.specs
    assert (spec.network, spec.cpus, spec.memory_mb, spec.storage_mb) == (False, 1, 2048, 5120)


def test_unavailable_sandboxes_are_refused_at_once(dataset: Path) -> None:
    """Sandboxes that cannot work here are refused by the constructor."""

    class Missing(RecordedSandboxes):
        def preflight(self) -> None:
            raise SandboxUnavailable("there is no engine; install one")

    with pytest.raises(SandboxUnavailable, match=r"^there is no engine; install one$"):
        HarborEnv("true", dataset, sandboxes=Missing())


def test_sandbox_has_the_size_of_the_arguments_or_of_its_task(dataset: Path, scoring: Scoring) -> None:
    """Sandboxes have the environment's network and size; under Harbor's scoring, the task's values replace these."""
    kind = RecordedSandboxes()
    (dataset / "task" / "task.toml").write_text("[environment]\ncpus = 4\nmemory_mb = 300\n")
    env = HarborEnv(
        "true", dataset, scoring=scoring, sandboxes=kind, network=True, cpu_cores=3, memory_gb=0.5, disk_size_gb=1
    )

    asyncio.run(env.rollout(env.rows[0]))

    (spec,) = kind.specs
    expected = (True, 4, 300, 1024) if scoring == "harbor" else (True, 3, 512, 1024)
    assert (spec.network, spec.cpus, spec.memory_mb, spec.storage_mb) == expected


@pytest.mark.parametrize(
    ("toml", "problem"),
    [
        ("environment.allow_internet = false", "environment.network_mode is no-network"),
        *(
            (f"{phase}.network_mode = 'no-network'", f"{phase}.network_mode is no-network")
            for phase in ("environment", "agent", "verifier", "verifier.environment")
        ),
        ("agent = {network_mode = 'allowlist', allowed_hosts = ['a.org']}", "agent.network_mode is allowlist"),
    ],
)
def test_task_that_forbids_a_network_is_refused(dataset: Path, scoring: Scoring, toml: str, problem: str) -> None:
    """An environment with a network refuses, by name, a task that forbids it in any phase, or in part."""
    (dataset / "task" / "task.toml").write_text(f"{toml}\n")

    with pytest.raises(DatasetError) as raised:
        HarborEnv("true", dataset, scoring=scoring, sandboxes=RecordedSandboxes(), network=True)

    expected = f"{dataset}/task: task.toml: {problem}; leave network=True out, or the task"
    assert (raised.value.mistake, str(raised.value)) == ("refused", expected)


def test_task_that_allows_a_network_is_accepted(dataset: Path, scoring: Scoring) -> None:
    """An environment with a network accepts a task that allows it in all phases, or says nothing."""
    modes = "".join(f"{phase}.network_mode = 'public'\n" for phase in ("environment", "agent", "verifier"))

    for toml in (modes, "environment.allow_internet = true\n", ""):
        (dataset / "task" / "task.toml").write_text(toml)
        HarborEnv("true", dataset, scoring=scoring, sandboxes=RecordedSandboxes(), network=True)
