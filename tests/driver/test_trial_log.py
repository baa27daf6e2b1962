"""The log of a trial."""

import logging
from pathlib import Path

from parity.driver.trial import trial_log


def test_an_entry_is_cut(tmp_path: Path) -> None:
    """A long entry is cut, so that a command's output does not fill the host's disk."""
    with trial_log(tmp_path / "trial.log"):
        logging.getLogger("parity.driver").info("%s", "x" * 1_000_000)

    assert (tmp_path / "trial.log").read_text() == "x" * 2000 + "\n"
