"""Golden inputs of `trial_score`: results of trials, as Harbor and others write them."""

from parity.operations.trial_score.case import TrialText, rewarded, trial_text
from parity.operations.vector import Vector, vectors_of

_NAN, _INF = float("nan"), float("inf")
_PASSED = ({"rewards": {"reward": 1.0}}, None)

_CASES: dict[str, dict[str, TrialText]] = {
    "value": {
        "one": rewarded(1.0),
        "half": rewarded(0.5),
        "zero": rewarded(0.0),
        "negative": rewarded(-0.5),
        "above-one": rewarded(2.5),
        "large": rewarded(1e308),
        "tiny": rewarded(5e-324),
    },
    "double": {
        "int": rewarded(1),
        "int-zero": rewarded(0),
        "negative-zero": rewarded(-0.0),
        "beyond-2**53": rewarded(2**53 + 1),
        "beyond-2**63": rewarded(2**63 + 1),
    },
    "beyond-double": {"10**400": rewarded(10**400), "2**1024": rewarded({"a": 0.5, "b": 2**1024})},
    "not-finite": {"nan": rewarded(_NAN), "inf": rewarded(_INF), "one-of-two": rewarded({"a": 1.0, "b": -_INF})},
    "no-rewards": {
        "no-verifier-result": trial_text(),
        "absent": trial_text(verifier=...),
        "no-member": trial_text({}),
        "null": trial_text({"rewards": None}),
        "empty": trial_text({"rewards": {}}),
        "verifier-failed": trial_text(None, "RewardFileNotFoundError"),
        "not-started": trial_text(None, "EnvironmentStartTimeoutError", agent_result=None, agent_execution=None),
        "cancelled": trial_text(None, "CancelledError"),
    },
    "errored": {
        "agent-timeout": rewarded(1.0, exception="AgentTimeoutError"),
        "agent-exit": rewarded(0.5, exception="NonZeroAgentExitCodeError"),
        "other": rewarded(1.0, exception="RuntimeError"),
        "several-keys": rewarded({"a": 1.0, "b": 0.5}, exception="RuntimeError"),
    },
    "steps": {
        "beside": rewarded(0.5, steps=[_PASSED, ({"rewards": {"reward": 0.0}}, None)]),
        "alone": trial_text(None, steps=[_PASSED]),
        "null-beside": trial_text({"rewards": None}, steps=[_PASSED]),
        "other-keys": rewarded(0.5, steps=[({"rewards": {"a": 1.0, "b": 1.0}}, None)]),
        "failed-step": rewarded(0.5, steps=[_PASSED, (None, "AgentTimeoutError")]),
        "without": rewarded(0.5, steps=[(None, None), ({"rewards": None}, None)]),
    },
    "several-keys": {
        "reward-first": rewarded({"reward": 1.0, "speed": 0.25}),
        "reward-last": rewarded({"accuracy": 0.0, "reward": 1.0}),
        "without-reward": rewarded({"accuracy": 0.75, "speed": 0.25}),
        "ints": rewarded({"a": 1, "b": 0}),
        "mean": rewarded({"mean": 0.25, "other": 1.0}),
    },
    "only-key": {
        "accuracy": rewarded({"accuracy": 0.5}),
        "score": rewarded({"score": 1.0}),
        "Reward": rewarded({"Reward": 1.0}),
        "mean": rewarded({"mean": 0.5}),
        "empty": rewarded({"": 1.0}),
    },
    "coerced": {
        "true": rewarded(True),
        "false": rewarded(False),
        "half": rewarded("0.5"),
        "one": rewarded("1"),
        "padded": rewarded(" 1.5 "),
        "nan": rewarded("nan"),
        "one-of-two": rewarded({"a": "0.5", "b": 1.0}),
    },
    "bad-reward": {
        "null": rewarded(None),
        "null-of-two": rewarded({"reward": 1.0, "speed": None}),
        "text": rewarded("passed"),
        "percent": rewarded("50%"),
        "empty-text": rewarded(""),
        "array": rewarded([1.0]),
        "object": rewarded({"reward": {"value": 1.0}}),
        "list-of-rewards": trial_text({"rewards": [1.0]}),
        "number-for-rewards": trial_text({"rewards": 1.0}),
    },
    "refused": {
        "empty": TrialText(""),
        "null": TrialText("null"),
        "array": TrialText("[]"),
        "no-members": TrialText("{}"),
        "cut": TrialText(rewarded(1.0).text[:-1]),
        "no-task-name": rewarded(1.0, task_name=...),
        "no-config": rewarded(1.0, config=...),
        "verifier-text": trial_text("passed"),
        "exception-text": rewarded(1.0, exception_info="timeout"),
        "steps-object": rewarded(1.0, step_results={"reward": 1.0}),
    },
}

VECTORS: list[Vector] = vectors_of("trial-score", _CASES)
