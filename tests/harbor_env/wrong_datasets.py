"""Datasets with one mistake each, and the message about it."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from parity.harbor_env import Mistake

_HUGE = 2**70
_INSTEAD = "run the task with parity run or harbor"
NO_STEPS = f"{{data}}/task: task.toml: steps: an environment does not run steps; {_INSTEAD}"


@dataclass(frozen=True)
class WrongDataset:
    """A dataset with a mistake, and the message about it; `{data}` stands for its directory."""

    write: Callable[[Path], object]
    mistake: Mistake
    message: str
    scoring: str = "documented"
    tasks: tuple[str, ...] | None = None


def write_task(data: Path, toml: str | bytes = "", name: str = "task", instruction: bytes = b"Do it.\n") -> Path:
    """Write a task's directory into the dataset, and return it."""
    folder = data / name
    for part in ("tests", "environment"):
        (folder / part).mkdir(parents=True)
    (folder / "task.toml").write_bytes(toml if isinstance(toml, bytes) else toml.encode())
    (folder / "instruction.md").write_bytes(instruction)
    (folder / "tests" / "test.sh").write_text("true\n")
    return folder


def says(toml: str | bytes, name: str = "task") -> Callable[[Path], object]:
    """Return a writer of a task with this task.toml."""
    return lambda data: write_task(data, toml, name)


def say(*tomls: str) -> Callable[[Path], object]:
    """Return a writer of several tasks, `task-0` and so on, with these task.toml."""
    return lambda data: [write_task(data, toml, f"task-{number}") for number, toml in enumerate(tomls)]


def builds(name: str, text: str) -> Callable[[Path], object]:
    """Return a writer of a task with this file in its environment."""
    return lambda data: (write_task(data) / "environment" / name).write_text(text)


def lacks(*names: str, toml: str = "") -> Callable[[Path], object]:
    """Return a writer of two directories: a task `other`, and `task` that lacks these files."""

    def write(data: Path) -> None:
        write_task(data, name="other")
        folder = write_task(data, toml)
        for name in names:
            (folder / name).unlink()

    return write


def _leads_out(name: str) -> Callable[[Path], object]:
    def write(data: Path) -> None:
        folder, elsewhere = write_task(data), data.parent / "elsewhere"
        (folder / name).rename(elsewhere) if (folder / name).exists() else elsewhere.mkdir()
        (folder / name).symlink_to(elsewhere)

    return write


def _replaces(name: str, make: Callable[[Path], None]) -> Callable[[Path], object]:
    def write(data: Path) -> None:
        path = write_task(data) / name
        path.unlink()
        make(path)

    return write


def _refused(toml: str, what: str) -> WrongDataset:
    return WrongDataset(says(toml), Mistake.REFUSED, f"{{data}}/task: task.toml: {what}", "harbor")


UNREADABLE = {
    "missing": WrongDataset(
        lambda data: None,
        Mistake.NO_FOLDER,
        "{data}: there is no such directory; give the one that holds the task directories as dataset_path",
    ),
    "a file": WrongDataset(
        lambda data: data.write_text(""),
        Mistake.NOT_A_FOLDER,
        "{data}: is a file; give the directory that holds the task directories as dataset_path",
    ),
    "loop of links": WrongDataset(
        lambda data: data.symlink_to(data),
        Mistake.UNREADABLE,
        "{data}: cannot be read: [Errno 40] Too many levels of symbolic links: '{data}'; make it readable",
    ),
    "empty": WrongDataset(
        lambda data: data.mkdir(),
        Mistake.NO_TASKS,
        "{data}: holds no task: a task is a directory with task.toml and instruction.md",
    ),
    "a task": WrongDataset(
        lambda data: write_task(data.parent, name=data.name),
        Mistake.NO_TASKS,
        "{data}: is a task itself; give the directory that holds it as dataset_path",
    ),
    "no such tasks": WrongDataset(
        says(""),
        Mistake.NO_TASKS,
        "{data}: holds no task among other, an\\nother: a task is a directory with task.toml and instruction.md",
        tasks=("other", "an\nother"),
    ),
    "chosen directory without two files": WrongDataset(
        lacks("task.toml", "instruction.md"),
        Mistake.NO_TASKS,
        "{data}/task: lacks task.toml and instruction.md; add what is missing, or take 'task' out of tasks",
        tasks=("task",),
    ),
    **{
        f"chosen task with steps, {scoring} scoring": WrongDataset(
            lacks("instruction.md", toml="[[steps]]\nname = 'one'\n"), Mistake.REFUSED, NO_STEPS, scoring, ("task",)
        )
        for scoring in ("harbor", "documented")
    },
    "bad TOML": WrongDataset(
        says("a = \n"),
        Mistake.TOML,
        "{data}/task: task.toml is not TOML: Invalid value (at line 1, column 5); correct it",
    ),
    "long TOML": WrongDataset(
        says("#" * 1_048_577),
        Mistake.TOML,
        "{data}/task: task.toml cannot be read: it has more than 1,048,576 characters; correct it",
    ),
    "TOML nested too deeply": WrongDataset(
        says("a = " + "[" * 5000 + "]" * 5000), Mistake.TOML, "{data}/task: task.toml cannot be read: "
    ),
    "int of too many digits": WrongDataset(
        says("a = " + "1" * 5000), Mistake.TOML, "{data}/task: task.toml cannot be read: Exceeds the limit"
    ),
    "TOML that is not UTF-8": WrongDataset(
        says(b"a = '\xff'\n"),
        Mistake.ENCODING,
        "{data}/task: task.toml is not UTF-8 at byte 5; write it in UTF-8",
    ),
    "instruction that is not UTF-8": WrongDataset(
        lambda data: write_task(data, instruction=b"caf\xe9"),
        Mistake.ENCODING,
        "{data}/task: instruction.md is not UTF-8 at byte 3; write it in UTF-8",
    ),
    **{
        f"{name} that is no file": WrongDataset(
            _replaces(name, make),
            Mistake.UNREADABLE,
            f"{{data}}/task: {name} is not a file; replace it with a file",
        )
        for name, make in (("instruction.md", Path.mkdir), ("task.toml", os.mkfifo))
    },
    "name that is not UTF-8": WrongDataset(
        says("", "caf\udce9"), Mistake.ENCODING, "{data}/caf\\udce9: its name is not UTF-8; rename it"
    ),
    "name of two lines": WrongDataset(
        says("environment = 1\n", "a\nb\x1b[31m\u2028"),
        Mistake.TYPE,
        "{data}/a\\nb\\x1b[31m\\u2028: task.toml: environment is of type int; write a table",
    ),
    **{
        f"link as {name}": WrongDataset(
            _leads_out(name),
            Mistake.LINK,
            f"{{data}}/task: {name} is a link that leads out of the task; replace it with a copy of its target",
        )
        for name in ("task.toml", "instruction.md", "tests", "solution", "tests/test.sh")
    },
}
"""Datasets that are missing, or whose files cannot be read."""

