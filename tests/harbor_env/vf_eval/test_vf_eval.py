"""Tests that `vf-eval` gives the same rewards as `parity run`, with and without its environment server."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.harbor_env.verifiers.places import BUNDLED, NAMES
from tests.harbor_env.verifiers.rollouts import NOWHERE
from tests.needs import need

_TOP = Path(__file__).parents[3]
_USER = 12345
_ORDINARY_PYTHON = os.environ.get("PARITY_ORDINARY_PYTHON", sys.executable)
_VF_EVAL = "from verifiers.legacy.scripts.eval import main; main()"
_SOLVE = "echo hello > greeting.txt"
"""A command that solves most of the tasks."""

_LONGEST = 900
"""The time limit for one run over all tasks, in seconds."""


@dataclass(frozen=True)
class Host:
    """The user that runs `vf-eval`, and the user's directory."""

    folder: Path
    is_ordinary: bool

    @property
    def tasks(self) -> Path:
        """Return the bundled tasks."""
        return self.folder / "tasks"

    def run(self, *command: str, may_fail: bool = False, **variables: str) -> None:
        """Run a Python command.

        Raises:
            AssertionError: the command failed.
        """
        hidden = ("PYTEST_", "COV_", "DOCKER_")
        own = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        path = os.pathsep.join([str(_TOP), *sys.path])
        home = str(self.folder)
        ran = subprocess.run(
            [_ORDINARY_PYTHON if self.is_ordinary else sys.executable, *command],
            env={**own, "HOME": home, "TMPDIR": home, "PYTHONPATH": path, **variables},
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_LONGEST,
            user=_USER if self.is_ordinary else None,
            group=_USER if self.is_ordinary else None,
            extra_groups=[] if self.is_ordinary else None,
        )
        assert may_fail or ran.returncode == 0, ran.stdout[-4000:]


@pytest.fixture(params=["this user", "an ordinary user"])
def host(request: pytest.FixtureRequest) -> Iterator[Host]:
    """Yield a user, and a directory that the user can enter."""
    need("local")
    is_ordinary = request.param != "this user"
    if is_ordinary and os.geteuid() != 0:
        pytest.skip("as another user; all tests run as an ordinary user already")
    folder = Path(tempfile.mkdtemp(prefix="parity-vf-eval-"))
    for name in NAMES:
        shutil.copytree(BUNDLED / name, folder / "tasks" / name)
    if is_ordinary:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, _USER, _USER)
    yield Host(folder, is_ordinary)
    shutil.rmtree(folder)


def _need_python(host: Host) -> None:
    try:
        host.run("-c", "import verifiers, parity.harbor_env.for_verifiers as _")
    except (OSError, AssertionError) as error:
        pytest.skip(f"as an ordinary user; {_ORDINARY_PYTHON}: {error}; set PARITY_ORDINARY_PYTHON")


def _parity_run(host: Host) -> dict[str, float]:
    """Return the rewards that `parity run` gives, as one number for each task."""
    options = ("-a", "command", "--ak", f"command={_SOLVE}")
    host.run("-m", "parity", "run", str(host.tasks), *options, "-n", "2", "-q", "--job-name", "job", may_fail=True)
    return {
        result["task_name"].removeprefix("parity/"): _number((result["verifier_result"] or {}).get("rewards"))
        for path in (host.folder / "jobs" / "job").glob("*/result.json")
        for result in [json.loads(path.read_text())]
    }


def _number(rewards: Mapping[str, float] | None) -> float:
    """Return the rewards as one number: the only one, else that of the key `reward`, else 0."""
    values = rewards or {}
    return next(iter(values.values())) if len(values) == 1 else values.get("reward", 0.0)


def _vf_eval(host: Host, *options: str) -> tuple[dict[str, float], dict[str, Any]]:
    """Return the rewards that `vf-eval` gives, by task, and its metadata."""
    arguments = {"tasks": str(host.tasks), "run_command": _SOLVE}
    folder = host.folder / "evaluated"
    host.run(
        *("-c", _VF_EVAL, "tests.harbor_env.vf_eval.bundled_tasks", "--env-args", json.dumps(arguments)),
        *("--api-base-url", NOWHERE, "--api-key-var", "NO_KEY", "--model", "a-model"),
        *("--rollouts-per-example", "1", "--num-examples", "-1", "--max-concurrent", "2", "--disable-tui"),
        *("--state-columns", "info,fault", "--save-results", "--output-dir", str(folder), *options),
        NO_KEY="none",
    )
    (saved,) = folder.rglob("results.jsonl")
    rollouts = [json.loads(line) for line in saved.read_text().splitlines()]
    metadata = json.loads(saved.with_name("metadata.json").read_text())
    return {rollout["info"]["task_name"]: rollout["reward"] for rollout in rollouts}, metadata


@pytest.mark.parametrize("options", [(), ("--disable-env-server",)], ids=["server", "no server"])
def test_vf_eval_gives_the_same_rewards_as_parity_run(host: Host, options: tuple[str, ...]) -> None:
    """Each task and the average have the same reward as with `parity run`, and there are no errors."""
    if host.is_ordinary:
        _need_python(host)
    expected = _parity_run(host)

    rewards, metadata = _vf_eval(host, *options)

    assert rewards == expected
    assert sorted(rewards) == sorted(NAMES)
    assert metadata["avg_reward"] == pytest.approx(sum(expected.values()) / len(expected))
    assert metadata["avg_error"] == 0.0
