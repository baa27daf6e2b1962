"""Scripts of tasks whose lines end as on Windows. They do not run, or leave a reward under another name."""

from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from parity.driver.job_plan import JobPlan

_FIRST_LINE = 4096
"""Bytes that are read of it."""


def line_end_notes(plan: JobPlan) -> Iterator[str]:
    """Yield one line on the scripts that the job will run and whose lines end with CRLF, if there are any."""
    scripts = [script for script in _scripts(plan) if script.is_file() and _has_crlf(script)]
    if scripts:
        more = f" (and {len(scripts) - 1:,} more)" if len(scripts) > 1 else ""
        why = "lines end with CRLF, and Linux takes the CR for part of a name, of a program or of the reward file"
        yield f"{scripts[0]}{more}: {why}; convert it with sed -i 's/\\r$//' {quote(str(scripts[0]))}"


def _scripts(plan: JobPlan) -> Iterator[Path]:
    """Yield where solutions and tests of the tasks may have their scripts."""
    names = [] if plan.settings.disable_verification else ["tests/test.sh"]
    if any(agent.name == "oracle" for agent in plan.settings.agents):
        names.append("solution/solve.sh")
    for folder, task in plan.tasks.items():
        for part in (folder, *(folder / "steps" / step.name for step in task.config.steps)):
            yield from (part / name for name in names)


def _has_crlf(script: Path) -> bool:
    with script.open("rb") as file:
        return file.readline(_FIRST_LINE).endswith(b"\r\n")
