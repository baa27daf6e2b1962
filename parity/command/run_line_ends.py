"""Finds scripts of tasks with line ends of Windows. They do not run, or write a reward file with another name."""

from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from parity.driver.job_plan import JobPlan

_FIRST_LINE = 4096
"""The limit of the first line, in bytes."""


def line_end_notes(plan: JobPlan) -> Iterator[str]:
    """Yield one line if scripts of the job have CRLF line ends."""
    scripts = [script for script in _scripts(plan) if script.is_file() and _has_crlf(script)]
    if scripts:
        more = f" (and {len(scripts) - 1:,} more)" if len(scripts) > 1 else ""
        why = "lines end with CRLF, and Linux takes the CR for part of a name, of a program or of the reward file"
        yield f"{scripts[0]}{more}: {why}; convert it with sed -i 's/\\r$//' {quote(str(scripts[0]))}"


def _scripts(plan: JobPlan) -> Iterator[Path]:
    """Yield the paths where the tasks may have scripts of solutions and tests."""
    names = [] if plan.settings.disable_verification else ["tests/test.sh"]
    if any(agent.name == "oracle" for agent in plan.settings.agents):
        names.append("solution/solve.sh")
    for folder, task in plan.tasks.items():
        for part in (folder, *(folder / "steps" / step.name for step in task.config.steps)):
            yield from (part / name for name in names)


def _has_crlf(script: Path) -> bool:
    with script.open("rb") as file:
        return file.readline(_FIRST_LINE).endswith(b"\r\n")
