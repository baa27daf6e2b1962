"""The part of a record that only resumed jobs have: whether the job is still the same one."""

import json
from pathlib import Path
from typing import Any

from parity.operations.scenarios.records import Record
from parity.operations.scenarios.scenario import JobScenario


def with_identity(record: Record, scenario: JobScenario, job: Path) -> Record:
    """Add to the record of a job whether its id and its start are those of the earlier run.

    Nothing is added if there is no earlier result.json.
    """
    earlier = scenario.earlier.get("result.json")
    if earlier is None:
        return record
    before, after = json.loads(earlier), json.loads((job / "result.json").read_text(encoding="utf-8"))
    ids = {trial: _job_id(job / trial / "config.json") for trial in record["trials"]}
    return {
        **record,
        "goes_on": {
            **{name: before[name] == after[name] for name in ("id", "started_at")},
            "trials": {trial: found == after["id"] for trial, found in ids.items()},
        },
    }


def _job_id(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8")).get("job_id") if path.exists() else None
