"""Mistakes in a dataset: each gives one line with the directory, the field and the remedy."""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import DatasetError, HarborEnv, Mistake, Scoring
from tests.needs import need
from tests.recorded_sandbox import RecordedSandboxes

type Write = Callable[[Path], object]
"""Writes a dataset into a directory that is missing."""

_INSTEAD = "run the task with parity run or harbor"
_NO_STEPS = f"task.toml: steps: an environment does not run steps; {_INSTEAD}"


def _write(data: Path, toml: str | bytes = "", name: str = "task", instruction: bytes = b"Do it.\n") -> Path:
    """Write a task's directory into a dataset, and return it."""
    directory = data / name
    for part in ("tests", "environment"):
        (directory / part).mkdir(parents=True)
    (directory / "task.toml").write_bytes(toml if isinstance(toml, bytes) else toml.encode())
    (directory / "instruction.md").write_bytes(instruction)
    (directory / "tests" / "test.sh").write_text("true\n")
    return directory


def _tasks(*tomls: str | bytes) -> Write:
    """Return a writer of the tasks `task-0` and so on, with these task.toml."""
    return lambda data: [_write(data, toml, f"task-{number}") for number, toml in enumerate(tomls)]


def _links(name: str) -> Write:
    """Return a writer of a task in which this part is a link that leads out of it."""

    def write(data: Path) -> None:
        directory, elsewhere = _write(data, name="task-0"), data.parent / "elsewhere"
        (directory / name).rename(elsewhere) if (directory / name).exists() else elsewhere.mkdir()
        (directory / name).symlink_to(elsewhere)

    return write


def _pipe(data: Path) -> None:
    path = _write(data, name="task-0") / "task.toml"
    path.unlink()
    os.mkfifo(path)


def _loop(data: Path) -> None:
    (_write(data, name="task-0") / "solution").symlink_to("solution")


def _named(*names: str) -> dict[str, Any]:
    return {"tasks": names}


_DOCUMENTED: dict[str, tuple[Write, Mistake, str, dict[str, Any]]] = {
    "missing": (
        lambda data: None,
        Mistake.MISSING,
        ": there is no such directory; give the one that holds the task directories as dataset_path",
        {},
    ),
    "a task": (
        lambda data: _write(data.parent, name=data.name),
        Mistake.NO_TASKS,
        ": is a task itself; give the directory that holds it as dataset_path",
        {},
    ),
    "no such tasks": (
        _tasks(""),
        Mistake.NO_TASKS,
        ": holds no task among other, an\\nother: a task is a directory with task.toml and instruction.md",
        _named("other", "an\nother"),
    ),
    "chosen directory without two files": (
        lambda data: (data / "task-0").mkdir(parents=True),
        Mistake.NO_TASKS,
        "/task-0: lacks task.toml and instruction.md; add what is missing, or take 'task-0' out of tasks",
        _named("task-0"),
    ),
    "chosen task with steps": (
        lambda data: (_write(data, "[[steps]]\nname = 'one'\n", "task-0") / "instruction.md").unlink(),
        Mistake.REFUSED,
        f"/task-0: {_NO_STEPS}, or take 'task-0' out of tasks",
        _named("task-0"),
    ),
    "bad TOML": (
        _tasks("a = \n"),
        Mistake.TOML,
        "/task-0: task.toml is not TOML: Invalid value (at line 1, column 5); correct it",
        {},
    ),
    "TOML nested too deeply": (
        _tasks("a = " + "[" * 5000 + "]" * 5000),
        Mistake.TOML,
        "/task-0: task.toml cannot be read: ",
        {},
    ),
    "TOML that is not UTF-8": (
        _tasks(b"a = '\xff'\n"),
        Mistake.ENCODING,
        "/task-0: task.toml is not UTF-8 at byte 5; write it in UTF-8",
        {},
    ),
    "TOML that is a pipe": (
        _pipe,
        Mistake.UNREADABLE,
        "/task-0: task.toml is not a file; replace it with a file",
        {},
    ),
    "task that is a link to itself": (
        _loop,
        Mistake.UNREADABLE,
        ": cannot be read: ",
        {},
    ),
    "environment that is no table": (
        lambda data: _write(data, "environment = 1\n", "a\nb\x1b[31m\u2028"),
        Mistake.TYPE,
        "/a\\nb\\x1b[31m\\u2028: task.toml: environment must be a table, not 1",
        {},
    ),
    "image that is no string": (
        _tasks("environment.docker_image = 3.11\n"),
        Mistake.TYPE,
        "/task-0: task.toml: environment.docker_image must be a string, not 3.11",
        {},
    ),
    "types that differ between tasks": (
        _tasks("metadata.level = 1\n", "metadata.level = 'hard'\n"),
        Mistake.MIXED_TYPES,
        ": its tasks do not fit into one dataset: ",
        {},
    ),
    **{
        f"link as {name}": (
            _links(name),
            Mistake.LINK,
            f"/task-0: {name} is a link that leads out of the task; replace it with a copy of its target",
            {},
        )
        for name in ("task.toml", "tests", "solution", "tests/test.sh")
    },
}
"""Datasets with one mistake each: its kind, the message after the dataset's path, and arguments of the environment."""

