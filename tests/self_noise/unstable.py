"""What Harbor itself does not decide: answers of the wheel that depend on where it runs, by the rule they are about.

Where they move with the hash seed, answers are compared without what moves: see `Operation.shuffled`. Where they move
with the encoding, the suite runs under UTF-8. Nothing else in the golden vectors moves, neither with time zone,
working directory and folder for temporary files, nor with the umask: the tests ask the wheel in all of these.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Unstable:
    """One thing that moves."""

    rule: str
    moves_with: Literal["hash seed", "encoding"]
    what: str
    operations: frozenset[str]
    """The operations in whose answers it shows."""

    faults: frozenset[str] = frozenset()
    """Where the answer becomes an error: which."""


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
"""By the slug of the rule."""
