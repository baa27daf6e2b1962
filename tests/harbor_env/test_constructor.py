"""Tests for wrong arguments of the constructor, and for the sandboxes that valid arguments give."""

import asyncio
import math
from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import SandboxUnavailable
from parity.harbor_env import DatasetError, HarborEnv, Scoring
from parity.harbor_env.settings import NAMES
from tests.fake_sandbox import FakeSandboxes
from tests.run.tasks import write_task


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Return a dataset with one task."""
    write_task(tmp_path / "data" / "task", tests="true")
    return tmp_path / "data"


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("run_command", "", "must not be empty"),
        ("tasks", "abc", "must be an array, not 'abc'"),
        ("skip_refused", 1, "must be true or false, not 1"),
        ("environment_vars", {"A=B": "x"}, "has the name 'A=B': give the name of an environment variable"),
        ("environment_vars", {"": "x"}, "has the name '': give the name of an environment variable"),
        ("environment_vars", {"A": "x\0"}, "has a null character in 'A': leave it out"),
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
def test_wrong_argument_is_reported(dataset: Path, name: str, value: Any, problem: str) -> None:
    """A wrong argument is reported in one line with the values to use instead."""
    arguments = {"run_command": "true", "dataset_path": dataset, name: value}

    with pytest.raises(ValueError, match=name) as raised:
        HarborEnv(**arguments)

    assert str(raised.value) == f"{name} {problem}"


def test_unknown_argument_is_reported_with_the_known_ones(dataset: Path) -> None:
    """An unknown argument is reported with a list of the known arguments."""
    arguments: dict[str, Any] = {"run_command": "true", "dataset_path": dataset, "timeout": 1}

    with pytest.raises(TypeError) as raised:
        HarborEnv(**arguments)

    assert str(raised.value) == f"unexpected argument 'timeout'; expected one of {', '.join(NAMES)}"


@pytest.mark.parametrize("directory", ["/testsuite", "/logs", "/", ""])
def test_agent_directory_may_be_almost_anywhere_in_the_sandbox(dataset: Path, directory: str) -> None:
    """The agent may have any directory in the sandbox, unless it is emptied for the tests or belongs to the kernel."""
    env = HarborEnv("true", dataset, agent_workdir=directory, sandboxes=FakeSandboxes())

    assert env.harbor_settings.agent_workdir == directory


def test_sandbox_has_the_documented_size_by_default(dataset: Path) -> None:
    """Without arguments, a sandbox has no network, one CPU, 2 GB of memory and 5 GB of disk."""
    kind = FakeSandboxes()
    env = HarborEnv("true", dataset, scoring="documented", sandboxes=kind)

    asyncio.run(env.rollout(env.rows[0]))

    (spec,) = kind.specs
    assert (spec.network, spec.cpus, spec.memory_mb, spec.storage_mb) == (False, 1, 2048, 5120)


def test_unavailable_sandboxes_are_refused_at_once(dataset: Path) -> None:
    """The constructor refuses sandboxes that are not available on this machine."""

    class Missing(FakeSandboxes):
        def preflight(self) -> None:
            raise SandboxUnavailable("there is no engine; install one")

    with pytest.raises(SandboxUnavailable, match=r"^there is no engine; install one$"):
        HarborEnv("true", dataset, sandboxes=Missing())


def test_sandbox_has_the_size_of_the_arguments_or_of_its_task(dataset: Path, scoring: Scoring) -> None:
    """Sandboxes have the arguments' network and size, but under Harbor's scoring the task's values take precedence."""
    kind = FakeSandboxes()
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
    """An environment with a network refuses a task that forbids the network in any phase, or partly."""
    (dataset / "task" / "task.toml").write_text(f"{toml}\n")

    with pytest.raises(DatasetError) as raised:
        HarborEnv("true", dataset, scoring=scoring, sandboxes=FakeSandboxes(), network=True)

    expected = f"{dataset}/task: task.toml: {problem}; leave network=True out, or the task"
    assert (raised.value.mistake, str(raised.value)) == ("refused", expected)


def test_task_that_allows_a_network_is_accepted(dataset: Path, scoring: Scoring) -> None:
    """An environment with a network accepts a task that allows the network in all phases, or does not mention it."""
    modes = "".join(f"{phase}.network_mode = 'public'\n" for phase in ("environment", "agent", "verifier"))

    for toml in (modes, "environment.allow_internet = true\n", ""):
        (dataset / "task" / "task.toml").write_text(toml)
        HarborEnv("true", dataset, scoring=scoring, sandboxes=FakeSandboxes(), network=True)
