"""The reference of each operation, together as one runner. Only `open_reference` imports this module."""

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from parity.reference.consumer import DescribedConsumer
from parity.reference.wheel import Wheel
from parity.runners.runner import Unsupported


class Authorities:
    """The expected answers for a session's runner; `Operation.authority` names where each answer comes from.

    Args:
        wheel: answers most operations.
        consumer: answers those that no wheel implements.
        lacking: operations that the wheel's release does not have, each with the reason.
    """

    name = "the reference"

    def __init__(self, wheel: Wheel, consumer: DescribedConsumer, lacking: Mapping[str, str]) -> None:
        self.read_reward = wheel.read_reward
        self.aggregate = wheel.aggregate
        self.pass_at_k = wheel.pass_at_k
        self.trial_reward = wheel.trial_reward
        self.run_trial = wheel.run_trial
        self.run_job = wheel.run_job
        self.job_stats = wheel.job_stats
        self.harbor_env = wheel.harbor_env
        self.outcome = consumer.outcome
        self.reason_code = consumer.reason_code
        for operation, reason in lacking.items():
            setattr(self, operation, _refuses(reason))


def _refuses(reason: str) -> Callable[..., NoReturn]:
    def refuse(*_: Any) -> NoReturn:
        raise Unsupported(reason)

    return refuse
