"""Leaves out tests of bridges whose package is not installed, and lists them."""

import os

from tests.bridges.known import HERE, MISSING
from tests.bridges.known_results import MISSING_READERS, READERS

_MISSING = {**MISSING, **MISSING_READERS}
if not os.environ.get("PROMPT_LIBRARY"):
    _MISSING["prompt_library"] = "PROMPT_LIBRARY is not set; set it to a checkout of prompt-library"

collect_ignore = [f"test_{name}.py" for name in _MISSING] + ([] if HERE else ["test_known.py"])
collect_ignore += [] if READERS else ["test_known_results.py"]


def pytest_report_header() -> list[str]:
    """Return a header line for each bridge that is not tested, with the reason."""
    return [f"bridge {name} is NOT TESTED: {why}" for name, why in _MISSING.items()]
