"""Tests that what the README says first installs the kit, and that its metadata has no links that lead nowhere."""

import os
import re
import subprocess
import sys
import tomllib

import pytest

from tests.readme.console import documents
from tests.running import ROOT

_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
_LINK = re.compile(r"\[[^\[\]]+\]\((?P<target>[^()\s]+)\)")


@pytest.mark.slow
@pytest.mark.needs("index")
def test_first_lines_of_the_readme_work_in_an_empty_environment() -> None:
    """The README's first line installs the checkout, and its test of a naive reader finds that it pays out."""
    run = subprocess.run(
        [ROOT / ".ci" / "try-readme"],
        env={**os.environ, "PYTHON": sys.executable}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )  # fmt: skip

    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.splitlines()[0] == "+ pip install ."
    assert run.stdout.splitlines()[-1] == "exit code 1"


def test_relative_links_are_plain_text_in_the_metadata() -> None:
    """The description in the metadata is the README, with the text of each relative link in place of the link."""
    readme = (ROOT / "README.md").read_text("utf-8")
    hook = _PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    (substitution,) = hook["substitutions"]

    description = re.sub(substitution["pattern"], substitution["replacement"], readme)

    targets = [found["target"] for found in _LINK.finditer(description)]
    assert _LINK.search(readme)
    assert "urls" in _PROJECT["project"] or [each for each in targets if not each.startswith("http")] == []
    assert re.sub(r"[\[\]]|\([^()\s]+\)", "", description) == re.sub(r"[\[\]]|\([^()\s]+\)", "", readme)


def test_no_readme_names_a_registry() -> None:
    """No document names the address of a package registry."""
    address = re.compile(r"pypi\.|npmjs\.|pkg\.go\.dev")

    assert documents()
    assert [path for path in documents() if address.search(path.read_text("utf-8"))] == []