MISTYPED = {
    "environment that is no table": WrongDataset(
        says("environment = 'debian'\n"),
        Mistake.TYPE,
        "{data}/task: task.toml: environment is of type str; write a table",
    ),
    "image that is no string": WrongDataset(
        says("environment.docker_image = 3.11\n"),
        Mistake.TYPE,
        "{data}/task: task.toml: environment.docker_image is of type float; write a string",
    ),
    "number of 70 bits": WrongDataset(
        says(f'["a\\nb".c]\nd = [1, {_HUGE}]\n'),
        Mistake.TYPE,
        "{data}/task: task.toml: a\\nb.c.d[] is beyond 64 bits; write a smaller number",
    ),
    "types that differ between tasks": WrongDataset(
        say("metadata.level = 1\n", "metadata.level = 'hard'\n"),
        Mistake.MIXED_TYPES,
        "{data}/task-1: task.toml: metadata.level is of type str here, and number in the task task-0; write them alike",
    ),
    "types that differ in a list": WrongDataset(
        says("metadata.tags = ['a', 1]\n"),
        Mistake.MIXED_TYPES,
        "{data}/task: task.toml: metadata.tags[] is of type number here, and str in the task task; write them alike",
    ),
    "large int and float": WrongDataset(
        say(f"metadata.seed = {2**53 + 1}\n", "metadata.seed = 0.5\n"),
        Mistake.MIXED_TYPES,
        "{data}: its tasks do not fit into one dataset: ",
    ),
}
"""Datasets with values of a wrong type in task.toml, or of types that differ between tasks."""

REFUSED = {
    "no test script": WrongDataset(
        lambda data: (write_task(data) / "tests" / "test.sh").unlink(),
        Mistake.REFUSED,
        "{data}/task: tests/test.sh is missing; add it",
        "harbor",
    ),
    "several containers": WrongDataset(
        builds("docker-compose.yaml", "services: {}\n"),
        Mistake.REFUSED,
        "{data}/task: environment/docker-compose.yaml: an environment runs one container; run the task with harbor",
        "harbor",
    ),
    "several steps": WrongDataset(says("[[steps]]\nname = 'one'\n"), Mistake.REFUSED, NO_STEPS, "harbor"),
    "healthcheck": _refused(
        "environment.healthcheck.command = 'true'\n",
        f"environment.healthcheck: an environment does not wait for it; {_INSTEAD}",
    ),
    "variable that the host does not have": _refused(
        "verifier.env.TOLD = '${PARITY_NEVER_SET}'\n",
        "a variable of the task needs PARITY_NEVER_SET, which is not set here; set it",
    ),
    "verifier in a sandbox of its own": _refused(
        "verifier.environment_mode = 'separate'\n",
        f"verifier.environment_mode is separate, which an environment does not do; {_INSTEAD}",
    ),
    "user of the agent": _refused(
        "agent.user = 'nobody'\n", f"agent.user: an environment runs all as the image's own user; {_INSTEAD}"
    ),
    "user of the verifier": _refused(
        "verifier.user = 'nobody'\n", f"verifier.user: an environment runs all as the image's own user; {_INSTEAD}"
    ),
    "MCP servers": _refused(
        "[[environment.mcp_servers]]\nname = 'x'\nurl = 'u'\n",
        "environment.mcp_servers asks for MCP servers, which this driver does not offer; run the task with harbor",
    ),
    "time that Harbor refuses": _refused(
        "verifier.timeout_sec = 'soon'\n", "verifier.timeout_sec must be a number, not 'soon'"
    ),
}
"""Datasets with tasks that cannot run under the scoring of Harbor."""
