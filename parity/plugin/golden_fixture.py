"""The golden files in the form in which the suite's tests use them."""

import argparse
from typing import Any

import pytest

from parity.operations.goldens import golden_directory
from parity.suite.golden_recording import to_text


class Goldens:
    """The recorded files: one for each operation, and the manifest. They can be read without syrupy."""

    def holds(self, name: str, document: dict[str, Any]) -> bool:
        """Return whether a file is, byte for byte, what recording this document would write."""
        path = golden_directory() / f"{name}.json"
        return path.is_file() and path.read_text(encoding="utf-8") == to_text(document)


def is_recording(options: argparse.Namespace) -> bool:
    """Return whether syrupy is installed and records."""
    return bool(getattr(options, "update_snapshots", False))


def takes_goldens(item: pytest.Item) -> bool:
    """Return whether a test uses the golden files."""
    return "golden" in getattr(item, "fixturenames", ())
