"""Tests that Ctrl-C ends a run in the middle of a trial, and that the interrupted answer is not judged."""

import signal
from collections.abc import Coroutine, Iterator
from typing import Any
from unittest import mock

import pytest

from parity.runners import CleanRoom
from parity.runners.clean_room import scenarios
from tests.running import Run


class InATrial(CleanRoom):
    """The built-in runner, interrupted in a trial that may itself end with a KeyboardInterrupt."""

    def run_trial(self, *arguments: Any) -> Any:
        """Run a trial, and receive SIGINT in the middle of it."""

        def cut(trial: Coroutine[Any, Any, Any]) -> None:
            trial.close()
            signal.raise_signal(signal.SIGINT)

        with mock.patch.object(scenarios, "run_virtually", cut):
            return super().run_trial(*arguments)


@pytest.fixture(autouse=True)
def takes_ctrl_c() -> Iterator[None]:
    """Handle Ctrl-C, which background processes of a shell ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_interrupt_in_a_trial_ends_the_run(run: Run) -> None:
    """An interrupt in a trial ends the run, and is not mistaken for a KeyboardInterrupt that the scenario raises."""
    suite = ("--pyargs", "parity", "--profile", "quick", "-k", "test_any_trial")

    ran = run(*suite, "--runner", f"{__name__}:InATrial")

    assert ran.returncode == pytest.ExitCode.INTERRUPTED, ran.stdout + ran.stderr
    assert "DIVERGENCE" not in ran.stdout
