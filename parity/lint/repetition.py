"""Verifies the same work more than once, to find rewards that differ by chance."""

from collections import Counter
from pathlib import Path

from parity.driver.settings import AgentSettings
from parity.lint.findings import Finding
from parity.lint.rewards import VERIFIER_ERRORS
from parity.lint.trials import FinishedTrial, Run, Trials


async def check_repeatedly(task: Path, trials: Trials, run: Run, times: int, *, has_solution: bool) -> list[Finding]:
    """Return a finding for each agent whose work earns different rewards.

    Args:
        task: the task's folder.
        trials: its first trials.
        run: runs agents at a task.
        times: how often the work of each agent is verified, with the first trials.
        has_solution: whether the task has a solution.
    """
    again = await run(task, name="again", agents=(AgentSettings("oracle"), AgentSettings("nop")), times=times - 1)
    whose = {"an agent that does nothing": [trials.idle, *again[1::2]]}
    if has_solution:
        whose = {"the solution": [trials.solved, *again[::2]], **whose}
    return [
        Finding(task, "flaky-verifier", f"{agent}, verified {times} times, earns {', '.join(earned)}")
        for agent, ended in whose.items()
        if len(earned := _earned(ended)) > 1
    ]


def _earned(trials: list[FinishedTrial]) -> list[str]:
    """Return the different rewards and errors of a verifier, each with the number of its trials."""
    texts: dict[object, str] = {}
    counts = Counter[object]()
    for trial in trials:
        rewards, error = trial.rewards, trial.error
        if rewards is None and error is not None and error not in VERIFIER_ERRORS:
            continue  # a failure of the sandbox
        # nan is equal to no number, not even to itself.
        key = frozenset((name, value if value == value else "nan") for name, value in (rewards or {}).items()) or error
        texts.setdefault(key, f"the error {error}" if error and rewards is None else str(rewards))
        counts[key] += 1
    return [f"{texts[key]} x{count}" for key, count in counts.items()]
