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

_TASKS = "give a list of names, or None for all tasks"
_WORKDIR = "give an absolute path inside the sandbox"
_SANDBOXES = "choose 'local' or 'docker', or give a kind of sandbox"
_SECONDS = "give a time in seconds, or None for the task's own"
_SIZE = "give at least 1 MiB, which is 0.0009765625"


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Return a dataset of one task."""
    write_task(tmp_path / "data" / "task", tests="true")
    return tmp_path / "data"


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("run_command", "", "give bash source that runs the agent"),
        ("run_command", ["true"], "give bash source that runs the agent"),
        ("tasks", "abc", _TASKS),
        ("tasks", ["task", None], _TASKS),
        ("scoring", "x", "choose 'harbor' or 'documented'"),
        ("faults", "x", "choose 'zero' or 'error'"),
        ("agent_workdir", "app", _WORKDIR),
        ("agent_workdir", None, _WORKDIR),
        ("agent_workdir", "/\0", _WORKDIR),
        ("agent_workdir", "//tests/", "give another directory than /tests"),
        ("agent_workdir", "/app/../oracle/deep", "give another directory than /oracle"),
        ("agent_workdir", "/logs/verifier", "give another directory than /logs/verifier"),
        ("agent_workdir", "/proc/x", "give another directory than /proc"),
        ("docker_image", None, "give the name of an image"),
        ("base_url", 5, "give an address, or None for no model"),
        ("environment_vars", {"A": 1}, "give a dict of names without '=' and of strings, or None"),
        ("environment_vars", {"A=": "1"}, "give a dict of names without '=' and of strings, or None"),
        ("environment_vars", ["A=1"], "give a dict of names without '=' and of strings, or None"),
        ("host_env", "SECRET", "give a list of names of variables"),
        *(("timeout_seconds", seconds, _SECONDS) for seconds in (-1, 0, math.inf, math.nan, "5")),
        ("cpu_cores", -3, "give a number above 0"),
        ("cpu_cores", True, "give a number above 0"),
        ("memory_gb", 1e-9, _SIZE),
        ("disk_size_gb", "x", _SIZE),
        ("max_turns", True, "give how many, or -1 for any number"),
        ("end_processes", 1, "give True or False"),
        ("network", "no", "give True or False"),
        ("network", True, "local sandboxes have no network; use sandboxes='docker'"),
        *(("sandboxes", kind, _SANDBOXES) for kind in (None, "x", RecordedSandboxes)),
    ],
)
def test_wrong_argument_is_named_with_its_remedy(dataset: Path, name: str, value: Any, remedy: str) -> None:
    """A wrong argument is named with its value and what to give instead, in one line."""
    arguments = {"run_command": "true", "dataset_path": dataset, name: value}

    with pytest.raises(ValueError, match=name) as raised:
        HarborEnv(**arguments)

    assert str(raised.value) == f"{name} is {value!r}: {remedy}"


@pytest.mark.parametrize("name", ["timeout", "gpu_count"])
def test_unknown_argument_is_named_with_the_known_ones(dataset: Path, name: str) -> None:
    """An unknown argument is named, and the known ones are listed."""
    arguments: dict[str, Any] = {"run_command": "true", "dataset_path": dataset, name: 1}

    with pytest.raises(TypeError) as raised:
        HarborEnv(**arguments)

    assert str(raised.value) == f"unexpected argument {name!r}; expected one of {', '.join(NAMES)}"


@pytest.mark.needs("local")
def test_any_other_directory_is_taken_for_the_agent(dataset: Path) -> None:
    """Any directory of the sandbox is accepted for the agent, as a string or a path, except those of the tests."""
    directories = [Path("/testsuite"), "/logs", "/", "/a b", "/task/work", ""]

    taken = [HarborEnv("true", dataset, agent_workdir=each).agent_workdir for each in directories]  # type: ignore[arg-type]

    assert taken == ["/testsuite", "/logs", "/", "/a b", "/task/work", ""]


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
    "field",
    [
        "environment.allow_internet = false",
        *(
            f"{place}.network_mode = '{mode}'"
            for place in ("environment", "agent", "verifier", "verifier.environment")
            for mode in ("no-network", "allowlist")
        ),
    ],
)
def test_task_that_forbids_a_network_is_given_none(dataset: Path, scoring: Scoring, field: str) -> None:
    """An environment with a network refuses, by name, a task that forbids it in any phase, or in part."""
    (dataset / "task" / "task.toml").write_text(f"{field}\n")

    with pytest.raises(DatasetError) as raised:
        HarborEnv("true", dataset, scoring=scoring, sandboxes=RecordedSandboxes(), network=True)

    assert raised.value.mistake == "refused"
    if scoring == "documented":
        place = field.partition(" ")[0]
        expected = f"{dataset}/task: task.toml: {place} forbids a network; leave network=True out, or the task"
        assert str(raised.value) == expected


def test_task_that_allows_a_network_is_given_one(dataset: Path, scoring: Scoring) -> None:
    """An environment with a network accepts a task that allows it in all phases, or says nothing."""
    modes = "".join(f"{place}.network_mode = 'public'\n" for place in ("environment", "agent", "verifier"))

    for text in (modes, "environment.allow_internet = true\n", ""):
        (dataset / "task" / "task.toml").write_text(text)
        HarborEnv("true", dataset, scoring=scoring, sandboxes=RecordedSandboxes(), network=True)
