"""Profiles: how many cases a run draws, and with which seed.

A test of the suite states how many cases the default profile draws of it; other profiles scale that.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from math import inf
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, control, core, is_hypothesis_test, seed, settings
from hypothesis.internal.conjecture import data, providers
from hypothesis.internal.conjecture.engine import ConjectureRunner
from hypothesis.internal.constants_ast import Constants
from hypothesis.internal.escalation import format_exception
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from parity.operations.finding import SuiteFinding
from parity.pytest_plugin.options import ProfileName
from parity.pytest_plugin.shrinking import limit_shrinking

FIXED_SEED = 20250613
PHASES = (Phase.explicit, Phase.generate, Phase.shrink)


@dataclass(frozen=True)
class Profile:
    """A scale for the number of cases."""

    name: ProfileName
    purpose: str
    scale: float
    fresh_seed: bool = False
    shards: int = 1
    """Into how many items a test is split, each with a seed of its own, so that pytest-xdist can spread them."""

    def seed(self) -> int:
        """The seed of a run that names none."""
        return secrets.randbelow(2**32) if self.fresh_seed else FIXED_SEED

    def part_of[Case](self, cases: Iterable[Case]) -> Iterator[Case]:
        """As many of these cases, evenly spread, as the profile takes of all; every one, if it takes more."""
        return islice(cases, 0, None, max(1, round(1 / self.scale)))


PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("quick", "in an edit loop: seconds", 0.1),
        Profile("default", "before a release: a minute or two", 1.0),
        Profile("thorough", "hours: spread it with pytest-xdist", 200.0, fresh_seed=True, shards=64),
    )
}


def cases(count: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Say how many cases the default profile draws for a test; of one that runs a machine, how many runs."""

    def mark(test: Callable[..., Any]) -> Callable[..., Any]:
        test.default_cases = count  # type: ignore[attr-defined]
        return test

    return mark


def steady_hypothesis() -> None:
    """Let the cases depend on the seed alone, in ways for which Hypothesis has no setting.

    - It draws constants that it finds in every module that is not installed, the runner's included, so the same seed
      would draw other cases for another runner, and in a checkout other ones than elsewhere. It keeps what it found
      for later tests, the first of which may have drawn before the suite was asked for.
    - It ends its search ten seconds after the first failure: the busier the machine, the fewer broken rules would a
      report name.
    - It ends shrinking after five minutes.
    - It makes most cases of earlier ones by repeating parts of them, and many of these are no new case. The strategies
      repeat values, keys and names themselves, where that matters.
    - Around each case it saves its own source of seeds, although every test has a seed, and looks whether a strategy
      uses the module `random`, which none does.
    - It formats each failure twice, in case that the test is flaky; what the runner answers when it is asked again is
      seen without it.
    - For each choice that a case is to begin with, it makes a test case only to draw it.
    """
    if hasattr(providers, "_get_local_constants"):
        nothing = Constants()
        providers._get_local_constants = lambda: nothing
        providers.CONSTANTS_CACHE.cache.clear()
    # Hypothesis writes down the moment of the first failure here, and looks how long ago that was.
    never = property(lambda runner: inf, lambda runner, moment: None)
    ConjectureRunner.first_bug_found_time = never  # type: ignore[assignment]
    ConjectureRunner.generate_mutations_from = lambda runner, case: None  # type: ignore[assignment]
    core.threadlocal._hypothesis_global_random = Random()
    control.deprecate_random_in_strategy = lambda *description: nullcontext()  # type: ignore[assignment]
    data.draw_choice = _draw_choice
    core.format_exception = _format_unless_found  # type: ignore[attr-defined]
    limit_shrinking()


def _format_unless_found(error: BaseException, traceback: Any) -> str:
    return "" if isinstance(error, SuiteFinding) else str(format_exception(error, traceback))  # type: ignore[no-untyped-call]


def _draw_choice(choice_type: str, constraints: Mapping[str, Any], *, random: Random) -> Any:
    return getattr(_drawn_from(random).provider, f"draw_{choice_type}")(**constraints)


@lru_cache(maxsize=1)
def _drawn_from(random: Random) -> data.ConjectureData:
    """A test case that remembers nothing of what is drawn from it."""
    return data.ConjectureData(random=random)


def scaled_settings(count: int, profile: Profile) -> settings:
    """Hypothesis settings for a test that draws `count` cases by default."""
    return settings(
        max_examples=max(1, round(count * profile.scale / profile.shards)),
        database=None,
        deadline=None,
        derandomize=False,
        phases=PHASES,
        print_blob=False,
        report_multiple_bugs=True,
        suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example),
    )


def prepare(test: Any, profile: Profile) -> None:
    """Give a test that draws cases the profile's settings."""
    drawn = scaled_settings(test.default_cases, profile)
    if is_hypothesis_test(test):
        drawn(test)
    else:
        test.machine_settings = settings(drawn, stateful_step_count=12)


def seed_test(test: Any, number: int) -> None:
    """Seed a test that draws cases."""
    if is_hypothesis_test(test):
        seed(number)(test)
    else:
        test.machine_seed = number


def run_machine(machine: type[RuleBasedStateMachine], test: Any) -> None:
    """Run a state machine with the settings and the seed of the test that calls this."""
    run_state_machine_as_test(seed(test.machine_seed)(machine), settings=test.machine_settings)
