"""The imports of `parity score`, and its output to pipes, full disks and terminals."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.running import PYTHON
from tests.score.actions import trial_of


def test_no_reference_is_needed(job: Path) -> None:
    """Without a terminal, neither Harbor, Hypothesis, pytest nor rich is imported."""
    program = (
        "import sys; from parity.command import main; code = main(['score', '--check', '-q', 'job']);"
        "print(code, [n for n in ('harbor', 'hypothesis', 'pytest', 'rich') if n in sys.modules])"
    )

    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert printed == "0 []\n"


def test_the_module_is_the_command(job: Path) -> None:
    """`python -m parity score` is the same command."""
    ran = subprocess.run([sys.executable, "-m", "parity", "score", "job"], capture_output=True, check=True)

    assert ran.stdout == (job / "result.json").read_bytes()


def test_a_reader_that_has_had_enough(job: Path) -> None:
    """If the reader of a pipe closes it early, the verdict and the exit code stay."""
    reader, writer = os.pipe()
    os.close(reader)

    ran = subprocess.run([sys.executable, "-m", "parity", "score", "job"], stdout=writer, stderr=subprocess.PIPE)

    os.close(writer)
    assert (ran.returncode, ran.stderr.decode().splitlines()[-1][:21]) == (0, "result.json is right ")


def _shell(command: str) -> tuple[int, list[str]]:
    """Return the exit code, and the lines of standard error, of a command line with `parity` in it."""
    line = command.replace("parity ", f"{PYTHON} -m parity ")
    ran = subprocess.run(["bash", "-c", line], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    return ran.returncode, ran.stderr.splitlines()


_COMMANDS = "score -q job", "score -q job/*/verifier", "outcome job/result.json"


@pytest.mark.parametrize("command", _COMMANDS)
@pytest.mark.parametrize(
    ("output", "reason"), [(">&-", "Bad file descriptor"), (">/dev/full", "No space left on device")]
)
def test_an_output_that_takes_nothing(job: Path, command: str, output: str, reason: str) -> None:
    """An output that cannot be written gives one line, and exit code 3."""
    command = command.replace("job/*/verifier", f"{trial_of(job)}/verifier")
    subcommand = command.split()[0]

    answer = _shell(f"parity {command} {output}")

    assert answer == (3, [f"parity {subcommand}: standard output: {reason}; redirect it elsewhere"])


def test_help_that_cannot_be_written() -> None:
    """Help that cannot be written is a fault, too."""
    answer = _shell("parity score --help >/dev/full")

    assert answer == (3, ["parity: standard output: No space left on device; redirect it elsewhere"])


@pytest.mark.parametrize("streams", ["2>&-", "2>/dev/full", ">&- 2>&-", ">/dev/full 2>/dev/full"])
@pytest.mark.parametrize(
    ("command", "code"), [("score --check job", 0), ("score nowhere", 3), ("outcome /dev/zero", 3)]
)
def test_no_one_to_report_to(job: Path, command: str, code: int, streams: str) -> None:
    """Without standard error, the exit code is the same."""
    assert _shell(f"parity {command} {streams}") == (code, [])


@pytest.mark.parametrize("command", _COMMANDS)
def test_a_broken_pipe_changes_no_exit_code(job: Path, command: str) -> None:
    """A broken pipe does not change the exit code."""
    command = command.replace("job/*/verifier", f"{trial_of(job)}/verifier")

    assert _shell(f"parity {command} | true; exit ${{PIPESTATUS[0]}}") == (0, [])
    assert _shell("parity score --help | true; exit ${PIPESTATUS[0]}") == (0, [])


@pytest.mark.parametrize(("series", "code"), [("3.12", 0), ("3.13", 0), ("3.14", 0), ("3.11", 2)])
def test_series(job: Path, series: str, code: int) -> None:
    """`--series 3.13` is the same as 3.12, and unknown series are refused, for both kinds of folder."""
    ended = [_shell(f"parity {command} --series {series}") for command in _COMMANDS[::2]]

    assert [answer[0] for answer in ended] == [code, code]
    assert code == 0 or ended[0][1] == [
        "parity score: argument --series: choose 3.12, 3.13, 3.14, not '3.11'; see parity score --help"
    ]