_HARBOR: dict[str, tuple[Write, str]] = {
    "no test script": (
        lambda data: (_write(data, name="task-0") / "tests" / "test.sh").unlink(),
        "tests/test.sh is missing; add it",
    ),
    "several containers": (
        lambda data: (_write(data, name="task-0") / "environment" / "docker-compose.yaml").touch(),
        "environment/docker-compose.yaml: an environment runs one container; run the task with harbor",
    ),
    "steps": (_tasks("[[steps]]\nname = 'one'\n"), _NO_STEPS),
    "healthcheck": (
        _tasks("environment.healthcheck.command = 'true'\n"),
        f"task.toml: environment.healthcheck: an environment does not wait for it; {_INSTEAD}",
    ),
    "variable that the host does not have": (
        _tasks("verifier.env.TOLD = '${PARITY_NEVER_SET}'\n"),
        "task.toml: a variable of the task needs PARITY_NEVER_SET, which is not set here; set it",
    ),
    "verifier in a sandbox of its own": (
        _tasks("verifier.environment_mode = 'separate'\n"),
        f"task.toml: verifier.environment_mode is separate, which an environment does not do; {_INSTEAD}",
    ),
    **{
        f"user of the {role}": (
            _tasks(f"{role}.user = 'nobody'\n"),
            f"task.toml: {role}.user: an environment runs all as the image's own user; {_INSTEAD}",
        )
        for role in ("agent", "verifier")
    },
    "MCP servers": (
        _tasks("[[environment.mcp_servers]]\nname = 'x'\nurl = 'u'\n"),
        "task.toml: environment.mcp_servers asks for MCP servers, which this driver does not offer; run the task"
        " with harbor",
    ),
    "time that Harbor refuses": (
        _tasks("verifier.timeout_sec = 'soon'\n"),
        "task.toml: verifier.timeout_sec must be a number, not 'soon'",
    ),
}
"""Datasets with a task that cannot run under Harbor's scoring, and the message about it."""


@pytest.mark.parametrize("name", _DOCUMENTED)
def test_mistake_is_reported_in_one_line(tmp_path: Path, name: str) -> None:
    """Each mistake is reported in one line with the directory, the field and the remedy."""
    write, mistake, message, options = _DOCUMENTED[name]
    if name == "environment that is no table":
        need("utf-8")
    data = tmp_path / "data"
    write(data)

    with pytest.raises(DatasetError) as raised:
        HarborEnv("true", data, scoring="documented", sandboxes=RecordedSandboxes(), **options).load_harbor_dataset()

    assert str(raised.value).startswith(f"{data}{message}")
    assert str(raised.value).isprintable()
    assert raised.value.mistake == mistake
    assert raised.value.directory.is_relative_to(data)


@pytest.mark.parametrize("name", _HARBOR)
def test_task_that_harbor_cannot_run_here_is_refused(tmp_path: Path, name: str) -> None:
    """A task that cannot run under Harbor's scoring is refused; the documentation's scoring accepts it."""
    write, message = _HARBOR[name]
    write(tmp_path)

    with pytest.raises(DatasetError) as raised:
        HarborEnv("true", tmp_path, sandboxes=RecordedSandboxes())
    documented = HarborEnv("true", tmp_path, scoring="documented", sandboxes=RecordedSandboxes())

    assert (raised.value.mistake, str(raised.value)) == (Mistake.REFUSED, f"{tmp_path}/task-0: {message}")
    assert len(documented.rows) == 1


