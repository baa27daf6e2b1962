"""Functions for bridges that read a trial's result: make the result, and give numbers the names that Harbor uses."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bridges.adapters.third_party import third_party

type Means = dict[str, Any] | None
"""A trial's values: a number for each mean, or None if the reader leaves the trial out."""


def harbor_result(text: str) -> Any:
    """Return a trial's result as the object that Harbor passes to a job's hooks.

    Raises:
        ValidationError: Harbor rejects the text.
    """
    return third_party("harbor.models.trial.result").TrialResult.model_validate_json(text)


@contextmanager
def job_directory(text: str) -> Iterator[Path]:
    """Yield the directory of a job whose only trial, `task__1`, has this result.json."""
    with tempfile.TemporaryDirectory(prefix="parity-bridge-") as temporary:
        trial = Path(temporary) / "task__1"
        trial.mkdir()
        (trial / "result.json").write_text(text, encoding="utf-8")
        yield Path(temporary)


def means(text: str, numbers: Mapping[str, Any]) -> Means:
    """Return a reader's numbers under the names that Harbor uses.

    Args:
        text: the trial's result.json.
        numbers: the numbers by reward key, with the reader's main number first; if empty, the trial is left out.
    """
    if not numbers:
        return None
    return dict(numbers) if _has_several(text) else {"mean": next(iter(numbers.values()))}


def _has_several(text: str) -> bool:
    """Return whether a result has several rewards."""
    try:
        return len(json.loads(text)["verifier_result"]["rewards"]) > 1
    except (ValueError, TypeError, KeyError):  # not a result, or one without rewards
        return False
