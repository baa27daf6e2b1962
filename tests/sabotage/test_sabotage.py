"""Tests that a run ends with a divergence if a function of the clean room raises: for functions that a commit draws."""

import hashlib
import inspect
import os
import re
import shlex
import shutil
import subprocess
from functools import cache, partial
from pathlib import Path

import pytest

from parity.operations import OPERATIONS
from tests.running import FAST, ROOT, Run, run_pytest
from tests.sabotage.__main__ import mistake
from tests.sabotage.judged import Pair, pairs
from tests.sabotage.listed import listed

_JUDGED = 20
_RUN = 5


@cache
def _drawn() -> list[Pair]:
    """Return all pairs in an order that the hash of the commit draws; always the same if there is no history."""
    commit = b""
    if git := shutil.which("git"):
        command = [git, "rev-parse", "HEAD"]
        commit = subprocess.run(command, cwd=ROOT, capture_output=True, check=False).stdout
    reached = (pair for name in OPERATIONS for pair in pairs(name))
    return sorted(reached, key=lambda pair: hashlib.sha256(commit + " ".join(pair.name).encode()).digest())


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning")  # because its caller raised
def test_sabotaged_functions_end_with_a_divergence() -> None:
    """If one of twenty functions raises, the suite finds a divergence, unless it is listed, and raises nothing."""
    mistakes = {pair.name: line for pair in _drawn()[:_JUDGED] if (line := mistake(pair)[1])}

    assert mistakes == {}


def test_listed_functions_are_reached() -> None:
    """Each listed function is reached by a vector of its operation."""
    assert listed().keys() - {pair.name for pair in _drawn()} == set()


def test_command_shows_the_divergence_again(tmp_path: Path) -> None:
    """If one of five functions raises, the suite's command ends with 1 and a case, and its replay shows it again."""
    first: dict[str, Pair] = {}
    for pair in _drawn():
        if pair.name not in listed():
            first.setdefault(pair.operation.name, pair)
    chosen = [*first.values()][:_RUN]

    ends = {pair.name: _run_and_replay(pair, tmp_path) for pair in chosen}

    assert ends == {pair.name: (1, 1) for pair in chosen}


def test_early_import_may_fail(tmp_path: Path) -> None:
    """If the clean room fails while it imports packages early, its answers are judged all the same."""
    run = _runner("parity.runners.clean_room:CleanRoom.load", tmp_path)

    ended = run(str(ROOT / "parity" / "operations" / "reason_code"))

    assert ended.returncode == 0, ended.stdout


def _runner(function: str, directory: Path) -> Run:
    """Return a function that runs pytest with a sabotaged function, in an empty directory."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SABOTAGED": function}
    return partial(run_pytest, *FAST, "-p", "tests.sabotage.plugin", cwd=directory, environment=environment)


def _run_and_replay(pair: Pair, directory: Path) -> tuple[int, int]:
    """Run the suite with a sabotaged function, and then the first replay it names; return both exit codes."""
    run = _runner(pair.function, directory)
    ended = run(os.path.dirname(inspect.getfile(type(pair.operation))), "--profile", "quick")
    replay = re.search(r"^  (?:smallest case|vector) .*?^  replay +pytest ([^\n]*)$", ended.stdout, re.M | re.S)
    assert replay, ended.stdout
    return ended.returncode, run(*shlex.split(replay[1])).returncode
