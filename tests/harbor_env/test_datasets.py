"""Mistakes in a dataset: one line each, which names the folder and the field, and says what to do."""

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import DatasetError, HarborEnv, Mistake
from tests.recorded_sandbox import RecordedSandboxes

_HUGE = 2**70


@dataclass(frozen=True)
class Fault:
    """How a dataset is wrong, and what is said of it; `{data}` stands for its folder."""

    write: Callable[[Path], object]
    mistake: Mistake
    message: str
    scoring: str = "documented"
    tasks: tuple[str, ...] | None = None


def _task(data: Path, toml: str | bytes = "", name: str = "task", instruction: bytes = b"Do it.\n") -> Path:
    folder = data / name
    folder.mkdir(parents=True)
    (folder / "task.toml").write_bytes(toml if isinstance(toml, bytes) else toml.encode())
    (folder / "instruction.md").write_bytes(instruction)
    (folder / "tests").mkdir()
    (folder / "environment").mkdir()
    (folder / "tests" / "test.sh").write_text("true\n")
    return folder


def _leads_out(name: str) -> Callable[[Path], object]:
    def write(data: Path) -> None:
        folder = _task(data)
        elsewhere = data.parent / "elsewhere"
        (folder / name).rename(elsewhere) if (folder / name).exists() else elsewhere.mkdir()
        (folder / name).symlink_to(elsewhere)

    return write


def _builds(name: str, text: str) -> Callable[[Path], object]:
    def write(data: Path) -> None:
        environment = _task(data) / "environment"
        (environment / name).write_text(text)

    return write


def _without_environment(data: Path) -> None:
    (_task(data) / "environment").rmdir()


def _without_tests(data: Path) -> None:
    (_task(data) / "tests" / "test.sh").unlink()


def _says(toml: str | bytes, name: str = "task") -> Callable[[Path], object]:
    return lambda data: _task(data, toml, name)


def _say(*tomls: str) -> Callable[[Path], object]:
    return lambda data: [_task(data, toml, f"task-{number}") for number, toml in enumerate(tomls)]


def _has_folder(name: str) -> Callable[[Path], object]:
    def write(data: Path) -> None:
        folder = _task(data)
        (folder / name).unlink()
        (folder / name).mkdir()

    return write


def _has_pipe(data: Path) -> None:
    folder = _task(data)
    (folder / "task.toml").unlink()
    os.mkfifo(folder / "task.toml")


