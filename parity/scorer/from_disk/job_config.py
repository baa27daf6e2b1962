"""Read a job's config.json: its metrics and its datasets."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Self

from pydantic import Field, model_validator

from parity.formats.configuration import MetricConfiguration
from parity.formats.document import Document
from parity.scorer.from_disk.documents import read_document
from parity.scorer.from_disk.files import FolderError


@dataclass(frozen=True)
class JobConfig:
    """The fields of config.json that the scorer needs."""

    metrics: tuple[str, ...]
    local: tuple[str, ...]
    """Paths of the local datasets, as written."""

    remote: tuple[str, ...]
    """Names of the datasets from a registry."""

    single_trials: int
    """Number of trials in an attempt whose tasks are named one by one. They are planned first."""

    may_retry: bool
    """Whether failed trials may be run again."""

    started: float
    """The time when config.json was last written, in seconds since 1970. Every run writes it before its first trial."""

    def dataset_names(self, sources: Mapping[str, str]) -> list[str]:
        """Return the datasets' names as trials record them; the name of a path is the last part of the resolved path.

        Args:
            sources: dataset names by folder, as lock.json recorded them on the machine that ran the job.
        """
        return [*(sources.get(str(PurePath(path))) or _name_of_end(path) for path in self.local), *self.remote]


def _name_of_end(path: str) -> str:
    try:
        return Path(path).expanduser().resolve().name
    except (RuntimeError, ValueError, OSError):  # no such user, a NUL, links in a circle
        return PurePath(path).name


class _Dataset(Document):
    path: str | None = None
    name: str | None = None

    @model_validator(mode="after")
    def _has_a_place(self) -> Self:
        if self.path is self.name is None:
            raise ValueError("must have a path or a name")
        return self


class _Config(Document):
    metrics: list[MetricConfiguration] = Field(default=[])
    datasets: list[_Dataset] = Field(default=[])
    tasks: list[dict[str, Any]] = Field(default=[])
    agents: list[dict[str, Any]] = Field(default=[{}])  # Harbor's default is one agent
    retry: dict[str, Any] = Field(default={})


def read_config(path: Path) -> JobConfig:
    """Read config.json.

    Raises:
        FolderError: the file cannot be read, is not a configuration, or has a `uv-script` metric or one with options.
    """
    config = read_document(path, _Config)
    for place, metric in enumerate(config.metrics):
        if metric.type == "uv-script":
            problem = f"metrics.{place} is a uv-script, a program that only Harbor runs"
            raise FolderError(path, problem, "score this job with Harbor")
        if metric.kwargs:
            options = ", ".join(metric.kwargs)
            raise FolderError(path, f"metrics.{place}.kwargs has {options}, but {metric.type} takes no options")
    return JobConfig(
        tuple(metric.type for metric in config.metrics),
        tuple(dataset.path for dataset in config.datasets if dataset.path is not None),
        tuple(dataset.name or "" for dataset in config.datasets if dataset.path is None),
        len(config.tasks) * len(config.agents),
        config.retry.get("max_retries", 0) != 0,
        path.stat().st_mtime,
    )
