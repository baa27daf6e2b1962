"""Flags of scenarios, some of which depend on what comes of the scenario.

To run it once more for that would cost as much as to ask a runner, so the reference's record is taken where it has been
asked already; the clean room runs the others.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from parity.operations.answers import Answer, Fault, Value
from parity.operations.files.folders import scratch_folder
from parity.operations.scenarios.records import Record
from parity.operations.wire import Json, canonical

_MOST_KNOWN = 5_000


class FlagsOfScenarios[Scenario]:
    """Finds the flags of a scenario, each once.

    Args:
        flags: why the scenario is hard, given what comes of it: a record, or a fault where it cannot be run.
        run: runs it in an empty folder in the clean room.
        encode: the scenario on the wire.
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
        """The scenario that was written down last, and what it is on the wire: it is met several times in a row."""

    def of(self, case: Scenario) -> frozenset[str]:
        """Why the scenario is hard."""
        key = self._key(case)
        return self._known[key] if key in self._known else self._learn(key, case, self._record(case))

    def remember(self, case: Scenario, answer: Answer) -> None:
        """Keep the flags that follow from the reference's answer, so that nothing is run once more for them."""
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
