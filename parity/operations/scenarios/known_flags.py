"""Flags of plays, some of which depend on what comes of the play.

To play it once more for that would cost as much as to ask a runner, so what the reference told is taken where it has
been asked already; the clean room plays the others.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from parity.operations.answers import Answer, Fault, Value
from parity.operations.files.folders import scratch_folder
from parity.operations.scenarios.records import Record
from parity.operations.wire import Json, canonical

_MOST_KNOWN = 5_000


class FlagsOfPlays[Play]:
    """Finds the flags of a play, each once.

    Args:
        flags: why the play is hard, given what comes of it: a record, or a fault where it cannot be played.
        play: plays it in an empty folder in the clean room.
        encode: the play on the wire.
    """

    def __init__(
        self,
        flags: Callable[[Play, Value | Fault], Iterator[str]],
        play: Callable[[Play, Path], Record],
        encode: Callable[[Play], Json],
    ) -> None:
        self._flags, self._play, self._encode = flags, play, encode
        self._known: dict[str, frozenset[str]] = {}

    def of(self, play: Play) -> frozenset[str]:
        """Why the play is hard."""
        key = canonical(self._encode(play))
        return self._known[key] if key in self._known else self._learn(key, play, self._played(play))

    def remember(self, play: Play, answer: Answer) -> None:
        """Keep the flags that follow from the reference's answer, so that nothing is run once more for them."""
        key = canonical(self._encode(play))
        if key not in self._known and isinstance(answer, Value | Fault):
            self._learn(key, play, answer)

    def _learn(self, key: str, play: Play, answer: Value | Fault) -> frozenset[str]:
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[key] = frozenset(self._flags(play, answer))
        return self._known[key]

    def _played(self, play: Play) -> Value | Fault:
        try:
            with scratch_folder() as folder:
                return Value(self._play(play, folder))
        except Exception as error:
            return Fault(type(error).__name__, str(error))
