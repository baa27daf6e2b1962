"""Answers of the wheel that depend on its environment, by the rule that they are about.

If they change with the hash seed, answers are compared without the changing part: see `Operation.shuffled`. Because
some change with the encoding, the suite runs under UTF-8. Nothing else changes the golden vectors: not the time zone,
the working directory, the temporary folder or the umask. The tests ask the wheel in all of these.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Unstable:
    """One part of answers that changes."""

    rule: str
    moves_with: Literal["hash seed", "encoding"]
    what: str
    operations: frozenset[str]
    """The operations whose answers change."""

    faults: frozenset[str] = frozenset()
    """The errors that replace the answer, if it becomes an error."""


UNSTABLE: dict[str, Unstable] = {
    each.rule: each
    for each in (
        Unstable(
            "trial-reward/keys",
            "hash seed",
            "The keys of a mean over steps come in the order of a set, in the result's text too.",
            frozenset({"trial_reward", "run_trial"}),
        ),
        Unstable(
            "reward-file/undecodable-is-a-parse-error",
            "encoding",
            "A reward file is read in the locale's encoding: text beyond ASCII is a parse error where that is ASCII.",
            frozenset({"read_reward"}),
            frozenset({"VerifierOutputParseError"}),
        ),
        Unstable(
            "result-text/unescaped",
            "encoding",
            "Documents are written and read in the locale's encoding: what this lacks ends the trial or the job.",
            frozenset({"trial_reward", "job_stats", "run_trial", "run_job"}),
            frozenset({"UnicodeEncodeError", "UnicodeDecodeError", "ExceptionGroup"}),
        ),
    )
}
"""The unstable answers, by the slug of the rule."""
