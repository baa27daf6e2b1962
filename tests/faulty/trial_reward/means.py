"""Faults in the rewards that a multi-step trial derives from its steps."""

from dataclasses import replace

from parity.operations.series import running_series
from parity.runners import CleanRoom
from parity.scorer import MultiStepTrial, Rewards, TrialReward, exact_sum
from parity.scorer.trial_reward import StepReward
from tests.faulty.addition import in_pairs
from tests.faulty.fault import breaks
from tests.faulty.trial_reward.fault import another_mean, verified


def _mean(rewards: list[Rewards], count: int) -> Rewards:
    keys = dict.fromkeys(key for each in rewards for key in each)
    return {key: float(exact_sum([each.get(key, 0) for each in rewards], running_series()) / count) for key in keys}


@breaks("trial-reward/step-record", seen_by="test_steps")
def StepRewardsAreFloats(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Records a step's rewards as floats."""
    answer = right.trial_reward(trial)
    for record in answer["steps"] or []:
        if record["rewards"] and all(abs(value) < 2**53 for value in record["rewards"].values()):
            record["rewards"] = {key: float(value) for key, value in record["rewards"].items()}
    return answer


@breaks("trial-reward/final", seen_by="test_steps")
def FinalIsTheLastVerified(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Uses the last step that has a verifier result instead of the last step that ran."""
    answer = right.trial_reward(trial)
    ended = [record for record in answer["steps"] or [] if record["verified"]]
    if trial.strategy != "final" or not ended:
        return answer
    return {**answer, "verified": True, "rewards": ended[-1]["rewards"]}


@breaks("trial-reward/no-keys", seen_by="test_steps")
def NoKeysGiveEmptyRewards(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Returns `{}` instead of no rewards if no step has a reward key."""
    answer = right.trial_reward(trial)
    empty = trial.strategy != "final" and answer["exception"] is None and not answer["verified"]
    if empty and any(record["verified"] for record in answer["steps"] or []):
        return {**answer, "verified": True, "rewards": {}}
    return answer


@breaks("trial-reward/overflow", seen_by="test_steps")
def StepOverflowIsInfinite(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Returns infinity instead of an OverflowError."""
    answer = right.trial_reward(trial)
    if answer["exception"] != "OverflowError":
        return answer
    keys = {key for record in answer["steps"] or [] for key in record["rewards"] or {}}
    return {**answer, "verified": True, "rewards": dict.fromkeys(keys, float("inf")), "exception": trial.stop}


@breaks("trial-reward/keys", seen_by="test_steps")
@another_mean
def OnlyCommonKeys(records: list[StepReward]) -> Rewards:
    """Returns means only for the keys that all verified steps have."""
    rewards = verified(records)
    common = set.intersection(*(set(each) for each in rewards))
    return {key: value for key, value in _mean(rewards, len(rewards)).items() if key in common}


@breaks("trial-reward/type", seen_by="test_steps")
@another_mean
def MeansOfIntsAreInts(records: list[StepReward]) -> Rewards:
    """Returns a whole mean of ints as an int."""
    rewards = verified(records)
    means = _mean(rewards, len(rewards))
    ints = all(type(value) is int for each in rewards for value in each.values())
    return {key: int(value) if ints and value == int(value) else value for key, value in means.items()}


@breaks("trial-reward/empty-counts", seen_by="test_steps")
@another_mean
def EmptyStepsAreLeftOut(records: list[StepReward]) -> Rewards:
    """Leaves steps whose rewards are empty out of the mean."""
    rewards = [each for each in verified(records) if each]
    return _mean(rewards, len(rewards))


@breaks("trial-reward/unverified-step", seen_by="test_steps")
@another_mean
def UnverifiedStepsCount(records: list[StepReward]) -> Rewards:
    """Divides by the number of all steps that ran instead of the verified ones."""
    return _mean(verified(records), len(records))


@breaks("trial-reward/missing-key", seen_by="test_steps")
@another_mean
def MissingKeysAreLeftOut(records: list[StepReward]) -> Rewards:
    """Leaves steps that lack a key out of the key's mean, unless they have no keys at all."""
    rewards = verified(records)
    columns = {key: [each.get(key, 0) for each in rewards if not each or key in each] for key in _mean(rewards, 1)}
    return {key: float(exact_sum(column, running_series()) / len(column)) for key, column in columns.items()}


@breaks("trial-reward/unset-is-mean", seen_by="test_steps")
def UnsetIsFinal(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Uses the last step's rewards if the task sets no strategy."""
    return right.trial_reward(replace(trial, strategy=trial.strategy or "final"))


@breaks("trial-reward/mean", seen_by="test_steps")
@another_mean
def MeanIsTheBest(records: list[StepReward]) -> Rewards:
    """Returns the largest reward of all steps instead of the mean."""
    rewards = verified(records)
    return {key: float(max(each.get(key, 0) for each in rewards)) for key in _mean(rewards, 1)}


@breaks("trial-reward/summation", seen_by="test_sizes")
def AddsManyStepsInPairs(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Adds the halves of the rewards recursively if there are 32 or more steps."""

    def mean(records: list[StepReward]) -> Rewards:
        rewards = verified(records)
        return {
            key: float(in_pairs([each.get(key, 0) for each in rewards]) / len(rewards)) for key in _mean(rewards, 1)
        }

    if len(trial.steps) < 32:
        return right.trial_reward(trial)
    answer: TrialReward = another_mean(mean)(right, trial)
    return answer
