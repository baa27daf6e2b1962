"""config.json of a job: its metrics, and the datasets that they are computed for."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from parity.scorer.from_disk.files import FolderError, parse_object, read_text, type_name
from parity.scorer.metrics import METRICS


@dataclass(frozen=True)
class JobConfig:
    """What the scorer needs of config.json."""

    metrics: tuple[str, ...]
    local: tuple[str, ...]
    """Paths of the local datasets, as they were written."""

    remote: tuple[str, ...]
    """Names of the datasets from a registry."""

    single_trials: int
    """How many trials of an attempt are of tasks that are named by themselves; they are planned first."""

    may_retry: bool
    """Whether trials that fail may be run again."""

    started: float
    """When config.json was last written, which every run of the job does before its first trial: seconds since 1970."""

    def dataset_names(self, sources: Mapping[str, str]) -> list[str]:
        """The names that trials know their datasets by: of a path, the last part of what it leads to.

        Args:
            sources: folder to dataset name, as lock.json recorded them where and when the job ran.
        """
        return [*(sources.get(str(PurePath(path))) or _name_of_end(path) for path in self.local), *self.remote]


def _name_of_end(path: str) -> str:
    try:
        return Path(path).expanduser().resolve().name
    except (RuntimeError, ValueError, OSError):  # no such user, a NUL, links in a circle
        return PurePath(path).name


def read_config(path: Path) -> JobConfig:
    """Read config.json.

    Raises:
        FolderError: it cannot be read, is no job's configuration, or has a metric that is a program or has options.
    """
    document = parse_object(path, read_text(path))
    local, remote = [], []
    for number, dataset in enumerate(_objects(path, document, "datasets")):
        where, name = dataset.get("path"), dataset.get("name")
        if isinstance(where, str):
            local.append(where)
        elif isinstance(name, str):
            remote.append(name)
        else:
            raise FolderError(path, f"datasets.{number} must have a path or a name")
    agents = _objects(path, document, "agents") if "agents" in document else [{}]  # Harbor's default is one agent
    singles = len(_objects(path, document, "tasks")) * len(agents)
    metrics = [_metric(path, number, metric) for number, metric in enumerate(_objects(path, document, "metrics"))]
    retry = document.get("retry")
    may_retry = isinstance(retry, dict) and retry.get("max_retries", 0) != 0
    return JobConfig(tuple(metrics), tuple(local), tuple(remote), singles, may_retry, path.stat().st_mtime)


def _objects(path: Path, document: dict[str, Any], field: str) -> list[dict[str, Any]]:
    values = document.get(field, [])
    if not isinstance(values, list):
        raise FolderError(path, f"{field} must be an array, not {type_name(values)}")
    for number, value in enumerate(values):
        if not isinstance(value, dict):
            raise FolderError(path, f"{field}.{number} must be an object, not {type_name(value)}")
    return values


def _metric(path: Path, number: int, metric: Mapping[str, Any]) -> str:
    kind = metric.get("type", "mean")
    if kind == "uv-script":
        problem = f"metrics.{number} is a uv-script, a program that only Harbor runs"
        raise FolderError(path, problem, "score this job with Harbor")
    if not isinstance(kind, str) or kind not in METRICS:
        raise FolderError(path, f"metrics.{number}.type must be one of {', '.join(METRICS)}")
    options = metric.get("kwargs", {})
    if not isinstance(options, dict):
        raise FolderError(path, f"metrics.{number}.kwargs must be an object, not {type_name(options)}")
    if options:
        raise FolderError(path, f"metrics.{number}.kwargs has {', '.join(options)}, but {kind} takes no options")
    return kind