_FAULTS = {
    "missing folder": Fault(
        lambda data: None,
        Mistake.NO_FOLDER,
        "{data}: there is no such folder; give the one that holds the task folders as dataset_path",
    ),
    "file instead of folder": Fault(
        lambda data: data.write_text(""),
        Mistake.NOT_A_FOLDER,
        "{data}: is a file; give the folder that holds the task folders as dataset_path",
    ),
    "loop of links": Fault(
        lambda data: data.symlink_to(data),
        Mistake.UNREADABLE,
        "{data}: cannot be read: [Errno 40] Too many levels of symbolic links: '{data}'; make it readable",
    ),
    "empty folder": Fault(
        lambda data: data.mkdir(),
        Mistake.NO_TASKS,
        "{data}: holds no task: a task is a folder with task.toml and instruction.md",
    ),
    "no folder that is a task": Fault(
        lambda data: (data / "docs").mkdir(parents=True),
        Mistake.NO_TASKS,
        "{data}: holds no task: a task is a folder with task.toml and instruction.md",
    ),
    "task instead of dataset": Fault(
        lambda data: _task(data.parent, name=data.name),
        Mistake.NO_TASKS,
        "{data}: is a task itself; give the folder that holds it as dataset_path",
    ),
    "filter that names nothing": Fault(
        _says(""),
        Mistake.NO_TASKS,
        "{data}: holds no task among other, an\\nother: a task is a folder with task.toml and instruction.md",
        tasks=("other", "an\nother"),
    ),
    "bad TOML": Fault(
        _says("a = \n"),
        Mistake.TOML,
        "{data}/task: task.toml is not TOML: Invalid value (at line 1, column 5); correct it",
    ),
    "TOML of another release": Fault(
        _says("a = {\nb = 1,\n}\n"),
        Mistake.TOML,
        "{data}/task: task.toml is not TOML:"
        " Invalid initial character for a key part (at line 1, column 6); correct it",
    ),
    "key twice": Fault(
        _says('["a\\nb"]\n["a\\nb"]\n'),
        Mistake.TOML,
        "{data}/task: task.toml is not TOML: Cannot declare ('a\\nb',) twice (at line 2, column 8); correct it",
    ),
    "date that is none": Fault(
        _says("a = 2026-02-30\n"),
        Mistake.TOML,
        "{data}/task: task.toml is not TOML: Invalid date or datetime (at line 1, column 5); correct it",
    ),
    "TOML nested too deeply": Fault(
        _says("a = " + "[" * 5000 + "]" * 5000),
        Mistake.TOML,
        "{data}/task: task.toml cannot be read: ",
    ),
    "int of too many digits": Fault(
        _says("a = " + "1" * 5000),
        Mistake.TOML,
        "{data}/task: task.toml cannot be read: Exceeds the limit (4300 digits) for integer string conversion",
    ),
    "TOML that is not UTF-8": Fault(
        _says(b"a = '\xff'\n"),
        Mistake.ENCODING,
        "{data}/task: task.toml is not UTF-8 at byte 5; write it in UTF-8",
    ),
    "TOML that begins with a mark": Fault(
        _says(b"\xef\xbb\xbfa = 1\n"),
        Mistake.TOML,
        "{data}/task: task.toml is not TOML: Invalid statement (at line 1, column 1); correct it",
    ),
    "instruction that is not UTF-8": Fault(
        lambda data: _task(data, instruction=b"caf\xe9"),
        Mistake.ENCODING,
        "{data}/task: instruction.md is not UTF-8 at byte 3; write it in UTF-8",
    ),
    "folder as instruction.md": Fault(
        _has_folder("instruction.md"),
        Mistake.UNREADABLE,
        "{data}/task: instruction.md is no file; write it as one",
    ),
    "folder as task.toml": Fault(
        _has_folder("task.toml"),
        Mistake.UNREADABLE,
        "{data}/task: task.toml is no file; write it as one",
    ),
    "pipe as task.toml": Fault(
        _has_pipe,
        Mistake.UNREADABLE,
        "{data}/task: task.toml is no file; write it as one",
    ),
    "environment that is no table": Fault(
        _says("environment = 'debian'\n"),
        Mistake.TYPE,
        "{data}/task: task.toml: environment is of type str; write a table",
    ),
    "image that is no string": Fault(
        _says("environment.docker_image = 3.11\n"),
        Mistake.TYPE,
        "{data}/task: task.toml: environment.docker_image is of type float; write a string",
    ),
    "number of 70 bits": Fault(
        _says(f"metadata.seed = {_HUGE}\n"),
        Mistake.TYPE,
        "{data}/task: task.toml: metadata.seed is beyond 64 bits; write a smaller number",
    ),
    "number of 70 bits under a name of two lines": Fault(
        _says(f'["a\\nb".c]\nd = [1, {_HUGE}]\n'),
        Mistake.TYPE,
        "{data}/task: task.toml: a\\nb.c.d.[] is beyond 64 bits; write a smaller number",
    ),
    "types that differ between tasks": Fault(
        _say("metadata.level = 1\n", "metadata.level = 'hard'\n"),
        Mistake.MIXED_TYPES,
        "{data}/task-1: task.toml: metadata.level is a string"
        ", and a number in the task task-0; write them alike, as a dataset needs it",
    ),
    "table and value": Fault(
        _say("[metadata.level]\nvalue = 1\n", "metadata.level = true\n"),
        Mistake.MIXED_TYPES,
        "{data}/task-1: task.toml: metadata.level is a boolean"
        ", and a table in the task task-0; write them alike, as a dataset needs it",
    ),
    "types that differ in a list": Fault(
        _says("metadata.tags = ['a', 1]\n"),
        Mistake.MIXED_TYPES,
        "{data}/task: task.toml: metadata.tags.[] is a number"
        ", and a string in the same list; write them alike, as a dataset needs it",
    ),
    "large int and float": Fault(
        _say(f"metadata.seed = {2**53 + 1}\n", "metadata.seed = 1\n", "metadata.seed = 0.5\n"),
        Mistake.MIXED_TYPES,
        "{data}/task-2: task.toml: metadata.seed is a float"
        ", and an integer beyond 2**53 in the task task-0; write both as strings, as a dataset needs it",
    ),
    "float and large int in a list": Fault(
        _says(f"metadata.seeds = [0.5, {-(2**53) - 1}]\n"),
        Mistake.MIXED_TYPES,
        "{data}/task: task.toml: metadata.seeds.[] is an integer beyond 2**53"
        ", and a float in the same list; write both as strings, as a dataset needs it",
    ),
    "dates and times": Fault(
        _say("metadata.at = 2026-01-01\n", "metadata.at = 12:00:00\n"),
        Mistake.MIXED_TYPES,
        "{data}/task-1: task.toml: metadata.at is a time"
        ", and a date in the task task-0; write them alike, as a dataset needs it",
    ),
    "folder whose name is not UTF-8": Fault(
        _says("", "caf\udce9"),
        Mistake.ENCODING,
        "{data}/caf\\udce9: its name is not UTF-8; rename it",
    ),
    "folder whose name has two lines": Fault(
        _says("environment = 1\n", "a\nb\x1b[31m\u2028"),
        Mistake.TYPE,
        "{data}/a\\nb\\x1b[31m\\u2028: task.toml: environment is of type int; write a table",
    ),
    **{
        f"link as {name}": Fault(
            _leads_out(name),
            Mistake.LINK,
            f"{{data}}/task: {name} is a link that leads out of the task; put there what it leads to",
        )
        for name in ("task.toml", "instruction.md", "tests", "solution", "tests/test.sh")
    },
    "no environment": Fault(
        _without_environment,
        Mistake.REFUSED,
        "{data}/task: the folder environment is missing; add it, if only empty",
        scoring="harbor",
    ),
    "no test script": Fault(
        _without_tests, Mistake.REFUSED, "{data}/task: tests/test.sh is missing; add it", scoring="harbor"
    ),
    "healthcheck": Fault(
        _says("environment.healthcheck.command = 'true'\n"),
        Mistake.REFUSED,
        "{data}/task: task.toml: environment.healthcheck: an environment does not wait for it;"
        " run the task with parity run or harbor",
        scoring="harbor",
    ),
    "variable that the host does not have": Fault(
        _says("verifier.env.TOLD = '${PARITY_NEVER_SET}'\n"),
        Mistake.REFUSED,
        "{data}/task: task.toml: PARITY_NEVER_SET is not set here, and a variable of the task is made of it; set it",
        scoring="harbor",
    ),
    "several steps": Fault(
        _says("[[steps]]\nname = 'one'\n"),
        Mistake.REFUSED,
        "{data}/task: task.toml: steps: an environment has one; run the task with parity run or harbor",
        scoring="harbor",
    ),
    "verifier in a sandbox of its own": Fault(
        _says("verifier.environment_mode = 'separate'\n"),
        Mistake.REFUSED,
        "{data}/task: task.toml: verifier.environment_mode is separate, which an environment does not do;"
        " run the task with parity run or harbor",
        scoring="harbor",
    ),
    "user of the agent": Fault(
        _says("agent.user = 'nobody'\n"),
        Mistake.REFUSED,
        "{data}/task: task.toml: agent.user: an environment runs all as the image's own user;"
        " run the task with parity run or harbor",
        scoring="harbor",
    ),
    "several containers": Fault(
        _builds("docker-compose.yaml", "services: {}\n"),
        Mistake.REFUSED,
        "{data}/task: environment/docker-compose.yaml: an environment runs one container; run the task with harbor",
        scoring="harbor",
    ),
    "user of the verifier": Fault(
        _says("verifier.user = 'nobody'\n"),
        Mistake.REFUSED,
        "{data}/task: task.toml: verifier.user: an environment runs all as the image's own user;"
        " run the task with parity run or harbor",
        scoring="harbor",
    ),
    "MCP servers": Fault(
        _says("[[environment.mcp_servers]]\nname = 'x'\nurl = 'u'\n"),
        Mistake.REFUSED,
        "{data}/task: task.toml: environment.mcp_servers asks for MCP servers, which this driver does not offer;"
        " run the task with harbor",
        scoring="harbor",
    ),
    "time that Harbor refuses": Fault(
        _says("verifier.timeout_sec = 'soon'\n"),
        Mistake.REFUSED,
        "{data}/task: task.toml: verifier.timeout_sec is a string; write a number",
        scoring="harbor",
    ),
    "variable that Harbor refuses": Fault(
        _says('[verifier.env]\n"A\\nB" = 1\n'),
        Mistake.REFUSED,
        "{data}/task: task.toml: verifier.env.A\\nB is an integer; write a string",
        scoring="harbor",
    ),
}


