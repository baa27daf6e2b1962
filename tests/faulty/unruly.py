"""Runners that break the interface of a runner (they hang, exit or warn), or give a wrong answer only occasionally."""

import math
import os
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from parity.runners import CleanRoom, Unsupported
from parity.scorer import RewardFileNotFoundError, Rewards, Trial


class OneUlpInAHundred(CleanRoom):
    """Returns an aggregate that is one ULP off in one of a hundred cases."""

    name = "one-ulp-in-a-hundred"
    asked = 0

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        answer = super().aggregate(metric, rewards)
        self.asked += 1
        if self.asked % 100:
            return answer
        return {key: math.nextafter(n, math.inf) if isinstance(n, float) else n for key, n in answer.items()}


class HangsStubbornly(CleanRoom):
    """Hangs, and catches the exceptions that are raised to stop it for a while."""

    name = "hangs-stubbornly"

    def pass_at_k(self, trials: Sequence[Trial]) -> dict[str, dict[int, float]]:
        tries = 0
        while len(trials) > 2:
            try:
                time.sleep(0.01)
            except BaseException:
                tries += 1
                if tries == 2:
                    raise
        return super().pass_at_k(trials)


class Exits(CleanRoom):
    """Tries to end the process."""

    name = "exits"

    def reason_code(self, text: str | None) -> NoReturn:
        raise SystemExit(3)


class Litters(CleanRoom):
    """Deletes and writes files in the directory that it reads, and changes its arguments."""

    name = "litters"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        finally:
            with suppress(OSError):
                (directory / "notes" / "more").mkdir(parents=True)
                (directory / "reward.json").unlink()

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        answer = super().aggregate(metric, rewards)
        for reward in rewards:
            if reward:
                reward.clear()
        return answer


class Partial:
    """Claims one operation, but supports only some of its cases."""

    name = "partial"

    def read_reward(self, directory: Path) -> Rewards | None:
        """Raise `Unsupported` for reward.json; read a plain number from reward.txt."""
        if os.path.lexists(directory / "reward.json"):
            raise Unsupported("no reward.json")
        return CleanRoom().read_reward(directory)


class WrongKind(CleanRoom):
    """Raises the wrong kind of exception if no reward file exists."""

    name = "wrong-kind"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except RewardFileNotFoundError as error:
            raise ValueError("no reward") from error


def broken_maker() -> NoReturn:
    """Fail to make a runner."""
    raise RuntimeError("the maker\nis broken")


not_a_runner = 42


class ShadyName:
    """Has a property `name` that raises an exception."""

    @property
    def name(self) -> str:
        raise RuntimeError("no name")


def _misspelt(operation: str) -> Callable[..., Any]:
    def answer(self: CleanRoom, *case: Any) -> Any:
        rewards = getattr(CleanRoom, operation)(self, *case)
        return flaot(rewards)  # type: ignore[name-defined]  # noqa: F821

    return answer


class Misspells(CleanRoom):
    """Misspells a name in code that two operations share; if no reward file exists, raises the same error as Harbor."""

    name = "misspells"
    read_reward = _misspelt("read_reward")
    aggregate = _misspelt("aggregate")


class Warns(CleanRoom):
    """Issues a DeprecationWarning, and leaves a file open."""

    name = "warns"

    def read_reward(self, directory: Path) -> Rewards | None:
        warnings.warn("old", DeprecationWarning, stacklevel=1)
        open(os.devnull)  # noqa: SIM115
        return super().read_reward(directory)
