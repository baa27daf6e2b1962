"""Implements `parity run`: plans the job, runs it until it ends or a signal arrives, and prints a summary."""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from parity.command.exit_code import CommandFailure, RunCode
from parity.command.run_progress import Display, displayed
from parity.command.run_settings import configuration_of, own_options, sandbox_name
from parity.command.run_signals import Stopped, until_signalled
from parity.command.run_summary import summary
from parity.command.shared_options import working_sandboxes
from parity.command.streams import say, write
from parity.driver.documents.resume import EarlierRuns, ResumeError
from parity.driver.host_variables import VariableUse, host_variables, missing_host_variables
from parity.driver.job import JobEnd, run_plan
from parity.driver.job_plan import JobPlan, JobRefused, plan_job
from parity.driver.job_progress import JobDirectoryInUse
from parity.driver.sandbox import Sandboxes
from parity.driver.sandboxes.container import DockerSandboxes
from parity.driver.sandboxes.limits import can_make_groups
from parity.driver.trial_log import trial_logs
from parity.driver.trial_plan import RunContext
from parity.scorer.printable import printable


def run_and_report(options: argparse.Namespace) -> int:
    """Run the job, and return the exit code.

    Raises:
        CommandFailure: the job cannot be run.
    """
    began = time.monotonic()
    sandboxes = working_sandboxes(sandbox_name(options), options.refuse)
    job = configuration_of(options, options.refuse)
    host = dict(os.environ)
    try:
        plan = plan_job(job, own_options(options), sandboxes, host, strict=options.strict)
    except JobRefused as error:
        raise CommandFailure(*map(printable, str(error).splitlines())) from None
    if options.strict and plan.skipped:
        raise CommandFailure(*map(printable, plan.skipped))
    if missing := missing_host_variables(plan, host):
        raise CommandFailure(*map(printable, missing))
    left_out = [*_left_out(plan)]
    for line in left_out:  # even with --quiet, because leaving out a task makes it a different dataset
        say(f"note: {printable(line)}")
    requested = host_variables(plan, host)
    check_allowed(requested, options)
    if not job.quiet:
        for note in _notes(plan, sandboxes):
            say(f"note: {printable(note)}")
    with displayed(len(plan.trials), quiet=job.quiet) as display, trial_logs():
        try:
            end = asyncio.run(_run(plan, RunContext(sandboxes), display, options.line))
        except Stopped as stopped:
            display.close()
            _say_stopped(plan, display)
            return stopped.code
        except (ResumeError, JobDirectoryInUse) as error:
            raise CommandFailure(str(error)) from None
        except (ExceptionGroup, OverflowError) as error:
            raise CommandFailure(*dict.fromkeys(_reasons(ExceptionGroup("", [error]), plan))) from None
        except OSError as error:
            raise _cannot_write(error, plan) from None
    notes = [*left_out, *passed_to_tasks(requested), *_kept_images(sandboxes)]
    left_out_tasks = len(plan.skipped) + len(plan.left_out)
    write(summary(end.results, end.stats, plan.directory, time.monotonic() - began, notes, left_out=left_out_tasks))
    return RunCode.ERRORS if end.stats.errored or left_out_tasks else RunCode.NO_ERROR


async def _run(plan: JobPlan, context: RunContext, display: Display, line: list[str]) -> JobEnd:
    def show_earlier(earlier: EarlierRuns) -> None:
        display.earlier = len(earlier.results)
        if not plan.job.quiet:
            say(f"resuming: {len(earlier.results):,} of {len(plan.trials):,} trials have ended already")

    job = run_plan(
        plan,
        context,
        on_event=display.on_event,
        on_earlier=show_earlier,
        invocation=["parity", *line],
        others_first=True,
    )
    return await until_signalled(job, display.close)


def _left_out(plan: JobPlan) -> Iterator[str]:
    """Yield a line for each reason why a directory in the dataset is not run."""
    yield from (f"left out, no task: {reason}" for reason in plan.skipped)
    for reasons in plan.left_out.values():
        yield from (f"left out, not supported: {reason}" for reason in reasons)


