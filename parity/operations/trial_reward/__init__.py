"""`trial_reward`: from the steps of a multi-step trial to its rewards and the records of its steps."""

from dataclasses import asdict
from typing import Any

from parity.operations.compare import Ordered, Path
from parity.operations.operation import Operation
from parity.operations.trial_reward.equivalents import EQUIVALENTS
from parity.operations.trial_reward.flags import FLAGS, flags_of
from parity.operations.trial_reward.rules import RULES
from parity.operations.wire import Json, WireError, as_rewards, decode, encode
from parity.scorer.job import CANCELLED
from parity.scorer.trial_reward import MultiStepTrial, Step
from parity.scorer.values import Number


def _step(value: Any) -> Step:
    match value:
        case {
            "rewards": rewards,
            "min_reward": threshold,
            "preparation": [("workdir" | "setup" | "healthcheck"), str()] | None as preparation,
            "agent": str() | None as agent,
            "verifier": str() | None as verifier,
            "blocked": bool(blocked),
        } if CANCELLED not in (agent, verifier, *(preparation or ())):
            phase = None if preparation is None else (preparation[0], preparation[1])
            return Step(as_rewards(decode(rewards)), _threshold(decode(threshold)), phase, agent, verifier, blocked)
    raise WireError("a step takes rewards, min_reward, preparation, agent, verifier and blocked; it is never cancelled")


def _threshold(value: Any) -> Any:
    if type(value) in (int, float):
        return _toml_number(value)
    thresholds = as_rewards(value)
    if any("\ud800" <= character <= "\udfff" for key in thresholds or () for character in key):
        raise WireError("the key of a threshold stands in task.toml, which cannot hold half of a surrogate pair")
    return thresholds and {key: _toml_number(bound) for key, bound in thresholds.items()}


def _toml_number(number: Number) -> Number:
    if isinstance(number, int) and not -(2**63) <= number < 2**63:
        raise WireError("a threshold stands in task.toml, which holds only ints of 64 bits")
    return number


def _describe_step(step: Step) -> str:
    parts = []
    if step.preparation is not None:
        parts.append(f"{step.preparation[0]} raises {step.preparation[1]}")
    if step.agent is not None:
        parts.append(f"agent raises {step.agent}")
    parts.append(f"verifier raises {step.verifier}" if step.verifier else f"rewards {step.rewards!r}")
    if step.blocked:
        parts.append("its folder is blocked")
    if step.min_reward is not None:
        parts.append(f"min_reward {step.min_reward!r}")
    return ", ".join(parts)


class TrialRewardOperation(Operation[MultiStepTrial]):
    """The operation `trial_reward`: from the steps of a multi-step trial to its rewards and their records."""

    name = "trial_reward"
    rules = RULES
    flag_sentences = FLAGS
    flags = staticmethod(flags_of)
    equivalents = EQUIVALENTS

    def encode(self, case: MultiStepTrial) -> Json:
        return encode(asdict(case))

    def decode(self, value: Any) -> MultiStepTrial:
        match value:
            case {
                "steps": [_, *_] as steps,
                "strategy": "mean" | "final" | None as strategy,
                "verification": bool(verification),
                "start": str() | None as start,
                "stop": str() | None as stop,
            } if CANCELLED not in (start, stop):
                return MultiStepTrial(tuple(map(_step, steps)), strategy, verification, start, stop)
        raise WireError("a trial_reward case takes one or more steps, strategy, verification, start and stop")

    def shuffled(self, case: MultiStepTrial) -> Path | None:
        """Return the path of the rewards if they are a mean: its keys come from a set, in no fixed order."""
        return None if case.strategy == "final" else ("rewards",)

    def ordered(self, case: MultiStepTrial) -> Ordered:
        return lambda path: path[-1:] == ("rewards",) and path != self.shuffled(case)

    def describe(self, case: MultiStepTrial) -> str:
        settings = [f"strategy {case.strategy or 'unset'}"]
        if not case.verification:
            settings.append("verification disabled")
        settings += [f"{what} raises {error}" for what, error in (("start", case.start), ("stop", case.stop)) if error]
        steps = (f"step {number}: {_describe_step(step)}" for number, step in enumerate(case.steps, 1))
        return "; ".join([", ".join(settings), *steps])


TRIAL_REWARD = TrialRewardOperation()
