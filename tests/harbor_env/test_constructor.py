"""Wrong arguments of the constructor, and the sandboxes that right ones give."""

import asyncio
import math
from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import SandboxUnavailable
from parity.harbor_env import DatasetError, HarborEnv, Scoring
from tests.recorded_sandbox import RecordedSandboxes
from tests.run.tasks import write_task

_KNOWN = (
    "known are scoring, faults, end_processes, network, host_env, sandboxes, environment_vars, base_url,"
    " timeout_seconds, max_turns, cpu_cores, memory_gb, disk_size_gb; the other arguments of CliAgentEnv of verifiers"
    " are for parity.harbor_env.for_verifiers only"
)


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Return a dataset of one task."""
    write_task(tmp_path / "data" / "task", tests="true")
    return tmp_path / "data"


@pytest.mark.parametrize(
    ("options", "kind", "expected"),
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
        (
            {"environment_vars": {1: "x"}},
            ValueError,
            "environment_vars has 1 as 'x': give a name without '=', and a text",
        ),
        (
            {"environment_vars": ["A=1"]},
            TypeError,
            "environment_vars is ['A=1']: give a dict of names and texts, or None",
        ),
        *(
            (
                {"agent_workdir": given},
                TypeError,
                f"agent_workdir is {given!r}: give an absolute path inside the sandbox",
            )
            for given in (b"/app", None, 5)
        ),
        ({"agent_workdir": "/\0"}, ValueError, "agent_workdir is '/\\x00': give an absolute path inside the sandbox"),
        *(
            (
                {"agent_workdir": given},
                ValueError,
                f"agent_workdir is {given!r}: give another folder than {place}, which is for the tests",
            )
            for given, place in (
                ("/tests", "/tests"),
                ("//tests/", "/tests"),
                ("/app/../oracle/deep", "/oracle"),
                ("/logs/verifier", "/logs/verifier"),
            )
        ),
        ({"docker_image": 5}, TypeError, "docker_image is 5: give the name of an image"),
        ({"docker_image": None}, TypeError, "docker_image is None: give the name of an image"),
        ({"base_url": 5}, TypeError, "base_url is 5: give an address, or None for no model"),
        *(
            ({name: 1e-9}, ValueError, f"{name} is 1e-09: give at least 1 MiB, which is 0.0009765625")
            for name in ("memory_gb", "disk_size_gb")
        ),
        *(
            (
                {"sandboxes": given},
                TypeError,
                f"sandboxes is {given!r}: choose 'local' or 'docker', or give a kind of sandbox",
            )
            for given in (None, 5, RecordedSandboxes)
        ),
        ({"sandboxes": "x"}, ValueError, "no sandbox 'x': choose 'local' or 'docker', or give a kind of sandbox"),
        ({"faults": "x"}, ValueError, "faults is 'x': choose 'zero' or 'error'"),
        ({"network": "no"}, TypeError, "network is 'no': give True or False"),
        ({"network": True}, ValueError, "network is True: local sandboxes have no network; use sandboxes='docker'"),
        ({"end_processes": 1}, TypeError, "end_processes is 1: give True or False"),
        ({"max_turns": "x"}, TypeError, "max_turns is 'x': give how many, or -1 for any number"),
        ({"max_turns": True}, TypeError, "max_turns is True: give how many, or -1 for any number"),
        ({"cpu_cores": True}, ValueError, "cpu_cores is True: give a number above 0"),
        *(
            (
                {"agent_workdir": f"/{place}/x"},
                ValueError,
                f"agent_workdir is '/{place}/x': give another folder than /{place}, which holds no files",
            )
            for place in ("proc", "sys", "dev")
        ),
        ({"timeout": 5}, TypeError, f"there is no argument 'timeout'; {_KNOWN}"),
        ({"gpu_count": 1}, TypeError, f"there is no argument 'gpu_count'; {_KNOWN}"),
        ({"rubric": None, "gpu_count": 0}, TypeError, f"there is no argument 'gpu_count'; {_KNOWN}"),
    ],
)
def test_a_wrong_argument_is_named(
    dataset: Path, options: dict[str, Any], kind: type[Exception], expected: str
) -> None:
    """A wrong argument is named with the allowed values, or with all known arguments."""
    with pytest.raises(kind) as raised:
        HarborEnv("true", dataset, **options)

    assert str(raised.value) == expected


@pytest.mark.parametrize(
    ("command", "kind"), [(None, TypeError), (["true"], TypeError), ("", ValueError), ("true\0", ValueError)]
)
def test_a_command_that_is_none_is_named(dataset: Path, command: Any, kind: type[Exception]) -> None:
    """A command that is not a text without NUL is refused."""
    with pytest.raises(kind) as raised:
        HarborEnv(command, dataset)

    assert str(raised.value) == f"run_command is {command!r}: give bash source that runs the agent"


@pytest.mark.parametrize("path", [None, b"data", 5])
def test_a_dataset_that_is_no_path_is_named(path: Any) -> None:
    """A dataset that is not a path is refused."""
    with pytest.raises(TypeError) as raised:
        HarborEnv("true", path)

    assert str(raised.value) == f"dataset_path is {path!r}: give the folder that holds the task folders"


@pytest.mark.needs("local")
def test_folders_beside_those_of_the_tests_are_taken(dataset: Path) -> None:
    """Any folder of the sandbox is accepted for the agent, as a text or a path, except those of the tests."""
    folders = [Path("/testsuite"), "/logs", "/", "/a b", "/task/work"]

    taken = [HarborEnv("true", dataset, agent_workdir=given).agent_workdir for given in folders]  # type: ignore[arg-type]

    assert taken == ["/testsuite", "/logs", "/", "/a b", "/task/work"]


def test_sandboxes_that_cannot_work_here_are_found_out_at_once(dataset: Path) -> None:
    """Sandboxes that cannot work here are refused by the constructor."""

    class Missing(RecordedSandboxes):
        def preflight(self) -> None:
            raise SandboxUnavailable("there is no engine; install one")

    with pytest.raises(SandboxUnavailable, match=r"^there is no engine; install one$"):
        HarborEnv("true", dataset, sandboxes=Missing())


def test_names_of_tasks_are_taken_once(dataset: Path) -> None:
    """Names of tasks may come from any iterable, and are read only once."""
    env = HarborEnv("true", dataset, tasks=(name for name in ("task", "task")), sandboxes=RecordedSandboxes())  # type: ignore[arg-type]

    assert [row["task"] for row in env.rows] == ["task"]
    assert [row["task"] for row in env.read_rows()] == ["task"]


def test_sandboxes_are_as_large_as_they_were_asked_for(dataset: Path) -> None:
    """Sandboxes have the image and the resources of the environment's arguments, in the units of each side."""
    kind = RecordedSandboxes()
    (dataset / "task" / "task.toml").write_text("")
    env = HarborEnv(
        "true", dataset, docker_image="image", sandboxes=kind, network=True, cpu_cores=3, memory_gb=0.5, disk_size_gb=1
    )

    asyncio.run(env.rollout(env.rows[0]))

    (spec,) = kind.specs
    assert (spec.image, spec.network, spec.cpus, spec.memory_mb, spec.storage_mb) == ("image", True, 3, 512, 1024)


