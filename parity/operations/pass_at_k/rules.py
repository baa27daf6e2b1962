"""Rules for `pass_at_k`: groups of trials, requirements for pass@k, eligible values of k, and the estimate."""

from parity.operations.pass_at_k import conditions, equivalents
from parity.operations.pass_at_k.conditions import has_reward, has_trial
from parity.operations.rule import Rule, aspects, either, in_keys, not_in_keys

_KEY = "harbor.models.job.result.JobStats.format_agent_evals_key"
_K = "harbor.utils.pass_at_k._eligible_k_values"
_GROUP = "harbor.utils.pass_at_k._compute_pass_at_k_for_trials"
_KEY_AND_GROUPS = (
    "harbor.models.job.result.JobStats.format_agent_evals_key and harbor.utils.pass_at_k.compute_pass_at_k_by_evals"
)

RULES: list[Rule] = [
    Rule(
        "pass-at-k/colliding-keys",
        "Trials whose names give the same evals key MUST be one group.",
        source=_KEY,
        when=conditions.has_colliding_keys,
        same=equivalents.with_one_name_a_group,
    ),
    Rule(
        "pass-at-k/empty-names",
        "An empty model or source MUST count as absent.",
        source=_KEY_AND_GROUPS,
        when=has_trial(conditions.has_empty_name),
        same=equivalents.without_empty_names,
    ),
    Rule(
        "pass-at-k/absent-names",
        "Without a model, the evals key MUST consist of agent and dataset; without a source, the dataset MUST be "
        "`adhoc`.",
        source=_KEY_AND_GROUPS,
        when=has_trial(conditions.lacks_name),
        where=conditions.names_another_group,
    ),
    Rule(
        "pass-at-k/empty-agent",
        "An empty agent MUST stay in the evals key, which then begins with `__`; only an empty model or source "
        "counts as absent.",
        source=_KEY,
        when=has_trial(conditions.has_empty_agent),
        where=conditions.names_another_group,
    ),
    Rule(
        "pass-at-k/names-are-verbatim",
        "Names MUST stand in the evals key unchanged, with slashes, colons, blanks and any other character, however "
        "long they are.",
        source=_KEY,
        when=has_trial(conditions.has_unusual_name),
        where=conditions.names_another_group,
    ),
    Rule(
        "pass-at-k/no-single",
        "pass@1 MUST NOT be computed: a group without an eligible k is left out.",
        source=_K,
        when=conditions.has_single_attempt,
        where=conditions.adds_keys,
    ),
    Rule(
        "pass-at-k/fewest-attempts",
        "k MUST NOT be larger than the fewest attempts at any task of the group.",
        source=_GROUP,
        when=conditions.has_uneven_attempts,
        where=conditions.adds_keys,
    ),
    Rule(
        "pass-at-k/empty-disables",
        "A trial whose rewards are `{}` MUST disable pass@k for its group.",
        source=_GROUP,
        when=has_trial(conditions.has_empty_rewards),
    ),
    Rule(
        "pass-at-k/several-keys-disable",
        "A trial with several reward keys MUST disable pass@k for its group.",
        source=_GROUP,
        when=has_trial(conditions.has_several_keys),
    ),
    Rule(
        "pass-at-k/binary-only",
        "A reward other than 0 and 1 MUST disable pass@k for its group.",
        source=_GROUP,
        when=has_reward(conditions.is_not_binary),
    ),
    Rule(
        "pass-at-k/null-fails",
        "A trial without rewards MUST count as a failed attempt.",
        source=_GROUP,
        when=has_trial(conditions.has_no_rewards),
        same=equivalents.failed_for_null,
    ),
    Rule(
        "pass-at-k/float-binary",
        "1.0, 0.0 and -0.0 MUST count as binary rewards, too.",
        source=_GROUP,
        when=has_reward(conditions.is_binary_float),
        same=equivalents.with_ints,
    ),
    Rule(
        "pass-at-k/any-key",
        "The one reward key MAY have any name.",
        source=_GROUP,
        when=has_trial(conditions.has_unusual_key),
        same=equivalents.under_reward,
    ),
    Rule(
        "pass-at-k/many-groups",
        "Every group MUST have its estimates, however many groups there are.",
        source="harbor.utils.pass_at_k.compute_pass_at_k_by_evals",
        when=conditions.has_many_groups,
        where=either(conditions.lacks_groups, aspects("fault", "crash")),
    ),
    Rule(
        "pass-at-k/multiples-of-five",
        "k MUST be every power of two from 2 on and every multiple of five, in ascending order.",
        source=_K,
        when=conditions.has_five_attempts,
        where=aspects("keys", "order"),
    ),
    Rule(
        "pass-at-k/mean-over-tasks",
        "A group's pass@k MUST be the mean over its tasks, each with the same weight: the exact total of their "
        "estimates, rounded once, divided by their number. `sum` adds them in the order of first attempts; estimates "
        "are multiples of 2**-53, so that neither another order nor another series' compensation changes the total.",
        source=_GROUP,
        when=conditions.has_several_tasks,
        where=not_in_keys,
    ),
    Rule(
        "pass-at-k/eligible",
        "k MUST be 2 or more, and an int.",
        source=_K,
        where=in_keys,
    ),
    Rule(
        "pass-at-k/estimator",
        "A task's pass@k MUST be 1 minus the product of k quotients (failed - i) / (tried - i), multiplied from left "
        "to right.",
        source="harbor.utils.pass_at_k._pass_at_k_for_task",
        where=not_in_keys,
    ),
]
