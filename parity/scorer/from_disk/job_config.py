"""Read a job's config.json: its metrics and its datasets."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from parity.scorer.from_disk.files import FolderError
from parity.scorer.from_disk.reading import (
    DocumentReader,
    Misfit,
    Model,
    items,
    one_of,
    optional,
    read_document,
    table,
    text,
)
from parity.scorer.metrics import METRICS


@dataclass(frozen=True)
class JobConfig:
    """The fields of config.json that the scorer needs."""

    metrics: tuple[str, ...]
    local: tuple[str, ...]
    """Paths of the local datasets, as they were written."""

    remote: tuple[str, ...]
    """Names of the datasets from a registry."""

    single_trials: int
    """Number of trials in an attempt whose tasks are named one by one. They are planned first."""

    may_retry: bool
    """Whether trials that fail may be run again."""

    started: float
    """The time when config.json was last written, in seconds since 1970. Every run writes it before its first trial."""

    def dataset_names(self, sources: Mapping[str, str]) -> list[str]:
        """Return the datasets' names as trials record them: for a path, the last part of the path that it resolves to.

        Args:
            sources: folder to dataset name, as lock.json recorded them where and when the job ran.
        """
        return [*(sources.get(str(PurePath(path))) or _name_of_end(path) for path in self.local), *self.remote]


def _name_of_end(path: str) -> str:
    try:
        return Path(path).expanduser().resolve().name
    except (RuntimeError, ValueError, OSError):  # no such user, a NUL, links in a circle
        return PurePath(path).name


def _dataset(value: object) -> object:
    dataset = Model({}, optional(path=text, name=text))(value)
    if dataset["path"] is dataset["name"] is None:
        raise Misfit("must have a path or a name")
    return dataset


def _metric(value: object) -> object:
    kinds = one_of(*METRICS, "uv-script")
    metric = Model({}, {"type": (kinds, "mean"), "kwargs": (table, {})})(value)
    if metric["kwargs"] and metric["type"] != "uv-script":
        raise Misfit(f"has {', '.join(metric['kwargs'])}, but {metric['type']} takes no options", "kwargs")
    return metric["type"]


_OBJECTS: DocumentReader = items(table)
_CONFIG = Model(
    {},
    {
        "metrics": (items(_metric), []),
        "datasets": (items(_dataset), []),
        "tasks": (_OBJECTS, []),
        "agents": (_OBJECTS, [{}]),  # Harbor's default is one agent
        "retry": (table, {}),
    },
)


def read_config(path: Path) -> JobConfig:
    """Read config.json.

    Raises:
        FolderError: it cannot be read, is no job's configuration, or has a `uv-script` metric or a metric with options.
    """
    document = read_document(path, _CONFIG)
    if "uv-script" in document["metrics"]:
        problem = f"metrics.{document['metrics'].index('uv-script')} is a uv-script, a program that only Harbor runs"
        raise FolderError(path, problem, "score this job with Harbor")
    return JobConfig(
        tuple(document["metrics"]),
        tuple(dataset["path"] for dataset in document["datasets"] if dataset["path"] is not None),
        tuple(dataset["name"] for dataset in document["datasets"] if dataset["path"] is None),
        len(document["tasks"]) * len(document["agents"]),
        document["retry"].get("max_retries", 0) != 0,
        path.stat().st_mtime,
    )
