"""Rules of `trial_reward`: which steps of a multi-step trial run, and what the trial gets."""

from parity.operations.rule import Rule, leaves_its_input, rules

_LIFE = rules(
    "trial_reward",
    "harbor.trial.trial",
    ("trial-reward/start-error", "start-error", "An environment that does not start leaves a trial without steps; a timeout is an EnvironmentStartTimeoutError."),
    ("trial-reward/stop-error", "stop-error", "An error of stopping the environment is the trial's, unless it has one already; the rewards stay.", "", "exception rewards verified"),
)  # fmt: skip

_STEPS = rules(
    "trial_reward",
    "harbor.trial.multi_step",
    ("trial-reward/escaping-error", "workdir-error healthcheck-error", "An error while a step is prepared ends the trial without rewards, unless set-up or a failed healthcheck raised it."),
    ("trial-reward/blocked-folder", "blocked-folder", "A step whose files cannot be moved to its folder keeps its record, but ends the trial without rewards."),
    ("trial-reward/preparation-error", "setup-error healthcheck-error", "A failed set-up or healthcheck is the step's error: its agent and verifier do not run, and it is the last step."),
    ("trial-reward/first-error", "two-errors", "Of the errors of one step the first is recorded.", "", "steps"),
    ("trial-reward/agent-timeout", "agent-timeout", "Whatever timeout the agent raises is recorded as AgentTimeoutError.", "", "steps"),
    ("trial-reward/verifier-timeout", "verifier-timeout", "A step's verifier that times out is recorded as TimeoutError, not as VerifierTimeoutError.", "", "steps"),
    ("trial-reward/verification-disabled", "verification-disabled", "Without verification no step has a result and no threshold counts."),
    ("trial-reward/threshold-beyond-2**53", "threshold-beyond-2**53", "A threshold is a double: an int is rounded to one."),
    ("trial-reward/threshold-nan", "threshold-nan", "No comparison with nan fails a threshold."),
    ("trial-reward/threshold-without-reward", "threshold-without-reward", "A demanded reward that is missing counts as minus infinity."),
    ("trial-reward/threshold-met", "threshold-met-exactly", "A reward that equals its threshold meets it."),
    ("trial-reward/threshold-keys", "threshold-keys", "Thresholds by key all have to be met.", "length"),
    ("trial-reward/threshold-number", "threshold-number", "A number is the threshold of the key `reward`, whatever other keys there are.", "length"),
    ("trial-reward/error-without-result", "verifier-error verifier-timeout agent-error agent-timeout", "A step that has an error and no verifier result is the last one; with a result the trial goes on.", "length"),
    ("trial-reward/steps-left-out", "steps-left-out", "Steps that were not reached are not recorded.", "length"),
    ("trial-reward/step-errors-stay", "agent-error agent-timeout verifier-error verifier-timeout setup-error healthcheck-error", "A step's error stays with the step: the trial has none.", "", "exception"),
    ("trial-reward/step-record", "", "Each step that was reached is recorded with its own rewards as they were read, and its own error.", "", "steps"),
)  # fmt: skip

_DERIVED = rules(
    "trial_reward",
    "harbor.trial.multi_step",
    ("trial-reward/unset-is-mean", "strategy-unset", "Without a strategy the mean is taken."),
    ("trial-reward/final", "strategy-final", "The strategy `final` takes the result of the last step that was reached, also if it has none."),
    ("trial-reward/no-keys", "no-keys", "Where no step has any reward key, the mean gives no result at all."),
    ("trial-reward/overflow", "int-beyond-double", "A mean that is beyond a double ends the trial with OverflowError and without rewards."),
    ("trial-reward/keys", "several-keys", "The mean has every key that any step has, in no particular order: Harbor takes them from a set.", "keys"),
    ("trial-reward/type", "", "A mean is a float, also of ints.", "type", "rewards"),
    ("trial-reward/empty-counts", "null-reward empty-rewards", "A verified step without rewards counts as 0 under every key."),
    ("trial-reward/unverified-step", "unverified-step", "A step without a verifier result is left out of the mean."),
    ("trial-reward/missing-key", "missing-key", "A verified step that lacks a key counts as 0 under it."),
    ("trial-reward/summation", "inexact-sum mixed-int-float", "Step rewards are added as `sum` adds them on the running interpreter, in the order of the steps.", "bits"),
    ("trial-reward/mean", "", "The strategy `mean` takes the mean over the verified steps, key by key."),
)  # fmt: skip

RULES: list[Rule] = [*_LIFE, *_STEPS, *_DERIVED, leaves_its_input("trial_reward", "harbor.trial.multi_step")]