@pytest.mark.parametrize("fault", _FAULTS.values(), ids=_FAULTS)
def test_a_mistake_is_reported_in_one_line(tmp_path: Path, fault: Fault) -> None:
    """The folder, the field, and what to do."""
    data = tmp_path / "data"
    fault.write(data)

    with pytest.raises(DatasetError) as raised:
        _load(data, fault)

    message = str(raised.value)
    expected = fault.message.format(data=data)
    assert message.startswith(expected)
    assert message == expected or fault.message.endswith(("cannot be read: ", "conversion"))
    assert message.isprintable()
    assert raised.value.mistake == fault.mistake
    assert raised.value.folder.is_relative_to(data)


def test_every_kind_of_mistake_is_made() -> None:
    """None is left untested."""
    assert {fault.mistake for fault in _FAULTS.values()} == set(Mistake)


def test_what_only_harbor_refuses_is_taken_as_documented(tmp_path: Path) -> None:
    """The documentation knows no such thing."""
    refused = [name for name, fault in _FAULTS.items() if fault.mistake == Mistake.REFUSED]
    for number, name in enumerate(refused):
        _FAULTS[name].write(tmp_path / str(number))

    rows = [
        HarborEnv("true", tmp_path / str(number), scoring="documented", sandboxes=RecordedSandboxes()).rows
        for number in range(len(refused))
    ]

    assert [len(of_one) for of_one in rows] == [1] * len(refused)