def test_missing_dataset_is_a_missing_file(tmp_path: Path, scoring: Scoring) -> None:
    """A missing dataset is a FileNotFoundError, as in the releases of verifiers."""
    with pytest.raises(FileNotFoundError, match="there is no such directory"):
        HarborEnv("true", tmp_path / "missing", sandboxes=RecordedSandboxes(), scoring=scoring)


def test_dockerfile_that_cannot_be_replaced_is_refused(tmp_path: Path, local: Sandboxes) -> None:
    """Under Harbor's scoring, a Dockerfile that a local sandbox cannot replace is refused, unless an image is named."""
    dockerfile = _write(tmp_path) / "environment" / "Dockerfile"
    dockerfile.write_text("FROM debian\nRUN make\n")

    with pytest.raises(DatasetError) as raised:
        HarborEnv("true", tmp_path, sandboxes=local)

    message = (
        "needs RUN in environment/Dockerfile, which the local sandbox cannot build;"
        " build it, and give its name as docker_image to other sandboxes"
    )
    assert (str(raised.value), raised.value.mistake) == (f"{tmp_path}/task: {message}", Mistake.REFUSED)
    HarborEnv("true", tmp_path, sandboxes=local, scoring="documented")
    HarborEnv("true", tmp_path, sandboxes=RecordedSandboxes())
    (tmp_path / "task" / "task.toml").write_text("environment.docker_image = 'made'\n")
    HarborEnv("true", tmp_path, sandboxes=local)


def test_tasks_that_fit_into_no_dataset_can_be_run(tmp_path: Path) -> None:
    """Tasks that do not fit into one Hugging Face dataset still run."""
    _tasks("metadata.level = 1\n", f"metadata.level = ['a', {2**70}]\n")(tmp_path)

    env = HarborEnv("true", tmp_path, sandboxes=RecordedSandboxes())

    assert [row["task"] for row in env.rows] == ["task-0", "task-1"]


def test_directory_that_is_left_out_is_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Each directory that lacks a file, and each chosen name without a directory, is reported once."""
    _write(tmp_path)
    (tmp_path / "empty").mkdir()
    (_write(tmp_path, "x = \n", name="a\nb") / "instruction.md").unlink()
    (_write(tmp_path, "[[steps]]\nname = 'one'\n", name="steps") / "instruction.md").unlink()

    with caplog.at_level(logging.WARNING, "parity.harbor_env"):
        HarborEnv("true", tmp_path, tasks=["task", "x\ny", "x\ny"], sandboxes=RecordedSandboxes())
        HarborEnv("true", tmp_path, sandboxes=RecordedSandboxes())

    assert [record.getMessage() for record in caplog.records] == [
        f"{tmp_path}: there is no task 'x\\ny'; it is left out",
        f"{tmp_path}/a\\nb: left out: lacks instruction.md; add what is missing",
        f"{tmp_path}/empty: left out: lacks task.toml and instruction.md; add what is missing",
        f"{tmp_path}/steps: left out: {_NO_STEPS}",
    ]


@pytest.mark.parametrize("table", ["environment.env", "verifier.env"])
def test_variable_of_the_host_must_be_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    """A task that uses a variable of the host is refused, unless the environment allows the variable."""
    monkeypatch.setenv("SECRET", "of-the-host")
    _write(tmp_path, f'[{table}]\nX = "${{SECRET:-none}}"\n')

    with pytest.raises(DatasetError) as refused:
        HarborEnv("true", tmp_path, sandboxes=RecordedSandboxes())
    allowed = HarborEnv("true", tmp_path, sandboxes=RecordedSandboxes(), host_env=["SECRET"])

    message = "task.toml: takes the host's variable SECRET; allow it with host_env=['SECRET']"
    assert str(refused.value).endswith(message)
    assert len(allowed.rows) == 1
