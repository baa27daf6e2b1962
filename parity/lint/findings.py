"""The rules of `parity lint`, each with its remedy, and its findings."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class LintRule:
    """One kind of fault in a task."""

    harm: str
    """The consequence of the fault."""

    remedy: str


RULES = {
    # task.toml and the task's files
    "refused": LintRule("Harbor does not accept it as a task, and leaves it out of a dataset", "correct it"),
    "ends-the-job": LintRule("Harbor ends the whole job because of it", "correct it"),
    "ignored-key": LintRule("Harbor ignores it", "correct the name, or remove it"),
    "later-key": LintRule(
        "Harbor 0.13.1 ignores it, and later releases do not", "run the task with a later release, or remove the key"
    ),
    "converted-value": LintRule("Harbor reads it as another value", "write the value that Harbor reads"),
    "not-run": LintRule(
        "the task was not judged by a run",
        "use --sandbox docker, with --allow-network if the task needs it, or run it with harbor",
    ),
    # the text of its test scripts
    "exit-code-only": LintRule(
        "Harbor ignores the exit code, and the trial is an error",
        "write 1 or 0 to /logs/verifier/reward.txt, for passed or failed",
    ),
    "tests-in-reach": LintRule(
        "an agent can change files that decide its reward",
        "move the file into tests/, which is uploaded after the agent has ended, or verify in a separate sandbox",
    ),
    # the files that the test script leaves, with the solution and without it
    "no-solution": LintRule("it is unknown whether a reward can be earned", "add solution/solve.sh"),
    "solution-fails": LintRule("no reward shows that the task can be solved", "mend the solution or its environment"),
    "no-reward": LintRule("the trial is an error", "write /logs/verifier/reward.txt or reward.json in every case"),
    "wrong-name": LintRule("Harbor reads no file of another name", "name it reward.json or reward.txt"),
    "no-reward-on-failure": LintRule(
        "the trial of an agent that fails is an error, not a 0", "write a reward of 0 where the tests fail"
    ),
    "empty-reward": LintRule("the trial is an error", "write the file once, when the reward is known"),
    "invalid-reward": LintRule("the trial is an error", "write a number, or an object of numbers"),
    "timeout": LintRule("the trial is an error", "raise verifier.timeout_sec, or make the tests faster"),
    "nothing-earns": LintRule("the reward does not depend on the agent", "test what the instruction asks for"),
    "other-keys": LintRule("a missing key counts as 0 in every mean", "write all keys in every case"),
    "both-files": LintRule(
        "only reward.json is read; up to Harbor 0.6, only reward.txt",
        "write one of them",
    ),
    "text-value": LintRule(
        "Harbor reads it as a number up to 0.22, and refuses it from 0.23 on", "write the number without quotes"
    ),
    "boolean-value": LintRule("Harbor reads it as a number, and other readers do not", "write 1 or 0"),
    "repeated-key": LintRule("only the last value counts", "write the key once"),
    "null-rewards": LintRule(
        "the trial has no rewards and no error, and counts as 0; from Harbor 0.23 on it is an error", "write a number"
    ),
    "not-finite": LintRule(
        "every mean over it is not finite; from Harbor 0.23 on the trial is an error", "write a finite number"
    ),
    "planted-reward": LintRule(
        "before Harbor 0.25 an agent can give itself any reward",
        "begin tests/test.sh with: rm -rf /logs/verifier/reward.json /logs/verifier/reward.txt",
    ),
    # further runs
    "reward-in-reach": LintRule(
        "an agent can give itself any reward", "remove the file at the beginning of tests/test.sh, or do not read it"
    ),
    "failure-scored-as-zero": LintRule(
        "a failure of the network counts as a failure of the agent",
        "end tests/test.sh without a reward if a download or an installation fails: the trial is then an error",
    ),
    "flaky-verifier": LintRule(
        "the same work earns different rewards by chance",
        "remove the chance from the tests or the solution: random numbers, times, waits for a fixed time",
    ),
}
"""All rules, by name."""


@dataclass(frozen=True)
class Finding:
    """A fault of one task."""

    task: Path
    rule: str
    what: str
    """The fault, and its place."""

    remedy: str = ""
    """The remedy; if empty, the rule's remedy applies."""

    def line(self) -> str:
        """Return one line for people: the task, the rule, the fault and the remedy."""
        return " ".join(f"{self.task}: {self.rule}: {self.what}; {self.remedy or RULES[self.rule].remedy}".split())

    def plain(self) -> dict[str, str]:
        """Return the finding as JSON, with the rule's consequence."""
        rule = RULES[self.rule]
        return {
            "task": str(self.task),
            "rule": self.rule,
            "what": self.what,
            "harm": rule.harm,
            "remedy": self.remedy or rule.remedy,
        }


def not_run(task: Path, *reasons: str, remedy: str = "") -> Finding:
    """Return the finding that a task was not run, with the reasons, each cut at its semicolon."""
    return Finding(task, "not-run", ", and ".join(reason.partition("; ")[0] for reason in reasons), remedy)
