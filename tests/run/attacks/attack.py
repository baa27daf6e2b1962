"""What hostile tasks try: agents and test scripts as bash source, and what Harbor's rules give them for it.

`@HOST@` stands for a folder of the host with a canary in it, `@MARK@` for the seconds of a `sleep` by which
processes are found, `@NAME@` for a name that nothing else has, `@PATTERN@` for one that matches what no sandbox may
see. Whatever succeeds leaves a line in /tmp/breach, for which `HONEST` gives a reward of 1. Each attempt is bounded
by itself, so that the machine survives one that succeeds.
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
"""Whoever breaks the own trial may lose it, but wins nothing."""


@dataclass(frozen=True)
class Attack:
    """A task whose agent or tests try something."""

    name: str
    tries: str
    """In a sentence."""

    solve: str = "true"
    tests: str = HONEST
    gives: str | tuple[str, ...] = IN_VAIN
    """Rewards, names of errors, `error` for any of them, `none` for no reward, `any` for whatever."""

    agent: float = 60
    """Seconds for the agent."""

    verifier: float = 60
    settings: str = ""
    """More of task.toml."""

    artifacts: str = "[]"
    """Artifacts that the task asks for."""

    apart: bool = False
    """Whether the verifier has a sandbox of its own."""
