"""Scores a verifier's folder: writes its rewards, or the error that Harbor records."""

import json
from pathlib import Path

from parity.command.exit_code import ExitCode
from parity.command.faults import CommandFailure
from parity.command.streams import say, write
from parity.scorer.from_disk.files import FolderError
from parity.scorer.from_disk.verifier_files import INVALID, file_that_counts, read_rewards
from parity.scorer.series import Series


def score_verifier(folder: Path, series: Series, *, check: bool, quiet: bool) -> int:
    """Write the rewards, and return the exit code.

    Raises:
        CommandFailure: the file that counts may not be read, or is too large.
    """
    try:
        rewards = read_rewards(folder, series=series)
        name = file_that_counts(folder, series).name
    except FolderError as error:
        raise CommandFailure(str(error)) from None
    except PermissionError as error:
        raise CommandFailure.at(error.filename, "may not be read", "make it readable, with chmod u+r") from None
    except INVALID as error:
        if not quiet:
            why = f" ({error.__cause__})" if error.__cause__ else ""
            say(" ".join(f"{type(error).__name__}: {error}{why}".split()))
        return ExitCode.DIFFERS
    if not check:
        write(json.dumps(rewards) + "\n")
    elif not quiet:
        say(f"{name} has {'null in place of rewards' if rewards is None else 'valid rewards'}")
    return ExitCode.RIGHT
