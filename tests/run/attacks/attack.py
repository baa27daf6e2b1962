"""Attempts of hostile tasks: agents and test scripts as bash source, and the rewards that Harbor's rules give them.

`@HOST@` stands for a folder of the host with a canary, `@MARK@` for the seconds of a `sleep` by which processes are
found, `@NAME@` for a unique name, and `@PATTERN@` for a pattern of names that no sandbox may see. Any success leaves a
line in /tmp/breach, for which `HONEST` gives a reward of 1. Each attempt is bounded by itself, so that the machine
survives one that succeeds.
"""

from dataclasses import dataclass

HONEST = """
if [ -s /tmp/breach ]; then
    cat /tmp/breach > /logs/verifier/breach
    echo 1 > /logs/verifier/reward.txt
else
    echo 0.5 > /logs/verifier/reward.txt
fi
"""
IN_VAIN = "0.5"
ANY_FAULT = ("0.5", "error", "none")
"""Results of a task that breaks its own trial: it may lose its reward, but gains nothing."""


@dataclass(frozen=True)
class Attack:
    """A task whose agent or tests attempt something."""

    name: str
    tries: str
    """The attempt, in a sentence."""

    solve: str = "true"
    tests: str = HONEST
    gives: str | tuple[str, ...] = IN_VAIN
    """The result: rewards, names of errors, `error` for any error, `none` for no reward, or `any`."""

    agent: float = 60
    """The time limit of the agent, in seconds."""

    verifier: float = 60
    settings: str = ""
    """More lines of task.toml."""

    artifacts: str = "[]"
    """The artifacts of the task."""

    apart: bool = False
    """Whether the verifier has its own sandbox."""
