"""Variants that count as faulty runners of a rule, like those of `tests/faulty`.

Golden vectors tell such a variant from the scorer first under its rule, and the suite names this rule for a drawn case.
"""

BROKEN_RULES: dict[str, str] = {
    "trial_score/ParsedAsFirstDuplicate": "trial-score/duplicate-key",
    "trial_score/OverflowIsNull": "trial-score/beyond-double",
    "trial_score/ScoreNullIsZero": "trial-score/not-finite",
    "trial_score/LeavesOutOfDatasets": "trial-score/dataset",
    "trial_score/ResultStepsLast": "trial-score/steps",
    "aggregate/NothingIsZero": "aggregate/no-trials",
    "aggregate/SingleKeyIsByTrial": "aggregate/different-single-keys",
    "aggregate/AnswerUtf16": "aggregate/key-order",
    "pass_at_k/GroupsByNames": "pass-at-k/colliding-keys",
    "pass_at_k/RewardEmptyFails": "pass-at-k/empty-disables",
    "pass_at_k/RewardFirstOfSeveral": "pass-at-k/several-keys-disable",
    "pass_at_k/TrialsWithoutNull": "pass-at-k/null-fails",
    "pass_at_k/RewardIntsOnly": "pass-at-k/float-binary",
    "pass_at_k/GroupPowersOnly": "pass-at-k/multiples-of-five",
    "trial_reward/StepsOneByOne": "trial-reward/summation",
    "trial_reward/AnswerNoStepsIsEmpty": "trial-reward/start-error",
    "trial_reward/TrialStopIsIgnored": "trial-reward/stop-error",
    "trial_reward/StepBlockedIsIgnored": "trial-reward/blocked-folder",
    "trial_reward/StepVerifierTimeoutsAreRenamed": "trial-reward/verifier-timeout",
    "trial_reward/GateMissingIsZero": "trial-reward/threshold-without-reward",
    "trial_reward/GateAllMissed": "trial-reward/threshold-keys",
    "read_reward/Decodes utf-8-sig strict": "reward-file/byte-order-mark-is-a-parse-error",
    "read_reward/TextStrStrip": "reward-text/separators",
}
"""The rule that such a variant breaks, by the variant's name in `VARIANTS`."""
