"""Tests that the interfaces and documents which name all operations name each of them."""

import re

import pytest

from parity.operations import OPERATIONS
from parity.runners import CleanRoom
from parity.runners.runner import Runner
from tests.running import ROOT


@pytest.mark.parametrize("interface", [Runner, CleanRoom])
def test_interface_has_a_method_for_each_operation(interface: type) -> None:
    """The interface of runners and the built-in runner have a method for each operation."""
    assert [name for name in OPERATIONS if name not in vars(interface)] == []


_PLACES = {
    "golden/README.md": "^### (.*)",
    "parity/operations/README.md": r"^\| (`\w+`) \|",
    "parity/reference/README.md": "(`.*`)",
    "parity/runners/README.md": r"^    def (\w+)\(self",
    "parity/runners/pipe/PROTOCOL.md": r"^(`\w+`): vector",
    "parity/suite/report/README.md": r"^\| \w+ \| (`.*`) \|",
}
"""The documents, with a pattern for the places that name operations."""


@pytest.mark.parametrize("document", _PLACES)
def test_document_names_each_operation(document: str) -> None:
    """Each document about all operations has a row, a heading, a method or an example for each of them."""
    text = (ROOT / document).read_text(encoding="utf-8")

    named = re.findall(r"\w+", " ".join(re.findall(_PLACES[document], text, re.MULTILINE)))

    assert [name for name in OPERATIONS if name not in named] == []
