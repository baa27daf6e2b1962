"""Flags of resumed jobs, derived from the files of earlier runs in the job's folder."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from parity.driver.documents.configurations import canonical, job_config_tree
from parity.formats.configuration import JobConfiguration, TrialConfiguration
from parity.formats.document import Document
from parity.formats.job_result import JobResult
from parity.operations.answers import Fault, Value
from parity.operations.rule import carried
from parity.operations.scenarios.execution import settings_of
from parity.operations.scenarios.scenario import JobScenario
from parity.scorer.from_disk.trial_score import TRIAL_RESULT


def flags_of_earlier(scenario: JobScenario, answer: Value | Fault) -> Iterator[str]:
    """Yield the flags of the files that earlier runs left, given a scenario and its answer."""
    files = scenario.earlier
    if not files:
        return
    trials = {name.partition("/")[0] for name in files if "/" in name}
    results = {trial: _parsed(files[f"{trial}/result.json"]) for trial in trials if f"{trial}/result.json" in files}
    refused = isinstance(answer, Fault) and answer.kind == "ValueError"
    yield from carried(
        {
            "earlier": True,
            "earlier-lock": "lock.json" in files,
            "earlier-lock-digests": _has_digests(_parsed(files.get("lock.json", ""))),
            "earlier-legacy": _has_older_counts(_parsed(files.get("result.json", ""))),
            "earlier-without-config": "config.json" not in files and "result.json" in files,
            "earlier-begun": len(results) < len(trials),
            "earlier-other-settings": _has_other_settings(scenario),
            "earlier-not-planned": refused and "config.json" in files and "lock.json" not in files,
        }
    )
    for result in results.values():
        error = _member(result, "exception_info")
        yield "earlier-cancelled" if _member(error, "exception_type") == "CancelledError" else "earlier-ended"
        for part in [result, *(_member(result, "step_results") or ())]:
            yield from _of_rewards(_member(_member(part, "verifier_result"), "rewards"))
    yield from _of_documents(scenario)


def _has_other_settings(scenario: JobScenario) -> bool:
    """Return whether config.json differs from the scenario in any member, even one that is not a setting."""
    root = Path("<folder>")
    settings = replace(settings_of(scenario, root), datasets=(root / "dataset",))
    try:
        found = JobConfiguration.model_validate_json(scenario.earlier.get("config.json", ""))
    except ValidationError:
        return False
    wanted = JobConfiguration.model_validate(job_config_tree(settings, host=scenario.settings.host))
    return canonical(found.model_dump(mode="json")) != canonical(wanted.model_dump(mode="json"))


def _has_digests(lock: Any) -> bool:
    """Return whether a trial has skills, instructions or Compose files, or lacks the digest of its task."""
    trials = _member(lock, "trials")
    return any(
        any(_member(trial, name) is not None for name in ("extra_instructions", "extra_docker_compose"))
        or bool(_member(trial, "skills"))
        or bool(_member(_member(trial, "agent"), "skills"))
        or bool(_member(_member(trial, "environment"), "extra_docker_compose"))
        or not _DIGEST.fullmatch(str(_member(_member(trial, "task"), "digest")))
        for trial in (trials if isinstance(trials, list) else ())
    )


_DIGEST = re.compile("sha256:[0-9a-f]{64}")


def _has_older_counts(result: Any) -> bool:
    stats = _member(result, "stats")
    return isinstance(_member(result, "status"), dict) or any(
        _member(stats, name) is not None for name in ("n_trials", "n_errors")
    )


def _of_rewards(rewards: Any) -> Iterator[str]:
    if isinstance(rewards, dict):
        if None in rewards.values():
            yield "earlier-not-finite"
        if any("\ufffd" in key for key in rewards):
            yield "earlier-replaced-key"


def _of_documents(scenario: JobScenario) -> Iterator[str]:
    for name, text in scenario.earlier.items():
        model = _model(name)
        if model is None:
            continue
        try:
            read = model.model_validate_json(text)
        except ValidationError:
            yield "earlier-damaged"
        else:
            if canonical(_reduced(read.model_dump(mode="json"))) != canonical(_reduced(_parsed(text))):
                yield "earlier-otherwise"
    if any(
        f"{name.partition('/')[0]}/config.json" not in scenario.earlier
        for name in scenario.earlier
        if "/result." in name
    ):
        yield "earlier-damaged"


def _model(name: str) -> type[Document] | None:
    of_trial = "/" in name
    if name.endswith("config.json"):
        return TrialConfiguration if of_trial else JobConfiguration
    if name.endswith("result.json"):
        return TRIAL_RESULT if of_trial else JobResult
    return None


def _reduced(value: Any) -> Any:
    """Return a document without members that Harbor omits at their default."""
    if isinstance(value, list):
        return [_reduced(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _reduced(item) for name, item in value.items() if name not in _UNWRITTEN or item not in (None, {}, [])
    }


_UNWRITTEN = {"import_path", "kwargs", "trial_results"}


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None
