"""The answers that releases were observed to give through each bridge to trials' results."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from parity.operations.trial_score.case import TrialText, rewarded, trial_text

RESULTS: dict[str, TrialText] = {
    "half": rewarded(0.5),
    "int": rewarded(1),
    "unverified": trial_text(),
    "failed": rewarded(1.0, "RuntimeError"),
    "timed_out": rewarded(1.0, "AgentTimeoutError"),
    "other_key": rewarded({"accuracy": 0.5}),
    "several": rewarded({"reward": 1.0, "speed": 0.25}),
    "steps": rewarded(0.5, steps=[({"rewards": {"reward": 1.0}}, None)]),
    "null": rewarded({"reward": 1.0, "speed": None}),
}
"""The result of a trial, by the name of its difficulty."""

_NUMBERS = {"half": 0.5, "int": 1.0, "failed": 1.0, "timed_out": 1.0, "other_key": 0.5, "steps": 0.5}
_BOTH = "{'reward': 1.0, 'speed': 0.25}"
_REFUSED = "ValidationError"
_NO_GET = "AttributeError"


def _answers(**others: str) -> dict[str, str]:
    """Return an answer for each result, as text: that of a reader for which a trial without rewards does not count."""
    mean = {name: f"{{'mean': {number}}}" for name, number in _NUMBERS.items()}
    return {**mean, "unverified": "None", "several": _BOTH, "null": _REFUSED, **others}


KNOWN_RESULTS: dict[tuple[str, str], Mapping[str, str]] = {
    # Only trials without an exception but a failed agent's count, and only by `reward`; null is dropped.
    ("agento11y_trial", "Agento11yTrial"): _answers(failed="None", other_key="None", null="{'reward': 1.0}"),
    ("braintrust_rewards", "BraintrustRewards"): _answers(several="{'speed': 0.25, 'reward': 1.0}"),
    ("langsmith_feedback", "LangSmithFeedback"): _answers(int="{'mean': 1}"),
    # Only `reward` is looked at, and a trial with steps is an error.
    ("nemo_agents_results", "NemoAgentsResults"): _answers(
        int="{'mean': 1}", other_key="None", several="{'reward': 1.0}", steps=_NO_GET, null="{'reward': 1.0}"
    ),
    # A missing `reward` is 0.0, and a file that Harbor refuses is skipped.
    ("nemo_harbor_runner", "NemoHarborRunner"): _answers(
        unverified="{'mean': 0.0}", other_key="{'mean': 0.0}", null="None"
    ),
    ("phoenix_scores", "PhoenixScores"): _answers(),
}
"""The answers to `RESULTS` of each bridge, by its module and class."""


def _installed() -> tuple[dict[str, tuple[Any, Mapping[str, str]]], dict[str, str]]:
    here, missing = {}, {}
    for (module, runner), answers in KNOWN_RESULTS.items():
        try:
            here[module] = getattr(import_module(f"parity.runners.bridges.{module}"), runner)(), answers
        except ImportError as error:
            missing[module] = str(error)
    return here, missing


READERS, MISSING_READERS = _installed()
"""Bridges that can be asked here, with their answers, and why others cannot be asked."""
