"""What may be wrong with a task: rules, each with its remedy, and findings."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class LintRule:
    """One thing that may be wrong."""

    harm: str
    """What comes of it."""

    remedy: str


RULES = {
    # task.toml and the task's files
    "refused": LintRule("Harbor takes it for no task, and leaves it out of a dataset", "correct it"),
    "ends-the-job": LintRule("Harbor ends the whole job over it", "correct it"),
    "ignored-key": LintRule("Harbor ignores it", "correct the name, or take it out"),
    "later-key": LintRule(
        "Harbor 0.13.1 ignores it, and later releases do not", "run it with such a release, or take it out"
    ),
    "converted-value": LintRule("Harbor takes it for another value", "write that value"),
    "not-run": LintRule(
        "what its test script leaves is not known", "use --sandbox docker, with --allow-network if need be, or harbor"
    ),
    # what its test scripts say
    "exit-code-only": LintRule(
        "Harbor does not look at the exit code, and the trial is an error",
        "write 1 or 0 to /logs/verifier/reward.txt, as it passes or fails",
    ),
    "tests-in-reach": LintRule(
        "an agent can change what decides its reward",
        "put it into tests/, which is uploaded when the agent has ended, or verify in a sandbox of its own",
    ),
    # what is left with the solution, and without it
    "no-solution": LintRule("whether a reward can be earned was not tried", "add solution/solve.sh"),
    "solution-fails": LintRule("no reward shows that the task can be solved", "mend the solution, or what it runs in"),
    "no-reward": LintRule("the trial is an error", "write /logs/verifier/reward.txt or reward.json in every case"),
    "wrong-name": LintRule("Harbor reads no other name", "call it reward.json or reward.txt"),
    "no-reward-on-failure": LintRule(
        "an agent that fails is an error, not a 0", "write a reward of 0 before anything can fail"
    ),
    "empty-reward": LintRule("the trial is an error", "write the reward after it is known, and in one go"),
    "invalid-reward": LintRule("the trial is an error", "write a number, or an object of numbers"),
    "timeout": LintRule("the trial is an error", "give verifier.timeout_sec more seconds, or do less"),
    "nothing-earns": LintRule("the reward says nothing about the agent", "test what the instruction asks for"),
    "other-keys": LintRule("a key that is missing counts as 0 in every mean", "write all keys in every case"),
    "both-files": LintRule(
        "reward.json counts, and reward.txt is not read; up to Harbor 0.6 it is the other way round",
        "write one of them",
    ),
    "text-value": LintRule(
        "Harbor takes it for a number up to 0.22, and for an error from 0.23 on", "write it without quotes"
    ),
    "boolean-value": LintRule("Harbor takes it for a number, and other readers do not", "write 1 or 0"),
    "repeated-key": LintRule("the last one counts", "write it once"),
    "null-rewards": LintRule(
        "the trial has no rewards and no error, and counts as 0; from Harbor 0.23 on it is an error", "write a number"
    ),
    "not-finite": LintRule(
        "it spreads to every mean; from Harbor 0.23 on the trial is an error", "write a finite number"
    ),
    "planted-reward": LintRule(
        "before Harbor 0.25 an agent can give itself any reward",
        "begin tests/test.sh with: rm -rf /logs/verifier/reward.json /logs/verifier/reward.txt",
    ),
}
"""By its name."""


@dataclass(frozen=True)
class Finding:
    """Something that is wrong with one task."""

    task: Path
    rule: str
    what: str
    """What was found, and where."""

    remedy: str = ""
    """What to do about this one; that of its rule if it is empty."""

    def line(self) -> str:
        """For people, on one line: where, which rule, what was found, what to do."""
        return " ".join(f"{self.task}: {self.rule}: {self.what}; {self.remedy or RULES[self.rule].remedy}".split())

    def plain(self) -> dict[str, str]:
        """All of it for programs."""
        rule = RULES[self.rule]
        return {
            "task": str(self.task),
            "rule": self.rule,
            "what": self.what,
            "harm": rule.harm,
            "remedy": self.remedy or rule.remedy,
        }
