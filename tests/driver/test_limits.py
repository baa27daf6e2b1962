"""Tests that a task's output cannot fill the host's disk, and that any string can be written to a document."""

import logging
from pathlib import Path

from parity.driver.documents.results import exception_info
from parity.driver.sandboxes.tar_members import LIMITS
from parity.driver.trial_log import trial_log, trial_logs
from parity.driver.trial_sandbox import remaining_bytes

_BLOCK = 4096


def test_remaining_bytes_exclude_the_files_of_the_trial(tmp_path: Path) -> None:
    """Each file uses its apparent size and at least one disk block, and symlinks are not followed."""
    (tmp_path / "agent").mkdir()
    with (tmp_path / "agent" / "log").open("wb") as file:
        file.truncate(1 << 20)
    (tmp_path / "empty").touch()
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / "out").symlink_to("/")

    assert remaining_bytes(tmp_path) == LIMITS.size - (1 << 20) - 4 * _BLOCK


def test_full_directory_has_no_remaining_bytes(tmp_path: Path) -> None:
    """A directory beyond the limit has 0 remaining bytes, and not a negative number."""
    with (tmp_path / "log").open("wb") as file:
        file.truncate(LIMITS.size + 1)

    assert remaining_bytes(tmp_path) == 0


def test_replaced_directory_is_not_counted(tmp_path: Path) -> None:
    """The content of a directory that a download replaces does not count; the directory itself does."""
    for name in ("agent", "artifacts"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_bytes(bytes(_BLOCK))

    assert remaining_bytes(tmp_path, tmp_path / "artifacts") == LIMITS.size - 3 * _BLOCK


def test_log_entry_is_cut(tmp_path: Path) -> None:
    """A long entry in trial.log is cut, and after the job the driver's logger is as it was before."""
    logger = logging.getLogger("parity.driver")
    before = logger.level, logger.propagate, list(logger.handlers)

    with trial_logs(), trial_log(tmp_path / "trial.log"):
        logger.info("%s", "x" * 1_000_000)

    assert (tmp_path / "trial.log").read_text() == "x" * 2000 + "\n"
    assert (logger.level, logger.propagate, list(logger.handlers)) == before


def test_error_that_is_not_utf8_is_escaped() -> None:
    """Characters in an error that UTF-8 cannot encode are escaped, although the wheel cannot write such a result."""
    try:
        raise OSError("a\udcff\ud800")
    except OSError as error:
        info = exception_info(error)

    assert info.exception_message == "a\\udcff\\ud800"
    assert info.exception_traceback.endswith("OSError: a\\udcff\\ud800\n")
