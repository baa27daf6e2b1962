"""Verifies the same work more than once, to find rewards that differ by chance."""

from collections import Counter
from pathlib import Path

from parity.driver.settings import AgentSettings
from parity.lint.findings import Finding
from parity.lint.rewards import VERIFIER_ERRORS
from parity.lint.trials import FinishedTrial, Run, Trials

_NAMES = {"oracle": "the solution", "nop": "an agent that does nothing"}


async def check_repeatedly(task: Path, trials: Trials, run: Run, times: int, *, has_solution: bool) -> list[Finding]:
    """Return a finding for each agent whose work earns different rewards.

    Args:
        task: the task's folder.
        trials: its first trials.
        run: runs agents at a task.
        times: how often the work of each agent is verified, with the first trials.
        has_solution: whether the task has a solution.
    """
    first = {"oracle": trials.solved, "nop": trials.idle} if has_solution else {"nop": trials.idle}
    again = await run(task, name="again", agents=tuple(map(AgentSettings, first)), times=times - 1)
    found = []
    for number, (agent, trial) in enumerate(first.items()):
        earned = _earned([trial, *again[number :: len(first)]])
        if len(earned) > 1:
            shown = ", ".join(f"{text} x{count}" for text, count in earned.items())
            found.append(Finding(task, "flaky-verifier", f"{_NAMES[agent]}, verified {times} times, earns {shown}"))
    return found


def _earned(trials: list[FinishedTrial]) -> Counter[str]:
    """Return the number of trials for each of a verifier's rewards and errors. Failures of the sandbox do not count."""
    earned = Counter[str]()
    for trial in trials:
        if trial.rewards is not None or trial.error is None:
            earned[str(trial.rewards and dict(sorted(trial.rewards.items())))] += 1
        elif trial.error in VERIFIER_ERRORS:
            earned[f"the error {trial.error}"] += 1
    return earned
