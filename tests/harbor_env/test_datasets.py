"""Tests that each mistake in a dataset is reported in one line with the directory, the field and the remedy."""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import DatasetError, HarborEnv, Scoring
from tests.fake_sandbox import FakeSandboxes

_INSTEAD = "run the task with parity run or harbor"
_NO_STEPS = f"task.toml: steps: an environment does not run steps; {_INSTEAD}"


def _write(data: Path, toml: str | bytes = "", name: str = "task") -> Path:
    """Add a task's directory to a dataset, and return the directory."""
    directory = data / name
    for part in ("tests", "environment"):
        (directory / part).mkdir(parents=True)
    (directory / "task.toml").write_bytes(toml if isinstance(toml, bytes) else toml.encode())
    (directory / "instruction.md").write_text("Do it.\n")
    (directory / "tests" / "test.sh").write_text("true\n")
    return directory


def _refused(data: Path, **options: Any) -> DatasetError:
    with pytest.raises(DatasetError) as raised:
        HarborEnv("true", data, sandboxes=FakeSandboxes(), **options).load_harbor_dataset()
    return raised.value


@pytest.mark.parametrize(
    ("toml", "kind", "message"),
    [
        ("a = \n", "toml", "task.toml is not TOML: Invalid value (at line 1, column 5); correct it"),
        pytest.param("a = " + "[" * 5000 + "]" * 5000, "toml", "task.toml cannot be read: ", id="too deep"),
        (b"a = '\xff'\n", "encoding", "task.toml is not UTF-8 at byte 5; write it in UTF-8"),
        ("environment = 1\n", "type", "task.toml: environment must be a table, not 1"),
        ("environment.docker_image = 3.11\n", "type", "task.toml: environment.docker_image must be a string, not 3.11"),
    ],
)
def test_mistake_in_task_toml_is_reported(tmp_path: Path, toml: str | bytes, kind: str, message: str) -> None:
    """A mistake in task.toml is reported in one line with the directory and the remedy, under any scoring."""
    task = _write(tmp_path, toml, "a\nb\x1b[31m")

    error = _refused(tmp_path, scoring="documented")

    assert str(error).startswith(f"{tmp_path}/a\\nb\\x1b[31m: {message}")
    assert (error.mistake, error.directory) == (kind, task)
    assert str(error).isprintable()


def _pipe(data: Path) -> None:
    path = _write(data) / "task.toml"
    path.unlink()
    os.mkfifo(path)


def _two_types(data: Path) -> None:
    _write(data, "metadata.level = 1\n", "a")
    _write(data, "metadata.level = 'hard'\n", "b")


@pytest.mark.parametrize(
    ("write", "names", "kind", "message"),
    [
        (lambda data: None, None, "missing", ": there is no such directory; give the one that holds the task"),
        (lambda data: _write(data.parent, name=data.name), None, "no-tasks", ": is a task itself; give the directory"),
        (
            _write,
            ["b", "c\nd"],
            "no-tasks",
            ": No valid Harbor tasks among b, c\\nd: a task is a directory with task.toml",
        ),
        (
            lambda data: (data / "task").mkdir(parents=True),
            ["task"],
            "no-tasks",
            "/task: lacks task.toml and instruction.md; add what is missing, or take 'task' out of tasks",
        ),
        (
            lambda data: (_write(data, "[[steps]]\nname = 'one'\n") / "instruction.md").unlink(),
            ["task"],
            "refused",
            f"/task: {_NO_STEPS}",
        ),
        (_pipe, None, "unreadable", "/task: task.toml is not a file; replace it with a file"),
        (
            lambda data: (_write(data) / "solution").symlink_to("solution"),
            None,
            "unreadable",
            "/task: cannot be read: ",
        ),
        (_two_types, None, "mixed-types", ": its tasks do not fit into one dataset: Could not convert 'hard'"),
    ],
    ids=["missing", "a task", "other names", "no file", "steps", "pipe", "loop", "two types"],
)
def test_mistake_in_a_dataset_is_reported(
    tmp_path: Path, write: Callable[[Path], object], names: list[str] | None, kind: str, message: str
) -> None:
    """Each mistake in a dataset is reported in one line with the directory and the remedy."""
    data = tmp_path / "data"
    write(data)

    error = _refused(data, scoring="documented", tasks=names)

    assert str(error).startswith(f"{data}{message}")
    assert (error.mistake, str(error).isprintable()) == (kind, True)