def test_a_task_says_how_large_its_sandbox_is(dataset: Path, scoring: Scoring) -> None:
    """Under Harbor's scoring, the task's resources replace the environment's."""
    kind = RecordedSandboxes()
    (dataset / "task" / "task.toml").write_text("[environment]\ncpus = 4\nmemory_mb = 300\n")
    env = HarborEnv("true", dataset, scoring=scoring, sandboxes=kind, cpu_cores=3, memory_gb=0.5, disk_size_gb=1)

    asyncio.run(env.rollout(env.rows[0]))

    (spec,) = kind.specs
    sizes = (4, 300, 1024) if scoring == "harbor" else (3, 512, 1024)
    assert (spec.cpus, spec.memory_mb, spec.storage_mb) == sizes


def test_a_task_names_its_own_image(tmp_path: Path) -> None:
    """A task's own image replaces the environment's."""
    write_task(tmp_path / "a", tests="true", image="of-the-task")
    write_task(tmp_path / "b", tests="true", image=None)
    kind = RecordedSandboxes()
    env = HarborEnv("true", tmp_path, sandboxes=kind)

    asyncio.run(env.evaluate(max_concurrent=1))

    assert [spec.image for spec in kind.specs] == ["of-the-task", "python:3.11-slim"]


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
def test_a_task_that_forbids_a_network_is_not_given_one(dataset: Path, scoring: Scoring, field: str) -> None:
    """An environment with a network refuses, by name, a task that forbids it in any phase, or in part."""
    (dataset / "task" / "task.toml").write_text(f"{field}\n")

    with pytest.raises(DatasetError) as raised:
        HarborEnv("true", dataset, scoring=scoring, sandboxes=RecordedSandboxes(), network=True)

    assert raised.value.mistake == "refused"
    if scoring == "documented":
        place = field.partition(" ")[0]
        expected = f"{dataset}/task: task.toml: {place} forbids a network; leave network=True out, or the task"
        assert str(raised.value) == expected


def test_a_task_that_allows_a_network_is_given_one(dataset: Path, scoring: Scoring) -> None:
    """An environment with a network accepts a task that allows it in all phases, or says nothing."""
    modes = "".join(f"{place}.network_mode = 'public'\n" for place in ("environment", "agent", "verifier"))

    for text in (modes, "environment.allow_internet = true\n", ""):
        (dataset / "task" / "task.toml").write_text(text)
        HarborEnv("true", dataset, scoring=scoring, sandboxes=RecordedSandboxes(), network=True)
