"""Tests that the bridges' sandbox reads files in one directory, and refuses every other call."""

import asyncio
import os
from pathlib import Path

import pytest

from tests.bridges.adapters.prime_sandbox import PrimeSandbox
from tests.bridges.adapters.sandbox import BridgeSandbox, UnexpectedCall
from tests.bridges.adapters.third_party import third_party

_CAT = (
    "if [ -s /logs/verifier/reward.txt ]; then cat /logs/verifier/reward.txt; "
    "elif [ -s /logs/verifier/reward.json ]; then cat /logs/verifier/reward.json; fi"
)


def test_unknown_method_raises_an_error_that_is_not_an_exception(tmp_path: Path) -> None:
    """An unknown method raises an UnexpectedCall, which `except Exception` in third-party code does not catch."""
    sandbox = PrimeSandbox(tmp_path)

    with pytest.raises(UnexpectedCall, match="download_file"):
        sandbox.download_file  # noqa: B018

    assert not issubclass(UnexpectedCall, Exception)


def test_unknown_command_is_refused(tmp_path: Path) -> None:
    """A command that the bridge does not expect raises an UnexpectedCall."""
    sandbox = PrimeSandbox(tmp_path)

    with pytest.raises(UnexpectedCall, match="rm -rf /logs"):
        asyncio.run(sandbox.execute_command("bridge", "rm -rf /logs"))


def test_path_outside_the_verifiers_directory_is_refused(tmp_path: Path) -> None:
    """A path outside the verifier's directory raises an UnexpectedCall."""
    with pytest.raises(UnexpectedCall, match="/logs/agent/log"):
        BridgeSandbox(tmp_path).place("/logs/agent/log")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, ""),
        ({"reward.json": "{}"}, "{}"),
        ({"reward.txt": "", "reward.json": "{}"}, "{}"),
        ({"reward.txt": "1\n", "reward.json": "{}"}, "1\n"),
        ({"reward.txt": b"\xff"}, "\N{REPLACEMENT CHARACTER}"),
    ],
)
def test_command_prints_the_first_nonempty_file(files: dict[str, str | bytes], expected: str, tmp_path: Path) -> None:
    """For the conditional `cat` command, the sandbox prints the first file that is not empty, like a shell."""
    for name, content in files.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    printed = asyncio.run(PrimeSandbox(tmp_path).execute_command("bridge", _CAT)).stdout

    assert printed == expected


def test_command_fails_if_the_first_nonempty_file_is_a_directory(tmp_path: Path) -> None:
    """A directory at the path of a file counts as non-empty, and `cat` fails on it without output."""
    (tmp_path / "reward.txt").mkdir()
    (tmp_path / "reward.json").write_text("{}")

    ended = asyncio.run(PrimeSandbox(tmp_path).execute_command("bridge", _CAT))

    assert (ended.exit_code, ended.stdout) == (1, "")


def test_pipe_without_a_writer_times_out(tmp_path: Path) -> None:
    """Reading a pipe without a writer raises a TimeoutError instead of blocking."""
    os.mkfifo(tmp_path / "reward.json")

    with pytest.raises(TimeoutError):
        BridgeSandbox(tmp_path).readable("/logs/verifier/reward.json")


def test_missing_package_is_reported_in_one_line() -> None:
    """If a third party's package is missing, the error is one line with the command that installs it."""
    with pytest.raises(
        ImportError, match=r"^no_such_package\.module is not installed; run .* `python -m tests\.bridges`"
    ):
        third_party("no_such_package.module")
