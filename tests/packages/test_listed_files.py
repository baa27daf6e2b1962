"""Tests of the lists of files in the packages of golden vectors."""

import json
import re

import parity
from parity.operations import OPERATIONS
from parity.operations.goldens import golden_directory

_GOLDEN = golden_directory()


def test_packages_name_the_files_of_all_operations() -> None:
    """Both packages have the file of each operation, and npm's has the version of the kit."""
    package = json.loads((_GOLDEN / "package.json").read_text())
    embedded = re.findall(r"^//go:embed (.*)$", (_GOLDEN / "golden.go").read_text(), re.MULTILINE)
    exported = re.findall(r'^  "(\w+)",$', (_GOLDEN / "index.mjs").read_text(), re.MULTILINE)
    typed = re.findall(r'^  \| "(\w+)"', (_GOLDEN / "index.d.ts").read_text(), re.MULTILINE)

    files = sorted(f"{name}.json" for name in (*OPERATIONS, "manifest"))
    assert [name for name in package["files"] if name.endswith(".json")] == files
    assert embedded == files
    assert exported == typed == sorted(OPERATIONS)
    assert package["version"] == parity.__version__
