"""config.json and lock.json of a job's folder, as Harbor reads them again. Mirrors harbor.models in what is taken.

What a model checks beyond its fields is here as far as a document of this kit can come to it. Of what nothing here
sets (plugins, mounts, servers, skills, hosts, TPUs) only the needed members are looked at. Members have the order in
which Harbor writes them.
"""

import re

from parity.driver.settings import NEVER_RETRIED
from parity.scorer.from_disk.reading import (
    DocumentReader,
    Fields,
    Misfit,
    Model,
    identifier,
    items,
    mapping,
    maybe,
    names,
    number,
    one_of,
    optional,
    path,
    table,
    text,
    time,
    truth,
    whole,
)

_TEXTS: tuple[DocumentReader, object] = (items(text), [])
_PATHS: tuple[DocumentReader, object] = (items(path), [])
_VARIABLES: tuple[DocumentReader, object] = (mapping(text), {})
_OPTIONS: tuple[DocumentReader, object] = (table, {})
MULTIPLIERS: Fields = {
    "timeout_multiplier": (number, 1.0),
    **optional(
        agent_timeout_multiplier=number,
        verifier_timeout_multiplier=number,
        agent_setup_timeout_multiplier=number,
        environment_build_timeout_multiplier=number,
    ),
}
_POLICIES = one_of("auto", "limit", "request", "guarantee", "ignore")


def _policy(value: object) -> object:
    return _POLICIES(value.lower() if isinstance(value, str) else value)


_POLICY: tuple[DocumentReader, object] = (_policy, "auto")
_OF_ARTIFACT = Model({"source": text}, {**optional(destination=text), "exclude": _TEXTS})


def _artifact(value: object) -> object:
    return value if isinstance(value, str) else _OF_ARTIFACT(value)


_ENVIRONMENT_TYPE = one_of(
    *("docker", "daytona", "e2b", "modal", "runloop", "gke", "novita", "apple-container", "singularity", "islo"),
    *("tensorlake", "cwsandbox", "wandb"),
)
_MOUNT = Model({"type": one_of("bind", "volume", "image"), "source": text, "target": text}, {})

_AGENT_FIELDS = Model(
    {},
    {
        **optional(name=text, import_path=text, model_name=text),
        "skills": _PATHS,
        **optional(override_timeout_sec=number, override_setup_timeout_sec=number, max_timeout_sec=number),
        "extra_allowed_hosts": _TEXTS,
        "kwargs": _OPTIONS,
        "env": _VARIABLES,
        "mcp_servers": (items(Model({"name": text}, {})), []),
    },
)


def _listed_variables(value: object) -> object:
    """Variables, which may be a list of `NAME=VALUE`."""
    if not isinstance(value, list):
        return mapping(text)(value)
    pairs = [text(item).partition("=") for item in value]
    if not all(equals for _, equals, _ in pairs):
        raise Misfit("must hold NAME=VALUE only")
    return {name.strip(): given.strip() for name, _, given in pairs}


_ENVIRONMENT_FIELDS = Model(
    {},
    {
        **optional(type=_ENVIRONMENT_TYPE, import_path=text),
        "force_build": (truth, False),
        "delete": (truth, True),
        "cpu_enforcement_policy": _POLICY,
        "memory_enforcement_policy": _POLICY,
        **optional(override_cpus=whole, override_memory_mb=whole, override_storage_mb=whole, override_gpus=whole),
        **optional(override_tpu=Model({"type": text, "topology": text}, {})),
        **optional(mounts=items(_MOUNT)),
        "extra_docker_compose": _PATHS,
        "env": (_listed_variables, {}),
        "kwargs": _OPTIONS,
        "extra_allowed_hosts": _TEXTS,
    },
)


def _agent(value: object) -> dict[str, object]:
    agent = _AGENT_FIELDS(value)
    return {**agent, "name": "oracle"} if agent["name"] is agent["import_path"] is None else agent


def _environment(value: object) -> dict[str, object]:
    environment = _ENVIRONMENT_FIELDS(value)
    unsaid = environment["type"] is environment["import_path"] is None
    return {**environment, "type": "docker"} if unsaid else environment


_VERIFIER = Model(
    {},
    {
        **optional(override_timeout_sec=number, max_timeout_sec=number, import_path=text),
        "env": _VARIABLES,
        "kwargs": _OPTIONS,
        "disable": (truth, False),
    },
)
_TASK_FIELDS = Model(
    {},
    {
        **optional(path=path, git_url=text, git_commit_id=text, name=text, ref=text),
        "overwrite": (truth, False),
        **optional(download_dir=path, source=text),
    },
)
_DATASET_FIELDS = Model(
    {},
    {
        **optional(path=path, name=text, version=text, ref=text, registry_url=text, registry_path=path),
        "overwrite": (truth, False),
        **optional(download_dir=path, task_names=items(text), exclude_task_names=items(text), n_tasks=whole),
    },
)


