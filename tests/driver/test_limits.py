"""Limits that keep a task's output from filling the host's disk, and strings that no document can hold."""

import logging
from pathlib import Path

from parity.driver.documents.results import exception_info
from parity.driver.sandboxes.tar import LIMITS
from parity.driver.trial_log import trial_log, trial_logs
from parity.driver.trial_sandbox import remaining_bytes

_BLOCK = 4096


def test_room_is_what_the_files_of_a_trial_leave(tmp_path: Path) -> None:
    """Files count with their apparent size and at least a block of the disk; links are not followed."""
    (tmp_path / "agent").mkdir()
    with (tmp_path / "agent" / "log").open("wb") as file:
        file.truncate(1 << 20)
    (tmp_path / "empty").touch()
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / "out").symlink_to("/")

    assert remaining_bytes(tmp_path) == LIMITS.size - (1 << 20) - 4 * _BLOCK


def test_full_directory_has_no_room(tmp_path: Path) -> None:
    """A directory beyond the limit has no room, and never a negative one."""
    with (tmp_path / "log").open("wb") as file:
        file.truncate(LIMITS.size + 1)

    assert remaining_bytes(tmp_path) == 0


def test_log_entry_is_cut(tmp_path: Path) -> None:
    """A long entry of trial.log is cut; outside a job, the driver's logger is as before."""
    logger = logging.getLogger("parity.driver")
    before = logger.level, logger.propagate, list(logger.handlers)

    with trial_logs(), trial_log(tmp_path / "trial.log"):
        logger.info("%s", "x" * 1_000_000)

    assert (tmp_path / "trial.log").read_text() == "x" * 2000 + "\n"
    assert (logger.level, logger.propagate, list(logger.handlers)) == before


def test_error_that_is_not_utf8_is_escaped() -> None:
    """An error in result.json may contain what is not UTF-8, although the wheel cannot write such a result."""
    try:
        raise OSError("a\udcff\ud800")
    except OSError as error:
        info = exception_info(error)

    assert info.exception_message == "a\\udcff\\ud800"
    assert info.exception_traceback.endswith("OSError: a\\udcff\\ud800\n")