@pytest.mark.parametrize("name", ["task.toml", "instruction.md", "tests", "solution", "tests/test.sh"])
def test_symlink_out_of_the_task_is_refused(tmp_path: Path, scoring: Scoring, name: str) -> None:
    """If a part of a task is a symlink that leads out of the task, the task is refused under any scoring."""
    part, elsewhere = _write(tmp_path / "data") / name, tmp_path / "elsewhere"
    part.rename(elsewhere) if part.exists() else elsewhere.mkdir()
    part.symlink_to(elsewhere)

    error = _refused(tmp_path / "data", scoring=scoring)

    message = f"task: {name} is a link that leads out of the task; replace it with a copy of its target"
    assert (error.mistake, str(error)) == ("link", f"{tmp_path}/data/{message}")


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        (
            "environment.healthcheck.command = 'true'\n",
            f"task.toml: environment.healthcheck: an environment does not wait for it; {_INSTEAD}",
        ),
        (
            "verifier.env.X = '${PARITY_NEVER_SET}'\n",
            "task.toml: a variable of the task needs PARITY_NEVER_SET, which is not set here; set it",
        ),
        (
            "verifier.environment_mode = 'separate'\n",
            f"task.toml: verifier.environment_mode is separate, which an environment does not do; {_INSTEAD}",
        ),
        *(
            (
                f"{role}.user = 'nobody'\n",
                f"task.toml: {role}.user: an environment runs all as the image's own user; {_INSTEAD}",
            )
            for role in ("agent", "verifier")
        ),
        (
            "[[environment.mcp_servers]]\nname = 'x'\nurl = 'u'\n",
            "task.toml: environment.mcp_servers requests MCP servers, which this driver does not offer; run the task"
            " with harbor",
        ),
        ("verifier.timeout_sec = 'soon'\n", "task.toml: verifier.timeout_sec must be a number, not 'soon'"),
    ],
)
def test_task_that_harbors_scoring_cannot_run_is_refused(tmp_path: Path, toml: str, message: str) -> None:
    """A task that cannot run under Harbor's scoring is refused, but the documented scoring accepts it."""
    _write(tmp_path, toml)

    error = _refused(tmp_path)
    documented = HarborEnv("true", tmp_path, scoring="documented", sandboxes=FakeSandboxes())

    assert (error.mistake, str(error)) == ("refused", f"{tmp_path}/task: {message}")
    assert len(documented.rows) == 1


@pytest.mark.parametrize("names", [None, ["task"]])
@pytest.mark.parametrize("has_instruction", [True, False])
def test_multi_step_task_is_refused(
    tmp_path: Path, scoring: Scoring, has_instruction: bool, names: list[str] | None
) -> None:
    """A multi-step task is refused with and without an instruction of its own, and whether or not it is named."""
    task = _write(tmp_path, "[[steps]]\nname = 'one'\n")
    if not has_instruction:
        (task / "instruction.md").unlink()

    error = _refused(tmp_path, scoring=scoring, tasks=names)

    assert (error.mistake, str(error)) == ("refused", f"{task}: {_NO_STEPS}")


def _write_five(data: Path) -> list[str]:
    """Add two usable tasks and three that are refused, and return the lines about the latter."""
    _write(data, name="a")
    _write(data, "[[steps]]\nname = 'one'\n", name="b")
    _write(data, "x = \n", name="c")
    _write(data, name="d")
    (_write(data, "verifier.user = 'nobody'\n", name="e") / "tests" / "test.sh").unlink()
    return [
        f"{data}/b: {_NO_STEPS}",
        f"{data}/c: task.toml is not TOML: Invalid value (at line 1, column 5); correct it",
        f"{data}/e: task.toml: verifier.user: an environment runs all as the image's own user; {_INSTEAD};"
        " also tests/test.sh is missing; add it",
    ]


def test_error_names_all_refused_tasks(tmp_path: Path) -> None:
    """If several tasks are refused, one error has a line with all reasons for each of them."""
    refused = _write_five(tmp_path)

    error = _refused(tmp_path)

    cure = "correct them, or leave them out with skip_refused=True"
    assert str(error).split("\n  ") == [f"{tmp_path}: 3 of 5 tasks cannot be used; {cure}:", *refused]
    assert error.mistake == "refused"


