"""Rules of `trial_score`: what a trial's result.json counts in a job's mean."""

from parity.operations.rule import Rule, rules

_TRIAL, _REWARDS = "harbor.models.trial.result.TrialResult", "harbor.models.verifier.result.VerifierResult"
_MEAN, _COUNTED = "harbor.metrics.mean.Mean.compute", "harbor.metrics.base.aggregate_reward_dicts"

RULES: list[Rule] = [
    *rules(
        "trial_score",
        ("trial-score/refused", _TRIAL, "not-json missing-member wrong-member", "A text that is not the JSON of a trial's result, with all members that Harbor requires, MUST be refused with ValidationError.", "fault"),
        ("trial-score/errored", "harbor.job.Job.run", "exception agent-exception", "A trial with an exception MUST count by its rewards, like any other."),
        ("trial-score/bad-reward", _REWARDS, "null-reward bad-reward bad-string", "A reward that is null, an array, an object or a string without a number MUST be refused with ValidationError; so a nan, which is written as null, is refused when it is read again.", "fault"),
        ("trial-score/beyond-double", _MEAN, "int-beyond-double", "An int that rounds to an infinity MUST end the job with OverflowError.", "fault"),
        ("trial-score/not-finite", "harbor.models.job.result.JobStats", "non-finite", "The mean of a nan or an infinity MUST be null.", "type keys"),
        ("trial-score/coerced", _REWARDS, "bool-reward number-string", "A boolean MUST count as 1.0 or 0.0, and a string as the number that pydantic reads in it.", "fault type keys bits value"),
        ("trial-score/several-keys", _COUNTED, "several-keys", "Each of several rewards MUST count, in a mean of its own under its key.", "keys type fault"),
        ("trial-score/only-key", _COUNTED, "other-key", "An only reward MUST count under `mean`, whatever its key is.", "keys type fault bits"),
        ("trial-score/steps", "harbor.job.Job.run", "steps", "The rewards of steps MUST NOT count; those of the trial MUST."),
        ("trial-score/no-rewards", _COUNTED, "no-verifier-result null-rewards empty-rewards", "A trial without a verifier's result, or without rewards, MUST count as 0.0; it MUST NOT be left out."),
        ("trial-score/double", _MEAN, "int-reward int-beyond-2**53 negative-zero", "A number MUST count as a double: an int as the nearest one, and -0.0 as 0.0.", "type bits"),
        ("trial-score/value", _MEAN, "", "A reward MUST count as it is, also below 0 and above 1."),
    ),
]  # fmt: skip
