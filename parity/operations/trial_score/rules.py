"""Rules for `trial_score`: the contribution of a trial's result.json to a job's mean."""

from parity.operations.rule import Rule, aspects, at_the_top, either, in_faults
from parity.operations.trial_score import conditions, equivalents
from parity.operations.trial_score.conditions import has_reward, in_trial

_TRIAL = "harbor.models.trial.result.TrialResult"
_REWARDS = "harbor.models.verifier.result.VerifierResult"
_MEAN = "harbor.metrics.mean.Mean.compute"
_COUNTED = "harbor.metrics.base.aggregate_reward_dicts"
_JOB = "harbor.job.Job.run"

RULES: list[Rule] = [
    Rule(
        "trial-score/refused",
        "A text that is not JSON of the form of schema/trial-result.schema.json MUST be refused with ValidationError. "
        "Harbor also refuses hosts that are not host names, TPU topologies of another form, and MCP servers without a "
        "url or a command; these are not asked.",
        source=_TRIAL,
        when=conditions.is_refused,
        where=in_faults,
    ),
    Rule(
        "trial-score/no-metric",
        "If the key of the trial's group, AGENT__MODEL__DATASET, is split at each `__` from left to right, and its "
        "last part is neither `adhoc` nor the name of its dataset, the trial MUST be left out, without a number.",
        source=_JOB,
        when=in_trial(conditions.has_no_metric),
        where=aspects("type", "fault"),
    ),
    Rule(
        "trial-score/duplicate-key",
        "If a key occurs twice, its last value MUST count. The earlier ones are ignored, except that each value of a "
        "reward MUST be allowed.",
        source=_TRIAL,
        when=conditions.has_duplicate_key,
        same=equivalents.without_duplicates,
    ),
    Rule(
        "trial-score/errored",
        "A trial with an exception MUST count by its rewards, like any other.",
        source=_JOB,
        when=in_trial(conditions.has_exception),
        same=equivalents.without_exception,
    ),
    Rule(
        "trial-score/bad-reward",
        "A reward that is null, an array, an object or a string without a number MUST be refused with "
        "ValidationError, even if its key occurs again; so a nan, which is written as null, is refused when read.",
        source=_REWARDS,
        when=conditions.has_bad_reward,
        where=in_faults,
    ),
    Rule(
        "trial-score/beyond-double",
        "An int that rounds to an infinity MUST end the job with OverflowError.",
        source=_MEAN,
        when=has_reward(conditions.is_beyond_double),
        where=in_faults,
    ),
    Rule(
        "trial-score/not-finite",
        "The mean of a nan or an infinity MUST be null.",
        source="harbor.models.job.result.JobStats",
        when=has_reward(conditions.is_not_finite),
        where=aspects("type", "keys"),
    ),
    Rule(
        "trial-score/coerced",
        "A boolean MUST count as 1.0 or 0.0, and a string as the number that pydantic reads in it.",
        source=_REWARDS,
        when=has_reward(conditions.is_read_as_number),
        where=aspects("fault", "type", "keys", "bits", "value"),
        same=equivalents.with_numbers,
    ),
    Rule(
        "trial-score/several-keys",
        "Each of several rewards MUST count, in a mean of its own under its key.",
        source=_COUNTED,
        when=in_trial(conditions.has_several_keys),
        where=either(aspects("keys", "fault"), at_the_top),
    ),
    Rule(
        "trial-score/only-key",
        "An only reward MUST count under `mean`, whatever its key is.",
        source=_COUNTED,
        when=in_trial(conditions.has_other_key),
        where=aspects("keys", "type", "fault", "bits"),
        same=equivalents.under_reward,
    ),
    Rule(
        "trial-score/dataset",
        "A trial of a dataset MUST count like one without a dataset, unless its job finds no metric for it.",
        source=_JOB,
        when=in_trial(conditions.has_dataset),
        same=equivalents.without_dataset,
    ),
    Rule(
        "trial-score/steps",
        "The rewards of steps MUST NOT count; those of the trial MUST.",
        source=_JOB,
        when=in_trial(conditions.has_steps),
        same=equivalents.without_steps,
    ),
    Rule(
        "trial-score/no-rewards",
        "A trial without a verifier's result, or without rewards, MUST count as 0.0; it MUST NOT be left out.",
        source=_COUNTED,
        when=in_trial(conditions.has_no_rewards),
        same=equivalents.zero_for_no_rewards,
    ),
    Rule(
        "trial-score/double",
        "A number MUST count as a double: an int as the nearest one, and -0.0 as 0.0.",
        source=_MEAN,
        when=has_reward(conditions.is_another_double),
        where=aspects("type", "bits"),
        same=equivalents.with_doubles,
    ),
    Rule(
        "trial-score/value",
        "A reward MUST count as it is, also below 0 and above 1.",
        source=_MEAN,
    ),
]
