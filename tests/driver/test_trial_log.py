"""The log of a trial."""

import logging
from pathlib import Path

from parity.driver.trial_log import trial_log, trial_logs

_LOG = logging.getLogger("parity.driver")


def test_an_entry_is_cut(tmp_path: Path) -> None:
    """A long entry is cut, so that a command's output does not fill the host's disk."""
    with trial_logs(), trial_log(tmp_path / "trial.log"):
        _LOG.info("%s", "x" * 1_000_000)

    assert (tmp_path / "trial.log").read_text() == "x" * 2000 + "\n"


def test_the_logger_is_left_as_it_was(tmp_path: Path) -> None:
    """Outside a job, the driver's logger has the level and the handlers of its surroundings."""
    before = _LOG.level, _LOG.propagate, list(_LOG.handlers)

    with trial_logs():
        pass

    assert (_LOG.level, _LOG.propagate, list(_LOG.handlers)) == before
