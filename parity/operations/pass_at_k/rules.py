"""Rules of `pass_at_k`: groups, gates, eligible k and the estimate."""

from parity.operations.rule import Rule, rules

_PASS = rules(
    "pass_at_k",
    ("pass-at-k/colliding-keys", "harbor.models.job.result.JobStats.format_agent_evals_key", "colliding-keys double-underscore", "Trials whose names give the same evals key MUST be one group."),
    ("pass-at-k/many-groups", "harbor.utils.pass_at_k.compute_pass_at_k_by_evals", "many-groups", "Every group MUST have its estimates, however many groups there are.", "keys"),
    ("pass-at-k/empty-names", "harbor.models.job.result.JobStats.format_agent_evals_key and harbor.utils.pass_at_k.compute_pass_at_k_by_evals", "empty-model empty-source", "An empty model or source MUST count as absent."),
    ("pass-at-k/absent-names", "harbor.models.job.result.JobStats.format_agent_evals_key and harbor.utils.pass_at_k.compute_pass_at_k_by_evals", "no-model no-source", "Without a model, the evals key MUST consist of agent and dataset; without a source, the dataset MUST be `adhoc`.", "keys"),
    ("pass-at-k/empty-agent", "harbor.models.job.result.JobStats.format_agent_evals_key", "empty-agent", "An empty agent MUST stay in the evals key, which then begins with `__`; only an empty model or source counts as absent.", "keys"),
    ("pass-at-k/names-are-verbatim", "harbor.models.job.result.JobStats.format_agent_evals_key", "unusual-name", "Names MUST stand in the evals key unchanged, with slashes, colons, blanks and any other character, however long they are.", "keys"),
    ("pass-at-k/no-single", "harbor.utils.pass_at_k._eligible_k_values", "single-attempt", "pass@1 MUST NOT be computed: a group without an eligible k is left out.", "keys"),
    ("pass-at-k/fewest-attempts", "harbor.utils.pass_at_k._compute_pass_at_k_for_trials", "uneven-attempts", "k MUST NOT be larger than the fewest attempts at any task of the group.", "keys"),
    ("pass-at-k/empty-disables", "harbor.utils.pass_at_k._compute_pass_at_k_for_trials", "empty-rewards", "A trial whose rewards are `{}` MUST disable pass@k for its group."),
    ("pass-at-k/several-keys-disable", "harbor.utils.pass_at_k._compute_pass_at_k_for_trials", "several-keys", "A trial with several reward keys MUST disable pass@k for its group."),
    ("pass-at-k/binary-only", "harbor.utils.pass_at_k._compute_pass_at_k_for_trials", "not-binary", "A reward other than 0 and 1 MUST disable pass@k for its group."),
    ("pass-at-k/null-fails", "harbor.utils.pass_at_k._compute_pass_at_k_for_trials", "null-reward", "A trial without rewards MUST count as a failed attempt."),
    ("pass-at-k/float-binary", "harbor.utils.pass_at_k._compute_pass_at_k_for_trials", "float-binary", "1.0, 0.0 and -0.0 MUST count as binary rewards, too."),
    ("pass-at-k/any-key", "harbor.utils.pass_at_k._compute_pass_at_k_for_trials", "unusual-key", "The one reward key MAY have any name."),
    ("pass-at-k/multiples-of-five", "harbor.utils.pass_at_k._eligible_k_values", "k-of-five", "k MUST be every power of two from 2 on and every multiple of five, in ascending order.", "keys order"),
    ("pass-at-k/mean-over-tasks", "harbor.utils.pass_at_k._compute_pass_at_k_for_trials", "several-tasks", "A group's pass@k MUST be the mean over its tasks, added as `sum` adds; each task has the same weight."),
    ("pass-at-k/eligible", "harbor.utils.pass_at_k._eligible_k_values", "", "k MUST be 2 or more, and an int.", "keys"),
    ("pass-at-k/estimator", "harbor.utils.pass_at_k._pass_at_k_for_task", "", "A task's pass@k MUST be 1 minus the product of k quotients (failed - i) / (tried - i), multiplied from left to right."),
)  # fmt: skip

RULES: list[Rule] = [*_PASS]
