"""Rules of `trial_reward`: which steps of a multi-step trial run, and which rewards the trial gets."""

from parity.operations.rule import Rule, rules

_LIFE = rules(
    "trial_reward",
    ("trial-reward/start-error", "harbor.trial.trial.Trial._start_agent_environment", "start-error", "If the environment does not start, the trial MUST have no steps; a timeout MUST be recorded as EnvironmentStartTimeoutError."),
    ("trial-reward/stop-error", "harbor.trial.trial.Trial._stop_agent_environment", "stop-error", "An error while the environment stops MUST become the trial's error, unless the trial already has one; the rewards stay.", "type value text fault", "exception rewards verified"),
)  # fmt: skip

_STEPS = rules(
    "trial_reward",
    ("trial-reward/escaping-error", "harbor.trial.multi_step.MultiStepTrial._prepare_step", "workdir-error healthcheck-error", "An error in the preparation of a step MUST end the trial without rewards, unless it comes from set-up or a failed healthcheck.", "type length fault"),
    ("trial-reward/blocked-folder", "harbor.trial.multi_step.MultiStepTrial._archive_step_outputs", "blocked-folder", "If the files of a step cannot be moved to its folder, the step MUST keep its record, but the trial MUST end without rewards."),
    ("trial-reward/preparation-error", "harbor.trial.multi_step.MultiStepTrial._run_step_setup, harbor.trial.multi_step.MultiStepTrial._run_step_healthcheck and harbor.trial.multi_step.MultiStepTrial._run_step", "setup-error healthcheck-error", "A failed set-up or healthcheck MUST be the step's error: its agent and verifier MUST NOT run, and it is the last step.", "length type fault"),
    ("trial-reward/first-error", "harbor.trial.multi_step.MultiStepTrial._run_step_verifier", "two-errors", "Only the first error of a step MUST be recorded.", "text type", "steps"),
    ("trial-reward/agent-timeout", "harbor.trial.trial.Trial._run_agent_phase", "agent-timeout", "Any timeout that the agent raises MUST be recorded as AgentTimeoutError.", "text type", "steps"),
    ("trial-reward/verifier-timeout", "harbor.trial.multi_step.MultiStepTrial._run_step_verifier", "verifier-timeout", "A timeout of a step's verifier MUST be recorded as TimeoutError, not as VerifierTimeoutError.", "text type", "steps"),
    ("trial-reward/verification-disabled", "harbor.trial.multi_step.MultiStepTrial._run_step_verifier and harbor.trial.multi_step.MultiStepTrial._should_stop_after_step", "verification-disabled", "If verification is disabled, a step MUST NOT have a verifier result, and a threshold MUST NOT count.", "length type value fault"),
    ("trial-reward/threshold-beyond-2**53", "harbor.models.task.config.StepConfig", "threshold-beyond-2**53", "A threshold MUST be a double; an int is rounded to the nearest one.", "length fault"),
    ("trial-reward/threshold-nan", "harbor.trial.multi_step.MultiStepTrial._min_reward_failure", "threshold-nan", "A comparison with nan MUST NOT fail a threshold.", "length fault"),
    ("trial-reward/threshold-without-reward", "harbor.trial.multi_step.MultiStepTrial._min_reward_failure", "threshold-without-reward", "A missing reward MUST count as minus infinity against its threshold.", "length fault"),
    ("trial-reward/threshold-met", "harbor.trial.multi_step.MultiStepTrial._min_reward_failure", "threshold-met-exactly", "A reward that equals its threshold MUST meet it.", "length fault"),
    ("trial-reward/threshold-keys", "harbor.trial.multi_step.MultiStepTrial._min_reward_failure", "threshold-keys", "All thresholds by key MUST be met.", "length"),
    ("trial-reward/threshold-number", "harbor.trial.multi_step.MultiStepTrial._min_reward_failure", "threshold-number", "A threshold that is a number MUST apply to the key `reward`, whatever other keys there are.", "length"),
    ("trial-reward/error-without-result", "harbor.trial.multi_step.MultiStepTrial._should_stop_after_step", "verifier-error verifier-timeout agent-error agent-timeout", "A step with an error and without a verifier result MUST be the last one; with a result, the trial MUST continue.", "length"),
    ("trial-reward/steps-left-out", "harbor.trial.multi_step.MultiStepTrial._run", "steps-left-out", "Steps that the trial does not reach MUST NOT be recorded.", "length"),
    ("trial-reward/step-errors-stay", "harbor.trial.multi_step.MultiStepTrial._run_step_agent and harbor.trial.multi_step.MultiStepTrial._run_step_verifier", "agent-error agent-timeout verifier-error verifier-timeout setup-error healthcheck-error", "An error of a step MUST be recorded with the step only: the trial has no error.", "", "exception"),
    ("trial-reward/step-record", "harbor.trial.multi_step.MultiStepTrial._run", "", "Each step that the trial reaches MUST be recorded with its own rewards, as they were read, and its own error.", "", "steps"),
)  # fmt: skip

_DERIVED = rules(
    "trial_reward",
    ("trial-reward/unset-is-mean", "harbor.trial.multi_step.MultiStepTrial._select_multi_step_reward", "strategy-unset", "Without a strategy, the mean MUST be taken."),
    ("trial-reward/final", "harbor.trial.multi_step.MultiStepTrial._select_multi_step_reward", "strategy-final", "The strategy `final` MUST take the result of the last step that the trial reaches, even if that step has none."),
    ("trial-reward/no-keys", "harbor.trial.multi_step.MultiStepTrial._aggregate_step_rewards", "no-keys", "If no step has a reward key, the mean MUST give no result at all."),
    ("trial-reward/overflow", "harbor.trial.multi_step.MultiStepTrial._aggregate_step_rewards", "int-beyond-double", "A mean beyond the largest double MUST end the trial with OverflowError and without rewards."),
    ("trial-reward/keys", "harbor.trial.multi_step.MultiStepTrial._aggregate_step_rewards", "several-keys", "The mean MUST have every key of any step; keys MAY come in any order, because Harbor takes them from a set.", "keys"),
    ("trial-reward/type", "harbor.trial.multi_step.MultiStepTrial._aggregate_step_rewards", "", "A mean MUST be a float, even of ints.", "type", "rewards"),
    ("trial-reward/empty-counts", "harbor.trial.multi_step.MultiStepTrial._aggregate_step_rewards", "null-reward empty-rewards", "A verified step without rewards MUST count as 0 under every key.", "bits type value length fault"),
    ("trial-reward/unverified-step", "harbor.trial.multi_step.MultiStepTrial._aggregate_step_rewards", "unverified-step", "A step without a verifier result MUST be left out of the mean.", "bits fault"),
    ("trial-reward/missing-key", "harbor.trial.multi_step.MultiStepTrial._aggregate_step_rewards", "missing-key", "A verified step that lacks a key MUST count as 0 under that key.", "bits type fault"),
    ("trial-reward/summation", "builtins.sum", "inexact-sum mixed-int-float", "Step rewards MUST be added as `sum` adds them on the running interpreter, in the order of the steps.", "bits rounding"),
    ("trial-reward/mean", "harbor.trial.multi_step.MultiStepTrial._aggregate_step_rewards", "", "The strategy `mean` MUST take the mean over the verified steps, key by key."),
)  # fmt: skip

RULES: list[Rule] = [*_LIFE, *_STEPS, *_DERIVED]
