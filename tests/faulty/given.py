"""Faults that no answer shows: runners that change what they are given."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from parity.operations.harbor_env.recorded.scenario import EnvScenario
from parity.operations.scenarios.records import Record
from parity.operations.scenarios.scenario import JobScenario, TrialScenario
from parity.scorer import Job, MultiStepTrial, Outcome, Rewards, Trial, TrialReward
from tests.faulty.fault import Fault


def _sort(keys: object) -> None:
    """Sort the keys in place, if it is a dict."""
    if isinstance(keys, dict):
        for key in sorted(keys, key=str):
            keys[key] = keys.pop(key)


class DeletesRewardFile(Fault):
    """Deletes the reward file once it has read it, so that no later trial can find it."""

    breaks = "read-reward/leaves-its-input-alone"
    seen_by = "test_which_file_counts"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        finally:
            for name in ("reward.json", "reward.txt"):
                with suppress(OSError):
                    (directory / name).unlink()


class RewritesRewardFile(Fault):
    """Writes back what it has read from reward.txt, without blanks around it."""

    breaks = "read-reward/leaves-its-input-alone"
    seen_by = "test_reward_txt"

    def read_reward(self, directory: Path) -> Rewards | None:
        rewards = super().read_reward(directory)
        path = directory / "reward.txt"
        if path.is_file() and not path.is_symlink():
            path.write_bytes(path.read_bytes().strip())
        return rewards


class MakesTheFolder(Fault):
    """Makes the verifier's folder where there is none."""

    breaks = "read-reward/leaves-its-input-alone"
    seen_by = "test_which_file_counts"

    def read_reward(self, directory: Path) -> Rewards | None:
        with suppress(OSError):
            directory.mkdir()
        return super().read_reward(directory)


class LeavesALock(Fault):
    """Leaves a lock file beside result.json."""

    breaks = "outcome/leaves-its-input-alone"
    seen_by = "test_result_numbers"

    def outcome(self, result: Path) -> Outcome:
        with suppress(OSError):
            result.with_name("result.json.lock").touch()
        return super().outcome(result)


class SortsItsArguments(Fault):
    """Sorts the trials' rewards in place, largest first."""

    breaks = "aggregate/leaves-its-input-alone"
    seen_by = "test_trials"

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        answer = super().aggregate(metric, rewards)
        assert isinstance(rewards, list)
        rewards.sort(key=lambda reward: sorted(reward) if reward else [], reverse=True)
        return answer


class WidensInts(Fault):
    """Makes floats of the ints that it is given; no number is another one, but its type."""

    breaks = "aggregate/leaves-its-input-alone"
    seen_by = "test_numbers"

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        answer = super().aggregate(metric, rewards)
        for reward in filter(None, rewards):
            for key, number in reward.items():
                reward[key] = float(number) if abs(number) < 2**53 else number
        return answer


class PopsKeys(Fault):
    """Takes each trial's reward out of its rewards."""

    breaks = "pass-at-k/leaves-its-input-alone"
    seen_by = "test_attempts"

    def pass_at_k(self, trials: Sequence[Trial]) -> dict[str, dict[int, float]]:
        answer = super().pass_at_k(trials)
        for trial in trials:
            if trial.rewards:
                trial.rewards.popitem()
        return answer


class SortsThresholds(Fault):
    """Sorts the keys of every step's thresholds in place."""

    breaks = "trial-reward/leaves-its-input-alone"
    seen_by = "test_steps"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        for step in trial.steps:
            _sort(step.min_reward)
        return answer


class AddsVariables(Fault):
    """Adds a variable of its own to those that the verifier is given."""

    breaks = "run-trial/leaves-its-input-alone"
    seen_by = "test_any_trial"

    def run_trial(self, scenario: TrialScenario) -> Record:
        record = super().run_trial(scenario)
        assert isinstance(scenario.settings.verifier_env, dict)
        scenario.settings.verifier_env["RUNNER"] = self.name
        return record


class UsesUpEffects(Fault):
    """Takes the effects out of the scripts of a job as they come to pass."""

    breaks = "run-job/leaves-its-input-alone"
    seen_by = "test_retries"

    def run_job(self, scenario: JobScenario) -> Record:
        record = super().run_job(scenario)
        for runs in scenario.scripts:
            for script in runs:
                assert isinstance(script.effects, dict)
                script.effects.clear()
        return record


class SortsRewards(Fault):
    """Sorts the reward keys of every trial of a job in place."""

    breaks = "job-stats/leaves-its-input-alone"
    seen_by = "test_finished_jobs"

    def job_stats(self, job: Job) -> str:
        stats = super().job_stats(job)
        for trial in [*job.earlier, *(event.trial for event in job.events if event.trial)]:
            _sort(trial.rewards)
        return stats


class TakesFiles(Fault):
    """Takes what the tests leave out of the scenario as it is read."""

    breaks = "harbor-env/leaves-its-input-alone"
    seen_by = "test_harbor_scoring"

    def harbor_env(self, scenario: EnvScenario) -> Record:
        record = super().harbor_env(scenario)
        for task in scenario.tasks:
            assert isinstance(task.left, dict)
            task.left.clear()
        return record
