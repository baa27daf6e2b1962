"""Golden files as snapshots of syrupy, which records them: one JSON file each, under `golden/`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from syrupy.assertion import SnapshotAssertion
from syrupy.data import SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation

from parity.operations.goldens import golden_directory
from parity.plugin.golden_fixture import Goldens
from parity.suite.golden_recording import to_text


class GoldenExtension(SingleFileSnapshotExtension):
    """Snapshots named after an operation, or `manifest`. A snapshot that a run does not use is never deleted."""

    _write_mode = WriteMode.TEXT
    file_extension = "json"

    def serialize(self, data: Any, **_: Any) -> str:
        return to_text(data)

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        return str(golden_directory())

    @classmethod
    def get_file_basename(cls, *, test_location: PyTestLocation, index: Any) -> str:
        return str(index)

    @classmethod
    def matches_test_location(cls, *, test_location: PyTestLocation, snapshot_location: str) -> bool:
        return Path(snapshot_location).parent == golden_directory()

    def discover_snapshots(self, **_: Any) -> SnapshotCollections:
        # syrupy deletes only discovered files that are unused; golden files are deleted by hand only.
        return SnapshotCollections()


@dataclass(frozen=True)
class SnapshotGoldens(Goldens):
    """The golden files while they are recorded again."""

    snapshot: SnapshotAssertion

    def holds(self, name: str, document: dict[str, Any]) -> bool:
        """Record the document if the file contains a different one."""
        return bool(self.snapshot.use_extension(GoldenExtension)(name=name) == document)