def test_what_local_sandboxes_cannot_build_is_refused(tmp_path: Path, local: Sandboxes) -> None:
    """Under Harbor's scoring, where a Dockerfile stands for an image; others are what the environment's image is."""
    _builds("Dockerfile", "FROM debian\nRUN make\n")(tmp_path / "data")

    with pytest.raises(DatasetError) as raised:
        HarborEnv("true", tmp_path / "data", sandboxes=local)

    message = (
        "needs RUN in environment/Dockerfile, which the local sandbox cannot build;"
        " build it, and give its name as docker_image to other sandboxes"
    )
    assert (str(raised.value), raised.value.mistake) == (f"{tmp_path}/data/task: {message}", Mistake.REFUSED)
    HarborEnv("true", tmp_path / "data", sandboxes=local, scoring="documented")
    HarborEnv("true", tmp_path / "data", sandboxes=RecordedSandboxes())
    (tmp_path / "data" / "task" / "environment" / "Dockerfile").write_text("FROM debian\nWORKDIR /app\n")
    HarborEnv("true", tmp_path / "data", sandboxes=local)
    (tmp_path / "data" / "task" / "environment" / "Dockerfile").write_text("RUN make\n")
    (tmp_path / "data" / "task" / "task.toml").write_text("environment.docker_image = 'made'\n")
    HarborEnv("true", tmp_path / "data", sandboxes=local)


def test_what_a_dataset_cannot_hold_runs_all_the_same(tmp_path: Path) -> None:
    """Only who trains needs a dataset."""
    _say("metadata.level = 1\n", f"metadata.level = ['a', {_HUGE}]\n")(tmp_path)

    env = HarborEnv("true", tmp_path, sandboxes=RecordedSandboxes())

    assert [row["task"] for row in env.rows] == ["task-0", "task-1"]


