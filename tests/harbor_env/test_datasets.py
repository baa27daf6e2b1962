"""Mistakes in a dataset: each gives one line with the folder, the field and the remedy."""

import logging
from pathlib import Path

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import DatasetError, HarborEnv, Mistake
from tests.harbor_env.mistyped_datasets import MISTYPED
from tests.harbor_env.refused_datasets import REFUSED
from tests.harbor_env.unreadable_datasets import UNREADABLE
from tests.harbor_env.wrong_datasets import HUGE, WrongDataset, builds, say, write_task
from tests.needs import need
from tests.recorded_sandbox import RecordedSandboxes

_FAULTS = {**UNREADABLE, **MISTYPED, **REFUSED}


@pytest.mark.parametrize("fault", _FAULTS.values(), ids=_FAULTS)
def test_a_mistake_is_reported_in_one_line(tmp_path: Path, fault: WrongDataset) -> None:
    """Each mistake is reported in one line with the folder, the field and the remedy."""
    if fault is _FAULTS["folder whose name has two lines"]:
        need("utf-8")
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
    """Every kind of mistake has a test."""
    assert {fault.mistake for fault in _FAULTS.values()} == set(Mistake)


def test_what_only_harbor_refuses_is_taken_as_documented(tmp_path: Path) -> None:
    """Tasks that only Harbor refuses are accepted under the documentation's scoring."""
    refused = [name for name, fault in _FAULTS.items() if fault.mistake == Mistake.REFUSED]
    for number, name in enumerate(refused):
        _FAULTS[name].write(tmp_path / str(number))

    rows = [
        HarborEnv("true", tmp_path / str(number), scoring="documented", sandboxes=RecordedSandboxes()).rows
        for number in range(len(refused))
    ]

    assert [len(of_one) for of_one in rows] == [1] * len(refused)


def test_what_local_sandboxes_cannot_build_is_refused(tmp_path: Path, local: Sandboxes) -> None:
    """Under Harbor's scoring, a Dockerfile that a local sandbox cannot replace is refused, unless an image is named."""
    builds("Dockerfile", "FROM debian\nRUN make\n")(tmp_path / "data")

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
    """Tasks that do not fit into one Hugging Face dataset still run."""
    say("metadata.level = 1\n", f"metadata.level = ['a', {HUGE}]\n")(tmp_path)

    env = HarborEnv("true", tmp_path, sandboxes=RecordedSandboxes())

    assert [row["task"] for row in env.rows] == ["task-0", "task-1"]


def test_rows_and_dataset_are_as_documented(tmp_path: Path) -> None:
    """Rows and dataset are as documented: in the order of names, the instruction as one stripped message."""
    write_task(tmp_path, "environment.docker_image = 'debian'\nversion = '1'\n", "b", b"\n Say \xc3\xbc.\r\n\n")
    write_task(tmp_path, "version = '1'\n", "a")
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
    """Each folder that lacks a file, and each chosen name without a folder, is reported once."""
    write_task(tmp_path)
    (tmp_path / "empty").mkdir()
    (write_task(tmp_path, name="a\nb") / "task.toml").unlink()
    (write_task(tmp_path, name="c\udcff") / "instruction.md").unlink()
    tasks = ["task", "missing", "missing", "x\ny"]

    with caplog.at_level(logging.WARNING, "parity.harbor_env"):
        HarborEnv("true", tmp_path, tasks=tasks, sandboxes=RecordedSandboxes())
        HarborEnv("true", tmp_path, sandboxes=RecordedSandboxes())

    assert [record.getMessage() for record in caplog.records] == [
        f"{tmp_path}: there is no task 'missing'; it is left out",
        f"{tmp_path}: there is no task 'x\\ny'; it is left out",
        f"{tmp_path}/a\\nb: lacks task.toml; the folder is left out",
        f"{tmp_path}/c\\udcff: lacks instruction.md; the folder is left out",
        f"{tmp_path}/empty: lacks task.toml and instruction.md; the folder is left out",
    ]


def _load(data: Path, fault: WrongDataset) -> None:
    scoring = "harbor" if fault.scoring == "harbor" else "documented"
    env = HarborEnv("true", data, tasks=fault.tasks, scoring=scoring, sandboxes=RecordedSandboxes())  # type: ignore[arg-type]
    env.load_harbor_dataset()


@pytest.mark.parametrize("table", ["environment.env", "verifier.env"])
def test_variables_of_the_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    """A task that uses a variable of the host is refused, unless the environment allows the variable."""
    monkeypatch.setenv("SECRET", "of-the-host")
    write_task(tmp_path / "data", f'[{table}]\nX = "${{SECRET:-none}}"\n')

    with pytest.raises(DatasetError) as refused:
        HarborEnv("true", tmp_path / "data", sandboxes=RecordedSandboxes())
    allowed = HarborEnv("true", tmp_path / "data", sandboxes=RecordedSandboxes(), host_env=["SECRET"])

    message = "task.toml: takes the host's variable SECRET; allow it with host_env=['SECRET']"
    assert str(refused.value).endswith(message)
    assert len(allowed.rows) == 1


def test_no_names_of_variables(tmp_path: Path) -> None:
    """A text in place of the list of variables is refused."""
    write_task(tmp_path / "data")

    with pytest.raises(TypeError, match="host_env is 'SECRET': give a list of names of variables"):
        HarborEnv("true", tmp_path / "data", scoring="documented", host_env="SECRET")
