"""Profiles: the number of cases that a run generates, their seed, and the number of parts that each test has.

A test of the suite, `parity/operations/*/test_*.py`, states with `@cases` the number of cases that it generates in the
default profile; other profiles scale that number.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from hypothesis import HealthCheck, Phase, is_hypothesis_test, seed, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from parity.plugin.drawing import BACKEND, seed_draws
from parity.plugin.options import ProfileName

FIXED_SEED = 20250613
PHASES = (Phase.explicit, Phase.generate, Phase.shrink)


@dataclass(frozen=True)
class Profile:
    """A scale for the number of cases."""

    name: ProfileName
    scale: float
    fresh_seed: bool = False
    shards: int = 1
    """The number of items into which a test is split, each with its own seed, so that pytest-xdist can spread them."""

    def seed(self) -> int:
        """Return the seed for a run without `--seed`."""
        return secrets.randbelow(2**32) if self.fresh_seed else FIXED_SEED

    def part_of[Case](self, cases: Iterable[Case]) -> Iterator[Case]:
        """Return the profile's share of these cases, evenly spread; all of them if the scale is 1 or more."""
        return islice(cases, 0, None, max(1, round(1 / self.scale)))


PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("quick", 0.1),
        Profile("default", 1.0),
        Profile("thorough", 200.0, fresh_seed=True, shards=64),
    )
}


def cases(count: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Mark a test with the number of cases, or of runs of a state machine, in the default profile."""

    def mark(test: Callable[..., Any]) -> Callable[..., Any]:
        test.default_cases = count  # type: ignore[attr-defined]
        return test

    return mark


def scaled_settings(count: int, profile: Profile) -> settings:
    """Return Hypothesis's settings for a test that generates `count` cases by default."""
    return settings(
        backend=BACKEND,
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
    """Apply the profile's settings to a test that generates cases."""
    drawn = scaled_settings(test.default_cases, profile)
    if is_hypothesis_test(test):
        drawn(test)
    else:
        test.machine_settings = settings(drawn, stateful_step_count=12)


def seed_test(test: Any, number: int) -> None:
    """Seed a test that generates cases."""
    seed_draws(number)
    if is_hypothesis_test(test):
        seed(number)(test)
    else:
        test.machine_seed = number


def run_machine(machine: type[RuleBasedStateMachine], test: Any) -> None:
    """Run a state machine with the settings and the seed of the test that calls this."""
    run_state_machine_as_test(seed(test.machine_seed)(machine), settings=test.machine_settings)
