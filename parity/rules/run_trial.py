"""Rules of `run_trial`: what a trial asks of its sandboxes, and what it leaves on the host."""

from parity.rules.rule import Rule, rules

RULES: list[Rule] = [
    *rules(
        "run_trial",
        "harbor.trial.trial",
        (
            "run-trial/calls",
            "",
            "A trial makes the same calls in the same order, each with the same arguments.",
            "",
            "calls",
        ),
        ("run-trial/files", "", "A trial's folder holds the same files.", "", "files"),
        ("run-trial/result", "", "result.json says the same of a trial, but for ids and times."),
    ),
]
"""Special rules before general ones."""
