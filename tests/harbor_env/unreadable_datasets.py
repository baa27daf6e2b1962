"""Datasets that are missing, or whose files cannot be read."""

from parity.harbor_env import Mistake
from tests.harbor_env.wrong_datasets import WrongDataset, has_folder, has_pipe, lacks, leads_out, says, write_task

UNREADABLE = {
    "missing folder": WrongDataset(
        lambda data: None,
        Mistake.NO_FOLDER,
        "{data}: there is no such folder; give the one that holds the task folders as dataset_path",
    ),
    "file instead of folder": WrongDataset(
        lambda data: data.write_text(""),
        Mistake.NOT_A_FOLDER,
        "{data}: is a file; give the folder that holds the task folders as dataset_path",
    ),
    "loop of links": WrongDataset(
        lambda data: data.symlink_to(data),
        Mistake.UNREADABLE,
        "{data}: cannot be read: [Errno 40] Too many levels of symbolic links: '{data}'; make it readable",
    ),
    "empty folder": WrongDataset(
        lambda data: data.mkdir(),
        Mistake.NO_TASKS,
        "{data}: holds no task: a task is a folder with task.toml and instruction.md",
    ),
    "no folder that is a task": WrongDataset(
        lambda data: (data / "docs").mkdir(parents=True),
        Mistake.NO_TASKS,
        "{data}: holds no task: a task is a folder with task.toml and instruction.md",
    ),
    "task instead of dataset": WrongDataset(
        lambda data: write_task(data.parent, name=data.name),
        Mistake.NO_TASKS,
        "{data}: is a task itself; give the folder that holds it as dataset_path",
    ),
    "filter that names nothing": WrongDataset(
        says(""),
        Mistake.NO_TASKS,
        "{data}: holds no task among other, an\\nother: a task is a folder with task.toml and instruction.md",
        tasks=("other", "an\nother"),
    ),
    **{
        f"chosen folder without task.toml, {scoring} scoring": WrongDataset(
            lacks("task.toml"),
            Mistake.NO_TASKS,
            "{data}/task: lacks task.toml; add what is missing, or take 'task' out of tasks",
            scoring,
            ("other", "task"),
        )
        for scoring in ("harbor", "documented")
    },
    "chosen folder without both files": WrongDataset(
        lacks("task.toml", "instruction.md"),
        Mistake.NO_TASKS,
        "{data}/task: lacks task.toml and instruction.md; add what is missing, or take 'task' out of tasks",
        tasks=("task",),
    ),
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
    "TOML of another release": WrongDataset(
        says("a = {\nb = 1,\n}\n"),
        Mistake.TOML,
        "{data}/task: task.toml is not TOML:"
        " Invalid initial character for a key part (at line 1, column 6); correct it",
    ),
    "key twice": WrongDataset(
        says('["a\\nb"]\n["a\\nb"]\n'),
        Mistake.TOML,
        "{data}/task: task.toml is not TOML: Cannot declare ('a\\nb',) twice (at line 2, column 8); correct it",
    ),
    "date that is none": WrongDataset(
        says("a = 2026-02-30\n"),
        Mistake.TOML,
        "{data}/task: task.toml is not TOML: Invalid date or datetime (at line 1, column 5); correct it",
    ),
    "TOML nested too deeply": WrongDataset(
        says("a = " + "[" * 5000 + "]" * 5000),
        Mistake.TOML,
        "{data}/task: task.toml cannot be read: ",
    ),
    "int of too many digits": WrongDataset(
        says("a = " + "1" * 5000),
        Mistake.TOML,
        "{data}/task: task.toml cannot be read: Exceeds the limit (4300 digits) for integer string conversion",
    ),
    "TOML that is not UTF-8": WrongDataset(
        says(b"a = '\xff'\n"),
        Mistake.ENCODING,
        "{data}/task: task.toml is not UTF-8 at byte 5; write it in UTF-8",
    ),
    "TOML that begins with a mark": WrongDataset(
        says(b"\xef\xbb\xbfa = 1\n"),
        Mistake.TOML,
        "{data}/task: task.toml is not TOML: Invalid statement (at line 1, column 1); correct it",
    ),
    "instruction that is not UTF-8": WrongDataset(
        lambda data: write_task(data, instruction=b"caf\xe9"),
        Mistake.ENCODING,
        "{data}/task: instruction.md is not UTF-8 at byte 3; write it in UTF-8",
    ),
    "folder as instruction.md": WrongDataset(
        has_folder("instruction.md"),
        Mistake.UNREADABLE,
        "{data}/task: instruction.md is not a file; replace it with a file",
    ),
    "folder as task.toml": WrongDataset(
        has_folder("task.toml"),
        Mistake.UNREADABLE,
        "{data}/task: task.toml is not a file; replace it with a file",
    ),
    "pipe as task.toml": WrongDataset(
        has_pipe,
        Mistake.UNREADABLE,
        "{data}/task: task.toml is not a file; replace it with a file",
    ),
    "folder whose name is not UTF-8": WrongDataset(
        says("", "caf\udce9"),
        Mistake.ENCODING,
        "{data}/caf\\udce9: its name is not UTF-8; rename it",
    ),
    "folder whose name has two lines": WrongDataset(
        says("environment = 1\n", "a\nb\x1b[31m\u2028"),
        Mistake.TYPE,
        "{data}/a\\nb\\x1b[31m\\u2028: task.toml: environment is of type int; write a table",
    ),
    **{
        f"link as {name}": WrongDataset(
            leads_out(name),
            Mistake.LINK,
            f"{{data}}/task: {name} is a link that leads out of the task; replace it with a copy of its target",
        )
        for name in ("task.toml", "instruction.md", "tests", "solution", "tests/test.sh")
    },
}
