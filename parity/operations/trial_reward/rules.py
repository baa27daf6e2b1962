"""Rules for `trial_reward`: the steps of a multi-step trial that run, and the rewards that the trial gets."""

from parity.operations.columns import depends_on_summation, has_int_beyond_double
from parity.operations.rule import Rule, aspects, at, both, in_keys, rounding
from parity.operations.trial_reward import conditions, equivalents
from parity.operations.trial_reward.conditions import adds, fails_before, has_step, has_threshold, strategy_is

_MEAN = "harbor.trial.multi_step.MultiStepTrial._aggregate_step_rewards"
_VERIFIER = "harbor.trial.multi_step.MultiStepTrial._run_step_verifier"
_THRESHOLD = "harbor.trial.multi_step.MultiStepTrial._min_reward_failure"
_SELECT = "harbor.trial.multi_step.MultiStepTrial._select_multi_step_reward"
_STOP = "harbor.trial.multi_step.MultiStepTrial._should_stop_after_step"
_RUN = "harbor.trial.multi_step.MultiStepTrial._run"

RULES: list[Rule] = [
    Rule(
        "trial-reward/start-error",
        "If the environment does not start, the trial MUST have no steps; a timeout MUST be recorded as "
        "EnvironmentStartTimeoutError.",
        source="harbor.trial.trial.Trial._start_agent_environment",
        when=conditions.has_start_error,
    ),
    Rule(
        "trial-reward/stop-error",
        "An error while the environment stops MUST become the trial's error, unless the trial already has one; the "
        "rewards stay.",
        source="harbor.trial.trial.Trial._stop_agent_environment",
        when=conditions.has_stop_error,
        where=both(aspects("type", "value", "text", "fault"), at("exception", "rewards", "verified")),
    ),
    Rule(
        "trial-reward/escaping-error",
        "An error in the preparation of a step MUST end the trial without rewards, unless it comes from set-up or a "
        "failed healthcheck.",
        source="harbor.trial.multi_step.MultiStepTrial._prepare_step",
        when=fails_before("workdir", "healthcheck"),
        where=aspects("type", "length", "fault"),
    ),
    Rule(
        "trial-reward/blocked-folder",
        "If the files of a step cannot be moved to its directory, the step MUST keep its record, but the trial MUST "
        "end without rewards.",
        source="harbor.trial.multi_step.MultiStepTrial._archive_step_outputs",
        when=has_step(conditions.is_blocked),
    ),
    Rule(
        "trial-reward/preparation-error",
        "A failed set-up or healthcheck MUST be the step's error: its agent and verifier MUST NOT run, and it is the "
        "last step.",
        source=(
            "harbor.trial.multi_step.MultiStepTrial._run_step_setup, "
            "harbor.trial.multi_step.MultiStepTrial._run_step_healthcheck"
            " and harbor.trial.multi_step.MultiStepTrial._run_step"
        ),
        when=fails_before("setup", "healthcheck"),
        where=aspects("length", "type", "fault"),
    ),
    Rule(
        "trial-reward/first-error",
        "Only the first error of a step MUST be recorded.",
        source=_VERIFIER,
        when=has_step(conditions.has_two_errors),
        where=both(aspects("text", "type"), at("steps")),
    ),
    Rule(
        "trial-reward/agent-timeout",
        "Any timeout that the agent raises MUST be recorded as AgentTimeoutError.",
        source="harbor.trial.trial.Trial._run_agent_phase",
        when=has_step(conditions.has_agent_timeout),
        where=both(aspects("text", "type"), at("steps")),
        same=equivalents.with_agent_timeout,
    ),
    Rule(
        "trial-reward/verifier-timeout",
        "A timeout of a step's verifier MUST be recorded as TimeoutError, not as VerifierTimeoutError.",
        source=_VERIFIER,
        when=has_step(conditions.has_verifier_timeout),
        where=both(aspects("text", "type"), at("steps")),
    ),
    Rule(
        "trial-reward/verification-disabled",
        "If verification is disabled, a step MUST NOT have a verifier result, and a threshold MUST NOT count.",
        source=(
            "harbor.trial.multi_step.MultiStepTrial._run_step_verifier"
            " and harbor.trial.multi_step.MultiStepTrial._should_stop_after_step"
        ),
        when=conditions.is_unverified,
        where=aspects("length", "type", "value", "fault"),
        same=equivalents.without_thresholds_if_unverified,
    ),
    Rule(
        "trial-reward/threshold-beyond-2**53",
        "A threshold MUST be a double; an int is rounded to the nearest one.",
        source="harbor.models.task.config.StepConfig",
        when=has_threshold(conditions.is_inexact),
        where=aspects("length", "fault"),
        same=equivalents.with_rounded_thresholds,
    ),
    Rule(
        "trial-reward/threshold-nan",
        "A comparison with nan MUST NOT fail a threshold.",
        source=_THRESHOLD,
        when=has_threshold(conditions.is_nan),
        where=aspects("length", "fault"),
    ),
    Rule(
        "trial-reward/threshold-without-reward",
        "A missing reward MUST count as minus infinity against its threshold.",
        source=_THRESHOLD,
        when=has_threshold(conditions.lacks_reward),
        where=aspects("length", "fault"),
    ),
    Rule(
        "trial-reward/threshold-met",
        "A reward that equals its threshold MUST meet it.",
        source=_THRESHOLD,
        when=has_threshold(conditions.is_met_exactly),
        where=aspects("length", "fault"),
    ),
    Rule(
        "trial-reward/threshold-keys",
        "All thresholds by key MUST be met.",
        source=_THRESHOLD,
        when=has_step(conditions.has_thresholds_by_key),
        where=aspects("length"),
    ),
    Rule(
        "trial-reward/threshold-number",
        "A threshold that is a number MUST apply to the key `reward`, whatever other keys there are.",
        source=_THRESHOLD,
        when=has_step(conditions.has_one_threshold),
        where=aspects("length"),
    ),
    Rule(
        "trial-reward/error-without-result",
        "A step with an error and without a verifier result MUST be the last one; with a result, the trial MUST "
        "continue.",
        source=_STOP,
        when=has_step(conditions.has_error),
        where=aspects("length"),
    ),
    Rule(
        "trial-reward/steps-left-out",
        "Steps that the trial does not reach MUST NOT be recorded.",
        source=_RUN,
        when=conditions.leaves_out_steps,
        where=aspects("length"),
    ),
    Rule(
        "trial-reward/step-errors-stay",
        "An error of a step MUST be recorded with the step only: the trial has no error.",
        source=(
            "harbor.trial.multi_step.MultiStepTrial._run_step_agent"
            " and harbor.trial.multi_step.MultiStepTrial._run_step_verifier"
        ),
        when=conditions.has_step_error,
        where=at("exception"),
    ),
    Rule(
        "trial-reward/step-record",
        "Each step that the trial reaches MUST be recorded with its own rewards, as they were read, and its own error.",
        source=_RUN,
        where=at("steps"),
    ),
    Rule(
        "trial-reward/unset-is-mean",
        "Without a strategy, the mean MUST be taken.",
        source=_SELECT,
        when=strategy_is(None),
        same=equivalents.with_strategy,
    ),
    Rule(
        "trial-reward/final",
        "The strategy `final` MUST take the result of the last step that the trial reaches, even if that step has "
        "none.",
        source=_SELECT,
        when=strategy_is("final"),
    ),
    Rule(
        "trial-reward/no-keys",
        "If no step has a reward key, the mean MUST give no result at all.",
        source=_MEAN,
        when=conditions.has_no_keys,
    ),
    Rule(
        "trial-reward/overflow",
        "A mean beyond the largest double MUST end the trial with OverflowError and without rewards.",
        source=_MEAN,
        when=adds(has_int_beyond_double),
    ),
    Rule(
        "trial-reward/keys",
        "The mean MUST have every key of any step; keys MAY come in any order, because Harbor takes them from a set.",
        source=_MEAN,
        when=conditions.has_several_keys,
        where=in_keys,
    ),
    Rule(
        "trial-reward/type",
        "A mean MUST be a float, even of ints.",
        source=_MEAN,
        where=both(aspects("type"), at("rewards")),
    ),
    Rule(
        "trial-reward/empty-counts",
        "A verified step without rewards MUST count as 0 under every key.",
        source=_MEAN,
        when=conditions.has_empty_rewards,
        where=aspects("bits", "type", "value", "length", "fault"),
    ),
    Rule(
        "trial-reward/unverified-step",
        "A step without a verifier result MUST be left out of the mean.",
        source=_MEAN,
        when=conditions.has_unverified_step,
        where=aspects("bits", "fault"),
    ),
    Rule(
        "trial-reward/missing-key",
        "A verified step that lacks a key MUST count as 0 under that key.",
        source=_MEAN,
        when=conditions.lacks_key,
        where=aspects("bits", "type", "fault"),
    ),
    Rule(
        "trial-reward/summation",
        "Step rewards MUST be added as `sum` adds them on the running interpreter, in the order of the steps.",
        source="builtins.sum",
        when=adds(depends_on_summation),
        where=aspects("bits"),
        in_any_case=rounding,
    ),
    Rule(
        "trial-reward/mean",
        "The strategy `mean` MUST take the mean over the verified steps, key by key.",
        source=_MEAN,
    ),
]
