"""Mistakes in a dataset: each gives one line with the directory, the field and the remedy."""

import logging
from pathlib import Path

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import DatasetError, HarborEnv, Mistake, Scoring
from tests.harbor_env.wrong_datasets import (
    MISTYPED,
    NO_STEPS,
    REFUSED,
    UNREADABLE,
    WrongDataset,
    builds,
    say,
    write_task,
)
from tests.needs import need
from tests.recorded_sandbox import RecordedSandboxes

_WRONG = {**UNREADABLE, **MISTYPED, **REFUSED}


@pytest.mark.parametrize("wrong", _WRONG.values(), ids=_WRONG)
def test_mistake_is_reported_in_one_line(tmp_path: Path, wrong: WrongDataset) -> None:
    """Each mistake is reported in one line with the directory, the field and the remedy."""
    if wrong is _WRONG["name of two lines"]:
        need("utf-8")
    data = tmp_path / "data"
    wrong.write(data)

    with pytest.raises(DatasetError) as raised:
        HarborEnv(
            "true",
            data,
            wrong.tasks,
            scoring=wrong.scoring,
            sandboxes=RecordedSandboxes(),
        ).load_harbor_dataset()

    message = str(raised.value)
    assert message.startswith(wrong.message.format(data=data))
    assert message.isprintable()
    assert raised.value.mistake == wrong.mistake
    assert raised.value.folder.is_relative_to(data)


def test_every_kind_of_mistake_is_made() -> None:
    """Every kind of mistake has a dataset above."""
    assert {wrong.mistake for wrong in _WRONG.values()} == set(Mistake)


def test_missing_dataset_is_a_missing_file(tmp_path: Path, scoring: Scoring) -> None:
    """A missing dataset is a FileNotFoundError, as in the releases of verifiers."""
    with pytest.raises(FileNotFoundError, match="there is no such directory"):
        HarborEnv("true", tmp_path / "missing", sandboxes=RecordedSandboxes(), scoring=scoring)


@pytest.mark.parametrize("wrong", REFUSED.values(), ids=REFUSED)
def test_task_that_only_harbor_refuses_is_taken_as_documented(tmp_path: Path, wrong: WrongDataset) -> None:
    """Tasks that only Harbor refuses are accepted under the documentation's scoring."""
    wrong.write(tmp_path)

    env = HarborEnv("true", tmp_path, scoring="documented", sandboxes=RecordedSandboxes())

    assert len(env.rows) == 1


def test_dockerfile_that_cannot_be_replaced_is_refused(tmp_path: Path, local: Sandboxes) -> None:
    """Under Harbor's scoring, a Dockerfile that a local sandbox cannot replace is refused, unless an image is named."""
    data, dockerfile = tmp_path / "data", tmp_path / "data" / "task" / "environment" / "Dockerfile"
    builds("Dockerfile", "FROM debian\nRUN make\n")(data)

    with pytest.raises(DatasetError) as raised:
        HarborEnv("true", data, sandboxes=local)

    message = (
        "needs RUN in environment/Dockerfile, which the local sandbox cannot build;"
        " build it, and give its name as docker_image to other sandboxes"
    )
    assert (str(raised.value), raised.value.mistake) == (f"{data}/task: {message}", Mistake.REFUSED)
    HarborEnv("true", data, sandboxes=local, scoring="documented")
    HarborEnv("true", data, sandboxes=RecordedSandboxes())
    dockerfile.write_text("FROM debian\nWORKDIR /app\n")
    HarborEnv("true", data, sandboxes=local)
    dockerfile.write_text("RUN make\n")
    (data / "task" / "task.toml").write_text("environment.docker_image = 'made'\n")
    HarborEnv("true", data, sandboxes=local)


def test_tasks_that_fit_into_no_dataset_can_be_run(tmp_path: Path) -> None:
    """Tasks that do not fit into one Hugging Face dataset still run."""
    say("metadata.level = 1\n", f"metadata.level = ['a', {2**70}]\n")(tmp_path)

    env = HarborEnv("true", tmp_path, sandboxes=RecordedSandboxes())

    assert [row["task"] for row in env.rows] == ["task-0", "task-1"]


def test_directory_that_is_left_out_is_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Each directory that lacks a file, and each chosen name without a directory, is reported once."""
    write_task(tmp_path)
    (tmp_path / "empty").mkdir()
    (write_task(tmp_path, name="a\nb") / "task.toml").unlink()
    (write_task(tmp_path, "[[steps]]\nname = 'one'\n", name="steps") / "instruction.md").unlink()

    with caplog.at_level(logging.WARNING, "parity.harbor_env"):
        HarborEnv("true", tmp_path, tasks=["task", "x\ny", "x\ny"], sandboxes=RecordedSandboxes())
        HarborEnv("true", tmp_path, sandboxes=RecordedSandboxes())

    assert [record.getMessage() for record in caplog.records] == [
        f"{tmp_path}: there is no task 'x\\ny'; it is left out",
        f"{tmp_path}/a\\nb: lacks task.toml; the directory is left out",
        f"{tmp_path}/empty: lacks task.toml and instruction.md; the directory is left out",
        NO_STEPS.format(data=tmp_path).replace("/task:", "/steps:"),
    ]


@pytest.mark.parametrize("table", ["environment.env", "verifier.env"])
def test_variable_of_the_host_must_be_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    """A task that uses a variable of the host is refused, unless the environment allows the variable."""
    monkeypatch.setenv("SECRET", "of-the-host")
    write_task(tmp_path / "data", f'[{table}]\nX = "${{SECRET:-none}}"\n')

    with pytest.raises(DatasetError) as refused:
        HarborEnv("true", tmp_path / "data", sandboxes=RecordedSandboxes())
    allowed = HarborEnv("true", tmp_path / "data", sandboxes=RecordedSandboxes(), host_env=["SECRET"])

    message = "task.toml: takes the host's variable SECRET; allow it with host_env=['SECRET']"
    assert str(refused.value).endswith(message)
    assert len(allowed.rows) == 1
