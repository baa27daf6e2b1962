"""Tests that tasks have the same results and files as in Harbor's own Docker, which mounts the log directories.

What is expected was observed with `harbor run` on a Docker engine.
"""

import gzip
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tests.needs import need
from tests.run.actions import document, run
from tests.run.tasks import reward, write_task
from tests.sandboxes.kinds import KINDS

_REWARD = "/logs/verifier/reward.txt"
_MISSING, _RUNTIME = "RewardFileNotFoundError", "RuntimeError"

_TASKS: dict[str, tuple[dict[str, Any], object]] = {
    "agent-logs": ({"solution": "echo 0.7 > /logs/agent/r", "tests": f"ln -s ../agent/r {_REWARD}"}, 0.7),
    "agent-logs-by-tests": ({"tests": f"echo 0.7 > /logs/agent/r; ln -s ../agent/r {_REWARD}"}, 0.7),
    "artifacts-by-tests": ({"tests": f"echo 0.6 > /logs/artifacts/r; ln -s ../artifacts/r {_REWARD}"}, 0.6),
    "chain": (
        {
            "solution": "mkdir /logs/agent/x; echo 0.4 > /logs/agent/x/r",
            "tests": f"mkdir /logs/verifier/y; ln -s ../../agent/x /logs/verifier/y/d; ln -s y/d/r {_REWARD}",
        },
        0.4,
    ),
    "absolute": ({"tests": f"echo 0.7 > /logs/agent/r; ln -s /logs/agent/r {_REWARD}"}, _MISSING),
    "of-the-trial": ({"tests": f"ln -s ../result.json {_REWARD}"}, _MISSING),
    "no-workdir": ({"tests": reward(1), "more": 'workdir = "/not/there/yet"'}, _MISSING),
    "no-workdir-for-files": ({"tests": reward(1), "more": 'workdir = "/not/there/yet"', "file": True}, _RUNTIME),
    "relative-workdir": ({"tests": reward(1), "more": 'workdir = "tmp"'}, _MISSING),
    "relative-workdir-for-files": ({"tests": reward(1), "more": 'workdir = "tmp"', "file": True}, _MISSING),
    "workdir-for-files": ({"tests": f"cp data.txt {_REWARD}", "more": 'workdir = "/opt"', "file": True}, 0.5),
    "no-storage": ({"tests": reward(1), "more": "storage_mb = -3"}, 1.0),
}
"""By name, the arguments of `write_task`, and the reward or the name of the exception."""


def _result(trial: Path) -> object:
    result = document(trial / "result.json")
    if result["exception_info"]:
        return result["exception_info"]["exception_type"]
    return result["verifier_result"]["rewards"]["reward"]


@pytest.mark.parametrize("kind", KINDS)
def test_results_are_those_of_mounted_logs(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Links among the log directories resolve, and a working directory must exist and be absolute."""
    need(kind)
    monkeypatch.chdir(tmp_path)
    for name, (arguments, _) in _TASKS.items():
        has_file = "file" in arguments
        task = write_task(Path("data", name), **{key: value for key, value in arguments.items() if key != "file"})
        if has_file:
            (task / "environment" / "data.txt").write_text("0.5\n")

    run(capfd, "data", "--sandbox", kind, "--job-name", "j", "-q", "-n", 4)

    results = {trial.name.rpartition("__")[0]: _result(trial) for trial in Path("jobs/j").glob("*__*")}
    assert results == {name: expected for name, (_, expected) in _TASKS.items()}


_ARTIFACTS = """\
artifacts = ["relative.txt", "sub", {source = "sub", destination = "other", exclude = ["*.pyc"]}, "/data"]
"""


@pytest.mark.parametrize("kind", KINDS)
def test_artifacts_are_those_of_mounted_logs(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A relative artifact begins at the root, but is packed in the working directory; more than half fits twice."""
    need(kind)
    monkeypatch.chdir(tmp_path)
    solution = "cd /tmp; touch relative.txt; mkdir sub; touch sub/file; mkdir /data; truncate -s 140M /data/large"
    tests = f"{reward(1)}; touch /logs/artifacts/by-tests"
    write_task(Path("data", "task"), solution=solution, tests=tests, top=_ARTIFACTS, more='workdir = "/tmp"')

    run(capfd, "data", "--sandbox", kind, "--job-name", "j", "-q")

    (trial,) = Path("jobs/j").glob("*__*")
    manifest = [(entry["source"], entry["status"]) for entry in document(trial / "artifacts" / "manifest.json")]
    assert manifest == [
        ("/logs/artifacts", "empty"), ("relative.txt", "failed"), ("sub", "failed"), ("sub", "ok"), ("/data", "ok")
    ]  # fmt: skip
    files = sorted(
        str(path.relative_to(trial / "artifacts")) for path in trial.rglob("artifacts/**/*") if path.is_file()
    )
    assert files == ["by-tests", "data/large", "manifest.json", "other/file"]
    assert "the artifacts were not downloaded" not in (trial / "trial.log").read_text()


@pytest.mark.parametrize("name", ["cpus", "memory_mb"])
@pytest.mark.parametrize("kind", KINDS)
def test_task_with_a_negative_limit_is_refused(
    kind: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A task with a negative number of processors or megabytes is refused in one line before anything starts."""
    need(kind)
    monkeypatch.chdir(tmp_path)
    write_task(Path("data", "task"), tests=reward(1), more=f"{name} = -3")

    ran = run(capfd, "data", "--sandbox", kind)

    assert ran.code == 3
    assert ran.err == [f"parity run: data/task: has {name} = -3 in task.toml; give a positive number"]


def _sparse() -> bytes:
    """Return a compressed archive of a sparse file, whose map has two million numbers."""
    records = b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n"
    header, member = tarfile.TarInfo("header"), tarfile.TarInfo("file")
    header.type, header.size, member.size = tarfile.XHDTYPE, len(records), 4_000_000
    blocks = (header.tobuf(), records.ljust(512, b"\0"), member.tobuf(), b"1000000\n", b"0\n" * 2_000_000, bytes(1024))
    return gzip.compress(b"".join(blocks))


_CRAFTED = r"""
mkdir -p /data /evil
printf '#!/bin/sh\nexec cp /solution/archive "$2"\n' > /evil/tar
chmod +x /evil/tar
"""


@pytest.mark.parametrize("kind", KINDS)
def test_crafted_archive_is_a_failed_artifact(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """If a task replaces the packed archive, the artifact has failed, and both the task and its neighbour are paid."""
    need(kind)
    monkeypatch.chdir(tmp_path)
    write_task(Path("data", "neighbour"), tests=reward(0.5))
    hostile = write_task(
        Path("data", "hostile"),
        solution=_CRAFTED,
        tests=reward(0.5),
        top='artifacts = [{source = "/data", exclude = ["x"]}]',
        more='[environment.env]\nPATH = "/evil:/usr/bin:/bin"',
    )
    (hostile / "solution" / "archive").write_bytes(_sparse())

    run(capfd, "data", "--sandbox", kind, "--job-name", "j", "-q", "-n", 2)

    results = {trial.name.rpartition("__")[0]: _result(trial) for trial in Path("jobs/j").glob("*__*")}
    (manifest,) = Path("jobs/j").glob("hostile__*/artifacts/manifest.json")
    assert results == {"hostile": 0.5, "neighbour": 0.5}
    assert json.loads(manifest.read_text())[1]["status"] == "failed"