def test_rows_and_dataset_are_as_documented(tmp_path: Path) -> None:
    """In order of the names; the instruction is one message without the blanks around it."""
    _task(tmp_path, "environment.docker_image = 'debian'\nversion = '1'\n", "b", b"\n Say \xc3\xbc.\r\n\n")
    _task(tmp_path, "version = '1'\n", "a")
    (tmp_path / "README.md").write_text("no task")
    env = HarborEnv("true", tmp_path, sandboxes=RecordedSandboxes())

    dataset = env.load_harbor_dataset()

    assert env.rows == [
        {
            "example_id": 0,
            "task": "a",
            "prompt": [{"role": "user", "content": "Do it."}],
            "info": {
                "task_name": "a",
                "task_dir": str(tmp_path / "a"),
                "docker_image": None,
                "config": {"version": "1"},
            },
        },
        {
            "example_id": 1,
            "task": "b",
            "prompt": [{"role": "user", "content": "Say ü."}],
            "info": {
                "task_name": "b",
                "task_dir": str(tmp_path / "b"),
                "docker_image": "debian",
                "config": {"environment": {"docker_image": "debian"}, "version": "1"},
            },
        },
    ]
    assert dataset.column_names == ["example_id", "task", "prompt", "info"]
    assert [row["prompt"][0]["content"] for row in dataset] == ["Do it.", "Say ü."]


def test_what_is_left_out_is_reported_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A line for each folder that lacks a file, and for each name that no folder has."""
    _task(tmp_path)
    (tmp_path / "empty").mkdir()
    (_task(tmp_path, name="a\nb") / "task.toml").unlink()
    (_task(tmp_path, name="c\udcff") / "instruction.md").unlink()
    tasks = ["task", "missing", "missing", "x\ny", "empty", "a\nb", "c\udcff"]

    with caplog.at_level(logging.WARNING, "parity.harbor_env"):
        HarborEnv("true", tmp_path, tasks=tasks, sandboxes=RecordedSandboxes())

    assert [record.getMessage() for record in caplog.records] == [
        f"{tmp_path}: there is no task 'missing'; it is left out",
        f"{tmp_path}: there is no task 'x\\ny'; it is left out",
        f"{tmp_path}/a\\nb: task.toml is missing; the folder is left out",
        f"{tmp_path}/c\\udcff: instruction.md is missing; the folder is left out",
        f"{tmp_path}/empty: task.toml and instruction.md is missing; the folder is left out",
    ]


def _load(data: Path, fault: Fault) -> None:
    scoring = "harbor" if fault.scoring == "harbor" else "documented"
    env = HarborEnv("true", data, tasks=fault.tasks, scoring=scoring, sandboxes=RecordedSandboxes())  # type: ignore[arg-type]
    env.load_harbor_dataset()


@pytest.mark.parametrize("table", ["environment.env", "verifier.env"])
def test_variables_of_the_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    """A task that takes one is refused, unless the environment is told that it may."""
    monkeypatch.setenv("SECRET", "of-the-host")
    _task(tmp_path / "data", f'[{table}]\nX = "${{SECRET:-none}}"\n')

    with pytest.raises(DatasetError) as refused:
        HarborEnv("true", tmp_path / "data", sandboxes=RecordedSandboxes())
    allowed = HarborEnv("true", tmp_path / "data", sandboxes=RecordedSandboxes(), host_env=["SECRET"])

    message = "task.toml: takes the host's variable SECRET; allow it with host_env=['SECRET']"
    assert str(refused.value).endswith(message)
    assert len(allowed.rows) == 1


def test_no_names_of_variables(tmp_path: Path) -> None:
    """A single text is no list of them."""
    _task(tmp_path / "data")

    with pytest.raises(TypeError, match="host_env is 'SECRET': give a list of names of variables"):
        HarborEnv("true", tmp_path / "data", scoring="documented", host_env="SECRET")
