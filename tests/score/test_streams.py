"""Tests that `parity score` and `parity outcome` work with pipes, full disks and closed streams."""

import subprocess
from pathlib import Path

import pytest

from tests.running import PYTHON
from tests.score.actions import trial_of
from tests.score.conftest import Score


def _shell(command: str) -> tuple[int, list[str]]:
    """Return the exit code, and the lines on standard error, of a command line that calls `parity`."""
    line = command.replace("parity ", f"{PYTHON} -m parity ")
    ran = subprocess.run(["bash", "-c", line], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    return ran.returncode, ran.stderr.splitlines()


@pytest.mark.parametrize("command", ["score -q job", "score -q VERIFIER", "outcome job/result.json", "score --help"])
def test_output_that_cannot_be_written_is_reported(job: Path, command: str) -> None:
    """If the output cannot be written, one line reports it with exit code 3; a closed pipe changes nothing."""
    line = f"parity {command.replace('VERIFIER', f'{trial_of(job)}/verifier')}"
    prefix = "parity" if "--help" in command else f"parity {command.split()[0]}"

    full, closed, pipe = (_shell(f"{line} {each}") for each in (">/dev/full", ">&-", "| true; exit ${PIPESTATUS[0]}"))

    assert full == (3, [f"{prefix}: standard output: No space left on device; redirect it elsewhere"])
    assert closed == (3, [f"{prefix}: standard output: Bad file descriptor; redirect it elsewhere"])
    assert pipe == (0, [])


@pytest.mark.parametrize("streams", ["2>&-", "2>/dev/full", ">&- 2>&-", ">/dev/full 2>/dev/full"])
@pytest.mark.parametrize(("command", "code"), [("score --check job", 0), ("outcome /dev/zero", 3)])
def test_exit_code_does_not_depend_on_standard_error(job: Path, command: str, code: int, streams: str) -> None:
    """The exit code is the same if standard error is closed."""
    assert _shell(f"parity {command} {streams}") == (code, [])


@pytest.mark.parametrize(("series", "code"), [("3.12", 0), ("3.13", 0), ("3.14", 0), ("3.11", 2)])
def test_known_series_is_accepted_and_unknown_one_refused(job: Path, score: Score, series: str, code: int) -> None:
    """For both kinds of directory, `--series 3.13` means the same as 3.12, and an unknown series is refused."""
    codes = [score("-q", path, "--series", series)[0] for path in (job, trial_of(job) / "verifier")]

    assert codes == [code, code]
