"""Whoever has the word on each operation, side by side as one runner. Imported by `open_reference` only."""

from parity.reference.consumer import DescribedConsumer
from parity.reference.wheel import Wheel


class Authorities:
    """What a session's runner is held against; `Operation.authority` says whose word each answer is."""

    name = "the reference"

    def __init__(self, wheel: Wheel, consumer: DescribedConsumer) -> None:
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