def _located(located: dict[str, object]) -> dict[str, object]:
    """A task or a dataset, which has either a path or a name."""
    if (located["path"] is None) == (located["name"] is None):
        raise Misfit("must have either a path or a name")
    return located


def _task(value: object) -> object:
    task = _located(_TASK_FIELDS(value))
    if task["ref"] is not None and task["name"] is None:
        raise Misfit("must go with a name", "ref")
    if task["git_commit_id"] is not None and task["git_url"] is None:
        raise Misfit("must go with a git_url", "git_commit_id")
    return task


def _dataset(value: object) -> object:
    dataset = _located(_DATASET_FIELDS(value))
    if dataset["version"] is not None and dataset["ref"] is not None:
        raise Misfit("must not have both a version and a ref")
    return dataset


def _retries(value: object) -> int:
    count = whole(value)
    if count < 0:
        raise Misfit("must not be negative")
    return count


_RETRY = Model(
    {},
    {
        "max_retries": (_retries, 0),
        **optional(include_exceptions=names),
        "exclude_exceptions": (maybe(names), sorted(NEVER_RETRIED)),
        "wait_multiplier": (number, 1.0),
        "min_wait_sec": (number, 1.0),
        "max_wait_sec": (number, 60.0),
    },
)
_SANDBOXES: Fields = {"environment": (_environment, _environment({})), "verifier": (_VERIFIER, _VERIFIER({}))}
_FILES: Fields = {"artifacts": (items(_artifact), []), "extra_instruction_paths": _PATHS}
_METRIC = one_of("sum", "min", "max", "mean", "uv-script")

JOB_CONFIG = Model(
    {},
    {
        "job_name": (text, ""),
        "jobs_dir": (path, "jobs"),
        "n_attempts": (whole, 1),
        **MULTIPLIERS,
        "debug": (truth, False),
        "n_concurrent_trials": (whole, 4),
        "quiet": (truth, False),
        "retry": (_RETRY, _RETRY({})),
        **_SANDBOXES,
        "metrics": (items(Model({}, {"type": (_METRIC, "mean"), "kwargs": _OPTIONS})), []),
        "agents": (items(_agent), [_agent({})]),
        "datasets": (items(_dataset), []),
        "tasks": (items(_task), []),
        **_FILES,
        "plugins": (items(Model({"import_path": text}, {"kwargs": _OPTIONS})), []),
    },
)
"""config.json of a job."""

TRIAL_CONFIG = Model(
    {"task": _task},
    {
        "trial_name": (text, ""),
        "trials_dir": (path, "trials"),
        **MULTIPLIERS,
        "agent": (_agent, _agent({})),
        **_SANDBOXES,
        **_FILES,
        **optional(job_id=identifier),
    },
)
"""config.json of a trial."""

_HARBOR = Model({}, optional(version=text, git_commit_hash=text, is_editable=truth))

_DIGEST = re.compile("sha256:[0-9a-f]{64}")


def _digest(value: object) -> str:
    """The SHA-256 digest of a task, a skill or a file."""
    # Rule: run-job/resume-lock-digests
    if _DIGEST.fullmatch(written := text(value)):
        return written
    raise Misfit("must be sha256: and 64 digits 0-9 and a-f")


_FILE_LOCKS = items(Model({"path": path, "digest": _digest}, {}))
_SKILL_LOCK = Model({"name": text, "source": path, "digest": _digest}, {})

JOB_LOCK = Model(
    {"n_concurrent_trials": whole, "retry": _RETRY},
    {
        "schema_version": (whole, 1),
        "created_at": (time, ""),
        "harbor": (_HARBOR, _HARBOR({})),
        **optional(invocation=items(text)),
        "trials": (
            items(
                Model(
                    {
                        "task": Model(
                            {"name": text, "type": one_of("local", "git", "package"), "digest": _digest},
                            optional(source=text, path=path, git_url=text, git_commit_id=text),
                        ),
                        "agent": _agent,
                        "environment": _environment,
                        "verifier": _VERIFIER,
                    },
                    {
                        **MULTIPLIERS,
                        "skills": (items(_SKILL_LOCK), []),
                        **optional(extra_instructions=_FILE_LOCKS, extra_docker_compose=_FILE_LOCKS),
                    },
                )
            ),
            [],
        ),
    },
)
"""lock.json of a job."""
