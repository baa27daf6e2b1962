"""Arguments of the constructor that are none."""

import asyncio
import math
from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import SandboxUnavailable
from parity.harbor_env import DatasetError, HarborEnv
from tests.recorded_sandbox import RecordedSandboxes
from tests.run.tasks import write_task

_KNOWN = (
    "known are sandboxes, network, environment_vars, base_url, timeout_seconds, max_turns, cpu_cores, memory_gb,"
    " disk_size_gb"
)
_OTHER = "is for the environment of verifiers alone, parity.harbor_env.for_verifiers; " + _KNOWN


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """One task."""
    write_task(tmp_path / "data" / "task", tests="true")
    return tmp_path / "data"


@pytest.mark.parametrize(
    ("options", "kind", "told"),
    [
        ({"tasks": "abc"}, TypeError, "tasks is 'abc': give a list of names, or None for all tasks"),
        ({"tasks": [1]}, TypeError, "tasks is [1]: give a list of names, or None for all tasks"),
        ({"tasks": ["task", None]}, TypeError, "tasks is ['task', None]: give a list of names, or None for all tasks"),
        ({"tasks": 5}, TypeError, "tasks is 5: give a list of names, or None for all tasks"),
        ({"tasks": b"task"}, TypeError, "tasks is b'task': give a list of names, or None for all tasks"),
        ({"scoring": "x"}, ValueError, "scoring is 'x': choose 'harbor' or 'documented'"),
        ({"scoring": None}, ValueError, "scoring is None: choose 'harbor' or 'documented'"),
        (
            {"agent_workdir": "app"},
            ValueError,
            "agent_workdir is 'app': give an absolute path inside the sandbox",
        ),
        *(
            (
                {"timeout_seconds": seconds},
                ValueError,
                f"timeout_seconds is {seconds!r}: give a time in seconds, or None for any time",
            )
            for seconds in (-1, 0, math.inf, math.nan, "5")
        ),
        *(({name: -3}, ValueError, f"{name} is -3: give a number above 0") for name in ("cpu_cores", "memory_gb")),
        ({"disk_size_gb": "x"}, ValueError, "disk_size_gb is 'x': give a number above 0"),
        (
            {"environment_vars": {"A": 1}},
            ValueError,
            "environment_vars has 'A' as 1: give a name without '=', and a text",
        ),
        ({"sandboxes": "x"}, ValueError, "no sandbox 'x': choose 'local' or 'docker', or give a kind of sandbox"),
        ({"timeout": 5}, TypeError, f"there is no argument 'timeout'; {_KNOWN}"),
        ({"gpu_count": 1}, TypeError, f"gpu_count {_OTHER}"),
        ({"interception_port": 8765}, TypeError, f"interception_port {_OTHER}"),
        ({"team_id": None}, TypeError, f"team_id {_OTHER}"),
        ({"rubric": None, "gpu_count": 0}, TypeError, f"gpu_count {_OTHER}"),
    ],
)
def test_a_wrong_argument_is_named(dataset: Path, options: dict[str, Any], kind: type[Exception], told: str) -> None:
    """With what it may be, or with all that there are."""
    with pytest.raises(kind) as raised:
        HarborEnv("true", dataset, **options)

    assert str(raised.value) == told


def test_sandboxes_that_cannot_work_here_are_found_out_at_once(dataset: Path) -> None:
    """Before any task runs."""

    class Missing(RecordedSandboxes):
        def preflight(self) -> None:
            raise SandboxUnavailable("there is no engine; install one")

    with pytest.raises(SandboxUnavailable, match=r"^there is no engine; install one$"):
        HarborEnv("true", dataset, sandboxes=Missing())


def test_names_of_tasks_are_taken_once(dataset: Path) -> None:
    """From whatever gives them one by one."""
    env = HarborEnv("true", dataset, tasks=(name for name in ("task", "task")), sandboxes=RecordedSandboxes())  # type: ignore[arg-type]

    assert [row["task"] for row in env.rows] == ["task"]
    assert [row["task"] for row in env.read_rows()] == ["task"]


def test_sandboxes_are_as_large_as_they_were_asked_for(dataset: Path) -> None:
    """In the units of each side."""
    kind = RecordedSandboxes()
    (dataset / "task" / "task.toml").write_text("")
    env = HarborEnv(
        "true", dataset, docker_image="image", sandboxes=kind, network=True, cpu_cores=3, memory_gb=0.5, disk_size_gb=1
    )

    asyncio.run(env.rollout(env.rows[0]))

    (spec,) = kind.specs
    assert (spec.image, spec.network, spec.cpus, spec.memory_mb, spec.storage_mb) == ("image", True, 3, 512, 1024)


def test_a_task_names_its_own_image(tmp_path: Path) -> None:
    """Others have the environment's."""
    write_task(tmp_path / "a", tests="true", image="of-the-task")
    write_task(tmp_path / "b", tests="true")
    kind = RecordedSandboxes()
    env = HarborEnv("true", tmp_path, sandboxes=kind)

    asyncio.run(env.evaluate(max_concurrent=1))

    assert [spec.image for spec in kind.specs] == ["of-the-task", "python:3.11-slim"]


def test_a_task_that_forbids_a_network_is_not_given_one(dataset: Path) -> None:
    """It is refused by name."""
    with pytest.raises(DatasetError, match=r"task: task.toml: environment.network_mode forbids a network; leave"):
        HarborEnv("true", dataset, sandboxes=RecordedSandboxes(), network=True)
