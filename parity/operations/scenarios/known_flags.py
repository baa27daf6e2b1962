"""Flags of scenarios; some of them depend on the answer to the scenario.

Another run of the scenario would cost as much as asking a runner. So flags are derived from the reference's answer if
there already is one; otherwise the clean room runs the scenario.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from parity.operations.answers import Answer, Fault, Value
from parity.operations.files.folders import scratch_folder
from parity.operations.scenarios.records import Record
from parity.operations.wire import Json, canonical

_MOST_KNOWN = 5_000


class FlagsOfScenarios[Scenario]:
    """Finds the flags of scenarios, and remembers them.

    Args:
        flags: returns the flags of a scenario, given its answer: a record, or a fault if it cannot be run.
        run: runs a scenario in an empty folder, in the clean room.
        encode: encodes a scenario for the wire.
    """

    def __init__(
        self,
        flags: Callable[[Scenario, Value | Fault], Iterator[str]],
        run: Callable[[Scenario, Path], Record],
        encode: Callable[[Scenario], Json],
    ) -> None:
        self._flags, self._run, self._encode = flags, run, encode
        self._known: dict[str, frozenset[str]] = {}
        self._last: tuple[Scenario, str] | None = None
        """The scenario that was encoded last, and its text: the same scenario is asked for several times in a row."""

    def of(self, case: Scenario) -> frozenset[str]:
        """Return the flags of a scenario."""
        key = self._key(case)
        return self._known[key] if key in self._known else self._learn(key, case, self._record(case))

    def remember(self, case: Scenario, answer: Answer) -> None:
        """Derive the flags from the reference's answer now, so that the scenario is not run again for them."""
        key = self._key(case)
        if key not in self._known and isinstance(answer, Value | Fault):
            self._learn(key, case, answer)

    def _key(self, case: Scenario) -> str:
        if self._last is None or self._last[0] is not case:
            self._last = case, canonical(self._encode(case))
        return self._last[1]

    def _learn(self, key: str, case: Scenario, answer: Value | Fault) -> frozenset[str]:
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[key] = frozenset(self._flags(case, answer))
        return self._known[key]

    def _record(self, case: Scenario) -> Value | Fault:
        try:
            with scratch_folder() as folder:
                return Value(self._run(case, folder))
        except Exception as error:
            return Fault(type(error).__name__, str(error))
