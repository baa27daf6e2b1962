"""Turns the options of `parity run` into the configuration of a job."""

import argparse
from datetime import datetime
from pathlib import Path

from parity.command.shared_options import Refuse
from parity.driver.documents.configurations import COMMAND_AGENT
from parity.driver.errors import InvalidTask, TaskError
from parity.driver.settings import Options
from parity.driver.task import read_task
from parity.formats.configuration import (
    AgentConfiguration,
    DatasetConfiguration,
    EnvironmentConfiguration,
    JobConfiguration,
    RetryConfiguration,
    TaskConfiguration,
    VerifierConfiguration,
)

_ENVIRONMENT = "parity.reference.sandbox_environment:SandboxEnvironment"
"""The import path from which Harbor loads this kit's sandboxes."""


def configuration_of(options: argparse.Namespace, refuse: Refuse) -> JobConfiguration:
    """Return the configuration of the job.

    The disk is read only to see whether PATH is a task, and which job name is free.
    """
    _check_encoding(options, refuse)
    path = _path(options, refuse)
    is_task = _is_task(path, verified=not options.disable_verification)
    if is_task and (options.include_task_name or options.exclude_task_name or options.n_tasks is not None):
        refuse("-i, -x and -l choose from a dataset, and PATH is a task; leave them out")
    dataset = DatasetConfiguration(
        path=path,
        task_names=options.include_task_name or None,
        exclude_task_names=options.exclude_task_name or None,
        n_tasks=options.n_tasks,
    )
    return JobConfiguration(
        job_name=options.job_name or _free_name(options.jobs_dir),
        jobs_dir=options.jobs_dir,
        datasets=[] if is_task else [dataset],
        tasks=[TaskConfiguration(path=path)] if is_task else [],
        n_attempts=options.n_attempts,
        n_concurrent_trials=options.n_concurrent,
        quiet=options.quiet,
        timeout_multiplier=options.timeout_multiplier,
        agent_timeout_multiplier=options.agent_timeout_multiplier,
        verifier_timeout_multiplier=options.verifier_timeout_multiplier,
        agent_setup_timeout_multiplier=options.agent_setup_timeout_multiplier,
        environment_build_timeout_multiplier=options.environment_build_timeout_multiplier,
        retry=_retry(options),
        environment=_environment(options, refuse),
        verifier=VerifierConfiguration(env=dict(options.ve), disable=options.disable_verification),
        agents=[_agent(options, refuse)],
    )


def own_options(options: argparse.Namespace) -> Options:
    """Return this kit's options that Harbor does not have."""
    return Options(options.allow_network, options.end_processes)


def _check_encoding(options: argparse.Namespace, refuse: Refuse) -> None:
    """Refuse option values that cannot be encoded as UTF-8, because the job's files are in UTF-8."""
    for name, value in vars(options).items():
        try:
            str(value).encode()
        except UnicodeEncodeError:
            refuse(f"--{name.replace('_', '-')}: {value!a} is not UTF-8; give it another name or value")


def sandbox_name(options: argparse.Namespace) -> str:
    """Return the kind of sandbox, as `--sandbox` names it."""
    if options.env is None:
        return str(options.sandbox)
    return "docker" if options.env == "docker" else f"harbor:{options.env}"


def _path(options: argparse.Namespace, refuse: Refuse) -> Path:
    paths = [path for path in (options.dataset, options.path) if path is not None]
    if not paths:
        refuse("the following arguments are required: PATH")
    if len(paths) > 1:
        refuse("PATH is given twice, by itself and with --path")
    return Path(paths[0])


def _is_task(path: Path, *, verified: bool) -> bool:
    """Return whether a directory is a task by Harbor's rules, or a broken task.

    A broken task is treated as a task if no subdirectory is one, so that its fault is reported instead of an empty
    dataset.
    """
    try:
        read_task(path, verified=verified, in_dataset=True)
    except InvalidTask:
        return (path / "task.toml").exists() and not any(path.glob("*/task.toml"))
    except TaskError:
        return True
    return True


def _free_name(jobs: Path) -> str:
    """Return a job's name: the local time, as in Harbor, followed by a number if a job of that name exists."""
    name = first = datetime.now().strftime("%Y-%m-%d__%H-%M-%S")
    number = 1
    while (jobs / name).exists():
        number += 1
        name = f"{first}-{number}"
    return name


def _retry(options: argparse.Namespace) -> RetryConfiguration:
    lists = {"include_exceptions": options.retry_include, "exclude_exceptions": options.retry_exclude}
    chosen = {name: errors for name, errors in lists.items() if errors is not None}
    return RetryConfiguration.model_validate({"max_retries": options.max_retries, **chosen})


def _environment(options: argparse.Namespace, refuse: Refuse) -> EnvironmentConfiguration:
    name = sandbox_name(options)
    if name == "local" and options.allow_network:
        refuse("--allow-network: local sandboxes have no network; use --sandbox docker")
    if not name.startswith("harbor:"):
        chosen = {"network": options.allow_network, "end_processes": options.end_processes}
        kwargs = {key: True for key, value in chosen.items() if value}
        return EnvironmentConfiguration(import_path=_ENVIRONMENT, kwargs={"sandbox": name, **kwargs})
    if options.end_processes:
        refuse(
            "--end-processes is for sandboxes local and docker: others may have processes of their own; leave it out"
        )
    own = name.removeprefix("harbor:")
    return EnvironmentConfiguration.model_validate({"import_path" if ":" in own else "type": own})


def _agent(options: argparse.Namespace, refuse: Refuse) -> AgentConfiguration:
    kwargs = dict(options.ak)
    unknown = sorted(kwargs.keys() - {"command"})
    if kwargs and options.agent != "command":
        refuse(f"--agent-kwarg is only for the agent command, not for {options.agent}; leave it out")
    if unknown:
        refuse(f"--agent-kwarg: the agent command accepts only command=SOURCE, not {unknown[0]}")
    if options.agent == "command" and not kwargs.get("command"):
        refuse("the agent command needs its command; give it with --agent-kwarg command=SOURCE")
    if options.agent == "command":
        return AgentConfiguration(import_path=COMMAND_AGENT, kwargs=kwargs, env=dict(options.ae))
    return AgentConfiguration(name=options.agent, env=dict(options.ae))
