"""Implements `parity lint`: finds the tasks, checks each, and writes the findings."""

import argparse
import asyncio
import json
import tempfile
from functools import partial
from pathlib import Path

from parity.command.exit_code import CommandFailure, ExitCode
from parity.command.run_signals import Stopped, until_signalled
from parity.command.shared_options import working_sandboxes
from parity.command.streams import counted, say, write
from parity.driver.job_plan import JobRefused
from parity.driver.sandbox import Sandboxes
from parity.driver.task_file import read_task_file
from parity.lint.failing_tools import check_failing_tools
from parity.lint.findings import Finding, not_run
from parity.lint.planting import check_planted_files
from parity.lint.repetition import check_repeatedly
from parity.lint.rewards import check_trials
from parity.lint.task_files import check_files
from parity.lint.trials import lacking, run_agents, run_trials, unset_variables
from parity.scorer.printable import printable


def lint(options: argparse.Namespace) -> int:
    """Write all findings, and return the exit code.

    Raises:
        CommandFailure: a folder has no task, or the sandbox does not work here.
    """
    tasks = [task for path in options.tasks for task in _tasks(path)]
    sandboxes = None
    if not options.no_run:
        otherwise = "; or only read the tasks' files, with --no-run"
        sandboxes = working_sandboxes(options.sandbox, options.refuse, otherwise)
    try:
        looking = _look(tasks, sandboxes, options)
        found = asyncio.run(until_signalled(looking, lambda: None))
    except Stopped as stopped:
        return stopped.code
    if options.json:
        write(json.dumps([finding.plain() for finding in found], indent=2) + "\n")
    else:
        write("".join(f"{printable(finding.line())}\n" for finding in found))
        some = len({finding.task for finding in found})
        what = f"{counted(len(found), 'finding')} in {some:,} of them" if found else "nothing found"
        say(f"{counted(len(tasks), 'task')}: {what}")
    return ExitCode.DIFFERS if found else ExitCode.RIGHT


def _tasks(path: Path) -> list[Path]:
    """Return the folder if it is a task, else the tasks in it, sorted by name.

    Raises:
        CommandFailure: the folder has no task.
    """
    try:
        if (path / "task.toml").exists():
            return [path]
        found = sorted(each for each in path.iterdir() if (each / "task.toml").exists())
    except OSError as error:
        raise CommandFailure.at(path, str(error.strerror), "give a task's folder, or a folder of tasks") from None
    if not found:
        raise CommandFailure.at(path, "neither it nor a folder in it has a task.toml", "give a task's folder")
    return found


async def _look(tasks: list[Path], sandboxes: Sandboxes | None, options: argparse.Namespace) -> list[Finding]:
    """Return the findings about all tasks, in the order of the tasks."""
    seats = asyncio.Semaphore(options.concurrent)
    with tempfile.TemporaryDirectory(prefix="parity-lint-") as jobs:

        async def look(number: int, task: Path) -> list[Finding]:
            found = list(check_files(task))
            if sandboxes is None or any(each.rule in _CERTAIN for each in found):
                return found
            async with seats:
                left = await _run(task, Path(jobs, str(number)), sandboxes, options)
                return found + [each for each in left if not _said(each, found)]

        async with asyncio.TaskGroup() as group:
            looking = [group.create_task(look(number, task)) for number, task in enumerate(tasks)]
    return [finding for each in looking for finding in each.result()]


_CERTAIN = ("refused", "ends-the-job", "not-run", "no-reward", "solution-fails")
"""Findings in the files of a task that a run can only repeat."""


def _said(one: Finding, before: list[Finding]) -> bool:
    """Return whether a finding from the trials repeats one from the files."""
    rules = {each.rule for each in before}
    return one.rule in rules or (one.rule == "no-reward" and "exit-code-only" in rules)


async def _run(task: Path, jobs: Path, sandboxes: Sandboxes, options: argparse.Namespace) -> list[Finding]:
    config = read_task_file(task)
    if unset := unset_variables(config):
        remedy = f"run it with harbor, or give a default: ${{{unset[0]}:-...}}"
        return [not_run(task, f"task.toml asks for variables that are not set: {', '.join(unset)}", remedy=remedy)]
    try:
        trials = await run_trials(task, jobs, "lint", sandboxes, network=options.allow_network)
    except JobRefused as error:
        return [not_run(task, *(line.removeprefix(f"{task}: ") for line in str(error).splitlines()))]
    solution, images = _has_solution(task), sandboxes.name != "local"
    lacks = lacking(task, config, trials, has_solution=solution, images=images, network=options.allow_network)
    found = list(check_trials(task, trials, has_solution=solution, lacks=lacks))
    if lacks:
        return found
    run = partial(run_agents, jobs=jobs, sandboxes=sandboxes, network=options.allow_network)
    found += await check_planted_files(task, config, run)
    if solution:
        found += await check_failing_tools(task, config, trials, run, jobs / "copy" / task.resolve().name)
    if options.repeat > 1:
        found += await check_repeatedly(task, trials, run, options.repeat, has_solution=solution)
    return found


def _has_solution(task: Path) -> bool:
    steps = list(task.glob("steps/*"))
    return all((each / "solution" / "solve.sh").exists() for each in steps or [task])
