"""The operation `trial_reward`, which computes the rewards of a multi-step trial and the records of its steps."""

from collections.abc import Mapping

from parity.operations.codec import Codec, Form
from parity.operations.compare import Ordered, Path
from parity.operations.operation import Operation
from parity.operations.trial_reward.rules import RULES
from parity.operations.wire import WireError
from parity.scorer.trial_reward import MultiStepTrial, Step

_CANCELLED = "CancelledError"


def _check_step(step: Step) -> None:
    if _CANCELLED in (step.agent, step.verifier, *(step.preparation or ())):
        raise WireError(f"must not have the error {_CANCELLED}")
    bounds = step.min_reward if isinstance(step.min_reward, Mapping) else {"": step.min_reward}
    for key, bound in bounds.items():
        if isinstance(bound, int) and not -(2**63) <= bound < 2**63:
            raise WireError("has a threshold beyond the 64-bit ints that task.toml can contain")
        if any("\ud800" <= character <= "\udfff" for character in key):
            raise WireError("has a threshold whose key has half of a surrogate pair; task.toml cannot contain that")


def _check_trial(trial: MultiStepTrial) -> None:
    if not trial.steps:
        raise WireError("must have one or more steps")
    if _CANCELLED in (trial.start, trial.stop):
        raise WireError(f"must not have the error {_CANCELLED} as start or stop")


_FORMS = {Step: Form(check=_check_step), MultiStepTrial: Form(check=_check_trial)}


def _describe_step(step: Step) -> str:
    parts = []
    if step.preparation is not None:
        parts.append(f"{step.preparation[0]} raises {step.preparation[1]}")
    if step.agent is not None:
        parts.append(f"agent raises {step.agent}")
    parts.append(f"verifier raises {step.verifier}" if step.verifier else f"rewards {step.rewards!r}")
    if step.blocked:
        parts.append("its directory is blocked")
    if step.min_reward is not None:
        parts.append(f"min_reward {step.min_reward!r}")
    return ", ".join(parts)


class TrialRewardOperation(Operation[MultiStepTrial]):
    """The operation `trial_reward`, which computes the rewards of a multi-step trial and the records of its steps."""

    name = "trial_reward"
    rules = RULES
    codec = Codec(MultiStepTrial, "a trial_reward case", _FORMS, unknown="ignore")

    def unordered(self, case: MultiStepTrial) -> Path | None:
        """Return the path to the rewards if they are a mean over steps, because its keys come from an unordered set."""
        return None if case.strategy == "final" else ("rewards",)

    def ordered(self, case: MultiStepTrial) -> Ordered:
        return lambda path: path[-1:] == ("rewards",) and path != self.unordered(case)

    def describe(self, case: MultiStepTrial) -> str:
        settings = [f"strategy {case.strategy or 'unset'}"]
        if not case.verification:
            settings.append("verification disabled")
        settings += [f"{what} raises {error}" for what, error in (("start", case.start), ("stop", case.stop)) if error]
        steps = (f"step {number}: {_describe_step(step)}" for number, step in enumerate(case.steps, 1))
        return "; ".join([", ".join(settings), *steps])


TRIAL_REWARD = TrialRewardOperation()
