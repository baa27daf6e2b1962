"""The kit's side of the pipe to a reference in its own environment: a program that must not be lost.

A lost reference is started again, and asked once more. If it is lost again, the run ends, because no answer of the
runner can be judged without it.
"""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Crash, Fault, NotClaimed, Value
from parity.reference.guard import WheelError
from parity.reference.identity import Identity
from parity.reference.separate import OWN_OPERATIONS
from parity.runners.pipe import PipeError, PipeRunner
from parity.runners.runner import Runner
from parity.scorer.series import Series


class ReferenceLost(BaseException):
    """The reference returned no answer. The message is one line with the reason and the remedy.

    This is not an Exception, so that no test treats it as a failure of the runner.
    """


_A_DAY = 86_400.0
"""The time limit for one answer, in seconds: practically none, as for a reference in the kit's own environment."""

_START_SECONDS = 600.0
"""The time limit for the reference to verify and import its wheel, in seconds."""

_BOOTSTRAP = Path(__file__).with_name("bootstrap.py")
_OPTIONS = ("-E", "-P", "-X", "utf8")
"""Options of the interpreter: it ignores the environment variables for the kit's interpreter, and uses UTF-8."""


class SeparateReference(PipeRunner):
    """Harbor in another interpreter's environment, which verifies its own wheel.

    Args:
        python: the path of the interpreter.
        renewal: the command that makes a damaged environment anew; if None, messages contain a repair instead.
        release: the required release; None allows any known release.

    Raises:
        WheelError: the reference cannot be started, or its Harbor cannot be trusted.
    """

    operations: Mapping[str, Any] = {**OPERATIONS, **OWN_OPERATIONS}

    def __init__(self, python: str, renewal: str | None = None, release: str | None = None) -> None:
        self._python, self._renewal = python, renewal
        try:
            super().__init__(shlex.join([python, *_OPTIONS, str(_BOOTSTRAP)]), start_seconds=_START_SECONDS)
        except PipeError as error:
            raise self._trouble(f"the reference does not start: {error}") from None
        described = self._hello.reference or {}
        if "problem" in described:
            self.close()
            repair = described["repair"].replace("pip install", f"{python} -m pip install")
            raise self._trouble(described["problem"], repair)
        series = Series(described["identity"]["series"])
        self.identity = Identity(**{**described["identity"], "series": series})
        self.unpinned: list[str] = described["unpinned"]
        self.lacking: dict[str, str] = described["lacking"]
        self.is_as_recorded: bool = described["is_as_recorded"]
        if release not in (None, self.identity.harbor):
            self.close()
            raise self._trouble(f"it has harbor {self.identity.harbor} instead of {release}")

    @property
    def wheel(self) -> Runner:
        """A runner that calls the wheel in the separate environment."""
        return cast("Runner", self)

    def load(self, operation: str) -> None:
        """Do nothing: the other process imports what an operation needs at its first question."""

    def call(self, operation: str, *arguments: object) -> Any:
        """Return the value of one of `OWN_OPERATIONS`.

        Raises:
            ReferenceLost: the reference returned no answer in two attempts, or answered with an error.
        """
        match self.answer(operation, arguments, _A_DAY):
            case Value(value):
                return value
            case Fault(kind, message):
                raise self._lost(operation, f"{kind}: {message}")
            case NotClaimed(reason):
                raise self._lost(operation, reason)

    def _ask_at_once(
        self, operation: str, calls: Sequence[tuple[Any, ...]], seconds: float, answers: list[Answer]
    ) -> None:
        """Append the answers to `answers`, however long they take; if the reference is lost, ask all questions again.

        Raises:
            ReferenceLost: the reference was lost twice.
        """
        reasons: list[str] = []
        for _ in range(2):
            received: list[Answer] = []
            lost = super()._ask_at_once(operation, calls, _A_DAY, received)
            crashes = [each.reason for each in (lost, *received) if isinstance(each, Crash)]
            if not crashes:
                answers += received
                return
            reasons += crashes
        raise self._lost(operation, reasons[0])

    def _trouble(self, problem: str, repair: str = "naming an interpreter that has harbor") -> WheelError:
        return WheelError(f"--reference {self._python}: {problem}", self._renewal or repair)

    def _lost(self, operation: str, reason: str) -> ReferenceLost:
        then = f"; if that does not help: {self._renewal}" if self._renewal else ""
        return ReferenceLost(
            f"the reference in {self._python} gave no answer about {operation}, so nothing is said about the runner: "
            f"{reason}; run it again{then}"
        )
