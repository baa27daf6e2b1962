"""Runners that send a signal to themselves in the middle of an answer."""

import signal
import sys
from collections.abc import Coroutine
from typing import Any
from unittest import mock

from parity.operations.scenarios import execution
from parity.runners import CleanRoom
from tests.faulty.aggregate.sums import AddsOneByOne


class CatchesAll:
    """A runner that catches any exception, and answers."""

    name = "catches all"

    def reason_code(self, text: str | None) -> str | None:
        """Send the signal, and return an answer nevertheless."""
        try:
            signal.raise_signal(signal.SIGTERM)
        except BaseException:
            return "wrong"
        return None


class CatchesCtrlC(CatchesAll):
    """A runner that catches Ctrl-C, and answers."""

    def reason_code(self, text: str | None) -> str | None:
        """Send Ctrl-C, and return an answer nevertheless."""
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            return "wrong"
        return None


class InATrial(CleanRoom):
    """The built-in runner, interrupted in a trial that may itself end with a KeyboardInterrupt."""

    def run_trial(self, *arguments: Any) -> Any:
        """Return the record of a trial that the signal has ended."""

        def cut(trial: Coroutine[Any, Any, Any]) -> None:
            trial.close()
            signal.raise_signal(signal.SIGTERM)

        with mock.patch.object(execution, "run_virtually", cut):
            return super().run_trial(*arguments)


class WhileShrinking(CleanRoom):
    """A faulty runner that is interrupted while its fault is shrunk."""

    def aggregate(self, *arguments: Any) -> Any:
        """Return a wrong answer."""
        frame = sys._getframe()
        while frame.f_back:
            frame = frame.f_back
            if frame.f_code.co_name == "greedy_shrink":
                signal.raise_signal(signal.SIGTERM)
        return AddsOneByOne().aggregate(*arguments)
