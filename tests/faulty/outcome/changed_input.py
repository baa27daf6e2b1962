"""Faults that no answer shows: runners that change what they are given."""

from contextlib import suppress
from pathlib import Path

from parity.scorer import Outcome
from tests.faulty.fault import Fault


class LeavesALock(Fault):
    """Leaves a lock file beside result.json."""

    breaks = "outcome/leaves-its-input-alone"
    seen_by = "test_result_numbers"

    def outcome(self, result: Path) -> Outcome:
        with suppress(OSError):
            result.with_name("result.json.lock").touch()
        return super().outcome(result)
