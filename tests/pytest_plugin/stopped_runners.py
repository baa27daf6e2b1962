"""Runners that a signal meets in the middle of an answer: it comes when they send it themselves."""

import signal
import sys
from collections.abc import Coroutine
from typing import Any
from unittest import mock

from parity.operations.scenarios import execution
from parity.runners import CleanRoom
from tests.faulty.aggregate.sums import AddsOneByOne


class CatchesAll:
    """Catches whatever is raised, and answers."""

    name = "catches all"

    def reason_code(self, text: str | None) -> str | None:
        """An answer, whatever came."""
        try:
            signal.raise_signal(signal.SIGTERM)
        except BaseException:
            return "wrong"
        return None


class CatchesCtrlC(CatchesAll):
    """The same, of Ctrl-C."""

    def reason_code(self, text: str | None) -> str | None:
        """An answer, whatever came."""
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            return "wrong"
        return None


class InATrial(CleanRoom):
    """The built-in runner, in the middle of a trial whose end may be a KeyboardInterrupt of its own."""

    def run_trial(self, *arguments: Any) -> Any:
        """The record of a trial that the signal has cut."""

        def cut(trial: Coroutine[Any, Any, Any]) -> None:
            trial.close()
            signal.raise_signal(signal.SIGTERM)

        with mock.patch.object(execution, "run_virtually", cut):
            return super().run_trial(*arguments)


class WhileShrinking(CleanRoom):
    """A faulty runner, as soon as its fault is shrunk."""

    def aggregate(self, *arguments: Any) -> Any:
        """A wrong answer."""
        frame = sys._getframe()
        while frame.f_back:
            frame = frame.f_back
            if frame.f_code.co_name == "greedy_shrink":
                signal.raise_signal(signal.SIGTERM)
        return AddsOneByOne().aggregate(*arguments)
