"""Files that an earlier run of a job leaves in its folder: documents written by this driver, without random parts.

In these documents, `<folder>` stands for the folder around the job's folder.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from parity.driver.documents.configurations import PlannedTrial, job_config_tree, trial_config_tree
from parity.driver.documents.result_trees import Failure, RecordedStep, TrialRecord, VerifierResult
from parity.driver.documents.writing import time_text
from parity.operations.scenarios.execution import JOB, settings_of
from parity.operations.scenarios.scenario import JobScenario
from parity.scorer.from_disk.trial_file import without_nulls
from parity.scorer.result_text import Tree, text_of
from parity.scorer.stats import Progress, Stats, job_document
from parity.scorer.values import Rewards

_ROOT = Path("<folder>")
_ID = UUID("12345678-1234-4234-8234-123456789abc")
_THEN, _LOCAL = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), datetime(2026, 1, 2, 3, 4, 5)


@dataclass(frozen=True)
class Left:
    """One trial as an earlier run left it."""

    task: int
    """The number of the task, from 1."""

    rewards: Rewards | None = None
    error: str | None = None
    ended: bool = True
    agent: int = 0
    steps: tuple[Rewards | None, ...] | None = None


def earlier_files(scenario: JobScenario, left: Iterable[Left], *, retries: int = 0) -> dict[str, str]:
    """Write the files of an earlier run with the settings of a scenario; return texts by path in the job's folder.

    Args:
        scenario: the job that was run.
        left: the trials that are left, named after their tasks and their places in this list.
        retries: the number of retries that were counted.
    """
    settings = replace(settings_of(scenario, _ROOT), datasets=(_ROOT / "dataset",))
    host = dict(scenario.settings.host)
    total = max(scenario.attempts, 0) * len(scenario.tasks) * len(settings.agents)
    at = time_text(_LOCAL)
    identity = {"id": str(_ID), "started_at": at, "updated_at": at, "finished_at": None}
    result = job_document(identity, total, Stats(), Progress(0, 0, retries))
    files = {"config.json": _text(job_config_tree(settings, host=host)), "result.json": _text(result), "job.log": ""}
    for place, each in enumerate(left):
        name = f"task-{each.task}__early{place:02}"
        task = _ROOT / "dataset" / f"task-{each.task}"
        trial = PlannedTrial(task, "dataset", name, each.agent)
        config = trial_config_tree(settings, trial, job_id=str(_ID), host=host)
        files[f"{name}/config.json"] = _text(config)
        if each.ended:
            files[f"{name}/result.json"] = _text(_record(scenario, each, name, task, config).tree())
        else:
            files[f"{name}/agent/"] = ""
    return files


def earlier_lock(scenario: JobScenario, digest: str) -> dict[str, Any]:
    """Return lock.json of a job that was run with the settings of a scenario.

    Args:
        scenario: the job that was run.
        digest: the digest of each task's folder.
    """
    config: dict[str, Any] = json.loads(earlier_files(scenario, ())["config.json"])
    trials = [
        {
            "task": {"name": f"task-{number}", "type": "local", "digest": digest},
            **{"agent": agent, "environment": config["environment"], "verifier": config["verifier"]},
        }
        for _ in range(scenario.attempts)
        for number in range(1, len(scenario.tasks) + 1)
        for agent in config["agents"]
    ]
    settings = {name: config[name] for name in ("n_concurrent_trials", "retry")}
    lock: dict[str, Any] = json.loads(json.dumps(without_nulls({**settings, "trials": trials})))
    return lock


def _record(scenario: JobScenario, left: Left, name: str, task: Path, config: Mapping[str, Tree]) -> TrialRecord:
    agent = (scenario.settings.agent, *scenario.further_agents)[left.agent]
    return TrialRecord(
        _ID,
        task.name,
        name,
        Path("/") / JOB / name,
        task,
        "dataset",
        "",
        config,
        agent.name,
        "1.0.0",
        _THEN,
        agent.model_name,
        agent.model_provider,
        left.steps is None,
        None if left.rewards is None else VerifierResult(left.rewards),
        None if left.error is None else Failure(left.error, "", "", _LOCAL),
        _THEN,
        steps=None
        if left.steps is None
        else [RecordedStep(f"step-{number}", True, VerifierResult(each)) for number, each in enumerate(left.steps)],
    )


def _text(tree: Tree) -> str:
    """Write a document in one line; Harbor reads any layout."""
    return json.dumps(json.loads(text_of(tree)), ensure_ascii=False)
