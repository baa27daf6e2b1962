"""Runners: the interface of an implementation under test, the built-in runner, and loading a runner by name."""

from parity.runners.clean_room import CleanRoom
from parity.runners.loading import RunnerError, load_runner
from parity.runners.runner import Runner, Unsupported, claims

__all__ = ["CleanRoom", "Runner", "RunnerError", "Unsupported", "claims", "load_runner"]
