"""Reads reward files as other releases of Harbor do, and finds differences from 0.13.1.

Harbor's releases read reward files in three ways. Tests compare these functions with the recorded answers of all
releases, in `parity/drift/releases.json`.
"""

import json
import math
import tempfile
from collections.abc import Mapping
from pathlib import Path

from parity.scorer.errors import VerifierOutputParseError
from parity.scorer.existence import exists
from parity.scorer.reward_file import read_reward
from parity.scorer.series import OFFICIAL
from parity.scorer.values import Rewards

type Outcome = Rewards | str | None
"""Rewards, or the class name of an error."""


UP_TO_0_6 = "up to Harbor 0.6"
FROM_0_23 = "from Harbor 0.23 on"
LAST_PLANTED = "0.24"
"""The last release that keeps reward files from before the tests. Rule: `run-trial/mounted`."""


def up_to_0_6(folder: Path) -> Outcome:
    """Read a verifier's folder as releases up to 0.6.6 do: reward.txt counts before reward.json."""
    text = folder / "reward.txt"
    try:
        if not exists(text, OFFICIAL):
            return as_0_13(folder)
    except OSError as error:
        return type(error).__name__
    with tempfile.TemporaryDirectory() as alone:
        (Path(alone) / text.name).symlink_to(text.absolute())
        return as_0_13(Path(alone))


def as_0_13(folder: Path) -> Outcome:
    """Read a verifier's folder as releases from 0.7.0 to 0.22.0 do."""
    try:
        return read_reward(folder)
    except Exception as error:  # the scorer's own errors have no class in common
        return type(error).__name__


def from_0_23(folder: Path) -> Outcome:
    """Read a verifier's folder as releases from 0.23.0 on do: values must be finite numbers or booleans."""
    rewards = as_0_13(folder)
    if isinstance(rewards, str):
        return rewards
    finite = rewards is not None and all(map(_is_finite, rewards.values()))
    return rewards if finite and not _has_texts(folder / "reward.json") else VerifierOutputParseError.__name__


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # an int larger than any double
        return True


def _has_texts(document: Path) -> bool:
    return document.exists() and any(isinstance(value, str) for value in json.loads(document.read_text()).values())


def otherwise(folder: Path) -> Mapping[str, str]:
    """Return what other releases read, if it differs from 0.13.1, by the releases in words."""
    known = as_0_13(folder)
    others = {UP_TO_0_6: up_to_0_6(folder), FROM_0_23: from_0_23(folder)}
    return {
        releases: f"the error {read}" if isinstance(read, str) else str(read)
        for releases, read in others.items()
        if repr(read) != repr(known) and not (isinstance(read, str) and isinstance(known, str))
    }