def test_refused_tasks_are_left_out_on_request(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """With `skip_refused`, tasks that are refused are left out with a warning for each."""
    refused = _write_five(tmp_path)

    env = HarborEnv("true", tmp_path, skip_refused=True, sandboxes=FakeSandboxes())

    assert [(row["example_id"], row["task"]) for row in env.rows] == [(0, "a"), (1, "d")]
    assert [record.getMessage() for record in caplog.records] == [f"{line}; it is left out" for line in refused]


def test_dataset_without_other_tasks_is_refused(tmp_path: Path) -> None:
    """`skip_refused` does not make an environment without any task."""
    task = _write(tmp_path, "x = \n")

    assert str(_refused(tmp_path, skip_refused=True)).startswith(f"{task}: task.toml is not TOML")


def test_task_with_unsupported_files_is_refused(tmp_path: Path) -> None:
    """A task without a test script, or with several containers, is refused."""
    (_write(tmp_path / "a") / "tests" / "test.sh").unlink()
    (_write(tmp_path / "b") / "environment" / "docker-compose.yaml").touch()

    errors = [str(_refused(tmp_path / name)) for name in ("a", "b")]

    assert errors == [
        f"{tmp_path}/a/task: tests/test.sh is missing; add it",
        f"{tmp_path}/b/task: environment/docker-compose.yaml: an environment runs one container;"
        " run the task with harbor",
    ]


def test_missing_dataset_raises_file_not_found(tmp_path: Path, scoring: Scoring) -> None:
    """A missing dataset raises a FileNotFoundError, as in the releases of verifiers."""
    with pytest.raises(FileNotFoundError, match="there is no such directory"):
        HarborEnv("true", tmp_path / "missing", sandboxes=FakeSandboxes(), scoring=scoring)


def test_dockerfile_that_cannot_be_replaced_is_refused(tmp_path: Path, local: Sandboxes) -> None:
    """Under Harbor's scoring, a Dockerfile that needs a build is refused, unless an image is passed."""
    dockerfile = _write(tmp_path) / "environment" / "Dockerfile"
    dockerfile.write_text("FROM debian\nRUN make\n")

    with pytest.raises(DatasetError) as raised:
        HarborEnv("true", tmp_path, sandboxes=local)

    message = (
        "needs RUN in environment/Dockerfile, which the local sandbox cannot build;"
        " build it, and give its name as docker_image to other sandboxes"
    )
    assert (str(raised.value), raised.value.mistake) == (f"{tmp_path}/task: {message}", "refused")
    HarborEnv("true", tmp_path, sandboxes=local, scoring="documented")
    HarborEnv("true", tmp_path, sandboxes=FakeSandboxes())
    (tmp_path / "task" / "task.toml").write_text("environment.docker_image = 'made'\n")
    HarborEnv("true", tmp_path, sandboxes=local)


def test_tasks_that_do_not_fit_into_a_dataset_can_be_run(tmp_path: Path) -> None:
    """Tasks whose values do not fit into one Hugging Face dataset can still be run."""
    _two_types(tmp_path)

    env = HarborEnv("true", tmp_path, sandboxes=FakeSandboxes())

    assert [row["task"] for row in env.rows] == ["a", "b"]


def test_name_without_a_directory_is_refused(tmp_path: Path) -> None:
    """A name that no directory has is refused in one line, with near names, or else with some of those that exist."""
    for name in ("several-keys", "no-reward"):
        _write(tmp_path, name=name)
    sandboxes = FakeSandboxes()

    with pytest.raises(DatasetError) as misspelled:
        HarborEnv("true", tmp_path, tasks=["several-kays", "no-reward"], sandboxes=sandboxes)
    with pytest.raises(DatasetError) as foreign:
        HarborEnv("true", tmp_path, tasks=["x\ny", "a"], sandboxes=sandboxes)
    left = HarborEnv("true", tmp_path, tasks=["several-kays", "no-reward"], sandboxes=sandboxes, skip_refused=True)

    assert str(misspelled.value) == f"{tmp_path}: there is no task 'several-kays'; did you mean 'several-keys'?"
    assert str(foreign.value) == (f"{tmp_path}: there is no task 'a' or 'x\\ny'; it has 'no-reward' or 'several-keys'")
    assert [row["task"] for row in left.rows] == ["no-reward"]


def test_directory_that_is_left_out_is_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A directory without a required file and, as documented, a name without a directory are reported once."""
    _write(tmp_path)
    (tmp_path / "empty").mkdir()
    (_write(tmp_path, "x = \n", name="a\nb") / "instruction.md").unlink()

    with caplog.at_level(logging.WARNING, "parity.harbor_env"):
        names = ["task", "x\ny", "x\ny"]
        HarborEnv("true", tmp_path, tasks=names, scoring="documented", sandboxes=FakeSandboxes())
        HarborEnv("true", tmp_path, sandboxes=FakeSandboxes())

    assert [record.getMessage() for record in caplog.records] == [
        f"{tmp_path}: there is no task 'x\\ny'; it has 'a\\nb', 'empty' or 'task'",
        f"{tmp_path}/a\\nb: left out: lacks instruction.md; add what is missing",
        f"{tmp_path}/empty: left out: lacks task.toml and instruction.md; add what is missing",
    ]


@pytest.mark.parametrize("table", ["environment.env", "verifier.env"])
def test_host_variable_must_be_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    """A task that uses a host variable is refused, unless the environment allows that variable."""
    monkeypatch.setenv("SECRET", "of-the-host")
    _write(tmp_path, f'[{table}]\nX = "${{SECRET:-none}}"\n')

    refused = _refused(tmp_path)
    allowed = HarborEnv("true", tmp_path, sandboxes=FakeSandboxes(), host_env=["SECRET"])

    message = "task.toml: uses the host's variable SECRET; allow it with host_env=['SECRET']"
    assert str(refused).endswith(message)
    assert len(allowed.rows) == 1
