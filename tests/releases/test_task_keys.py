"""The keys of task.toml that later releases of Harbor read are those that `parity lint` names."""

import json
import subprocess

import pytest

from parity.lint.task_files import LATER
from parity.reference.separate.making import python_of

pytestmark = pytest.mark.releases

_KEYS = """
import json, typing, pydantic
from harbor.models.task.config import TaskConfig

def models(kind):
    if isinstance(kind, type) and issubclass(kind, pydantic.BaseModel):
        return [kind]
    return [model for part in typing.get_args(kind) for model in models(part)]

def keys(model, within, around):
    for name, field in model.model_fields.items():
        yield within + name
        for each in models(field.annotation):
            if each not in around:
                yield from keys(each, within + name + ".", (*around, each))

print(json.dumps([*keys(TaskConfig, "", ())]))
"""


def _keys(release: str) -> set[str]:
    """Return all keys of task.toml; keys of a step have the names of the task's keys."""
    python = str(python_of(release, print))
    shown = subprocess.run([python, "-W", "ignore", "-c", _KEYS], capture_output=True, check=True, text=True)
    return {key.removeprefix("steps.") for key in json.loads(shown.stdout.splitlines()[-1])}


def _added(later: set[str], first: set[str]) -> set[str]:
    """Return the added keys, without those inside other added keys."""
    added = later - first
    return {key for key in added if not any(key.startswith(f"{other}.") for other in added)}


def test_later_keys() -> None:
    """`parity lint` names exactly the keys that releases added, with the right release."""
    first, before, newest = _keys("0.13.1"), _keys("0.20.0"), _keys("0.26.0")

    assert _added(newest, first) == set(LATER)
    assert _added(before, first) == {key for key, since in LATER.items() if since == "0.14"}