def _kept_images(sandboxes: Sandboxes) -> Iterator[str]:
    if isinstance(sandboxes, DockerSandboxes) and (images := sorted(sandboxes.built_images)):
        yield f"built images are kept for the next run; remove them with docker image rm {' '.join(images)}"


_NETWORK = "use --allow-network with --sandbox docker or harbor:NAME"


def _notes(plan: JobPlan, sandboxes: Sandboxes) -> Iterator[str]:
    """Yield a note if the memory of a whole sandbox cannot be limited, and one if tasks are refused a network."""
    if sandboxes.name == "local" and not can_make_groups():
        what = "memory is limited for each process, not for each sandbox as a whole: no cgroup can be made here"
        yield f"{what}; run as root, or with systemd-run --user --scope"
    needing = sum(task.config.environment.network for task in plan.tasks)
    if needing and not plan.options.allow_network:
        whom = f"{needing:,} of {len(plan.tasks):,} tasks"
        yield f"{whom} ask for a network, at least by default, and get none; to give them one, {_NETWORK}"


def _say_stopped(plan: JobPlan, display: Display) -> None:
    if not plan.job.quiet:
        name = printable(plan.job.job_name)
        done = f"{display.done:,} of {len(plan.trials):,} trials have ended"
        say(f"stopped: {done}; to resume, run the same command with --job-name {name}")


def _reasons(group: BaseExceptionGroup[BaseException], plan: JobPlan) -> Iterator[str]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _reasons(error, plan)
        elif isinstance(error, OverflowError):
            what = f"a metric raises OverflowError, which ends a job of Harbor's: {error}"
            yield str(CommandFailure.at(plan.directory, what, "correct the rewards"))
        elif isinstance(error, OSError):
            yield str(_cannot_write(error, plan))
        else:
            what = f"{type(error).__name__}: {error}"
            yield str(CommandFailure.at(plan.directory, what, "correct it, and run the same command to resume the job"))


def _cannot_write(error: OSError, plan: JobPlan) -> CommandFailure:
    where = Path(error.filename or plan.directory)
    what = error.strerror or type(error).__name__
    is_output = where.is_relative_to(plan.job.jobs_dir)
    return CommandFailure.at(
        where, what, "correct it, or choose another --jobs-dir" if is_output else "make it readable"
    )


def check_allowed(requested: Mapping[str, VariableUse], options: argparse.Namespace) -> None:
    """Check that tasks may use the host's environment variables that they request; ask the user if there is a terminal.

    Raises:
        CommandFailure: tasks may not use some of the variables; it has one line for each of these.
    """
    if options.yes:
        return
    unapproved = {name: use for name, use in requested.items() if name not in options.allow_host_env}
    if not unapproved:
        return
    if _is_interactive() and _user_agrees(unapproved):
        return
    raise CommandFailure(*(_refusal(name, use) for name, use in unapproved.items()))


def passed_to_tasks(requested: Mapping[str, VariableUse]) -> Iterator[str]:
    """Yield a line for each of the host's environment variables that was given to tasks."""
    for name, use in requested.items():
        yield f"given to tasks: the host's {name}, for {_whom(use)}"


def _refusal(name: str, use: VariableUse) -> str:
    variable = printable(name)
    what = f"task.toml: the host's variable {variable} is used by {_tables(use)}"
    more = f" (and {len(use.tasks) - 1:,} more)" if len(use.tasks) > 1 else ""
    return f"{printable(use.tasks[0])}{more}: {what}; allow it with --allow-host-env {variable}"


def _whom(use: VariableUse) -> str:
    owner = printable(use.tasks[0]) if len(use.tasks) == 1 else f"{len(use.tasks):,} tasks"
    return f"{_tables(use)} of {owner}"


def _tables(use: VariableUse) -> str:
    return ", ".join(sorted(use.tables))


def _is_interactive() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def _user_agrees(unapproved: Mapping[str, VariableUse]) -> bool:
    for name, use in unapproved.items():
        say(f"{printable(name)}: used by {_whom(use)}")
    print("Give tasks these variables of this host? (y/N): ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
