"""Reads the evidence for each rule from `golden/traceability.json`.

In a checkout, `python -m tests.spec` writes the file.
"""

from functools import cache
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from parity.operations.goldens import golden_directory

TRACEABILITY_FORMAT: Final = 1
TRACEABILITY_FILE = golden_directory() / "traceability.json"

type Authority = Literal["CPython", "description", "harbor", "kit", "pydantic", "verifiers"]

_CONFIG = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class Evidence(BaseModel):
    """The evidence for a rule, and the places that implement it."""

    model_config = _CONFIG

    operation: str
    sentence: str
    authority: tuple[Authority, ...]
    """Who decides the rule. `description` is the public scoring description, `kit` is this kit."""

    function: str
    """What decides the rule: functions or classes by their full names, or a section of a document."""

    releases: tuple[str, ...] | None
    """The releases of Harbor that answer all its vectors as 0.13.1 does; null if Harbor does not decide the rule."""

    vectors: tuple[str, ...]
    """The ids of its golden vectors."""

    drawn: bool
    """Whether the suite generates cases that can break it; if not, its vectors alone show it.

    In `run_trial`, `run_job`, `job_stats` and `harbor_env`, these are cases that execute what implements the rule.
    """

    clean_room: tuple[str, ...]
    """The places in the clean room that implement the rule: a file, and a name in it."""

    faulty_runners: tuple[str, ...]
    """Runners in the kit's tests that break this rule alone, and variants of the scorer that its vectors tell first."""


class Traceability(BaseModel):
    """The content of the file."""

    model_config = _CONFIG

    format: Literal[1]
    reference: str
    """The release of Harbor that the rules describe."""

    rules: dict[str, Evidence]
    """The evidence by the slug of each rule."""


@cache
def read_evidence() -> dict[str, Evidence]:
    """Read the evidence for every rule, and return it by the rule's slug."""
    return Traceability.model_validate_json(TRACEABILITY_FILE.read_bytes()).rules
