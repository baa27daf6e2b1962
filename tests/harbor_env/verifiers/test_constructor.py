"""Tests that unknown and wrong arguments for a training environment are refused and not silently ignored."""

from pathlib import Path
from typing import Any

import pytest

from parity.harbor_env.for_verifiers import HarborEnv
from tests.harbor_env.verifiers.places import write_task
from tests.harbor_env.verifiers.rollouts import NOWHERE, foreign_warnings

pytestmark = foreign_warnings


@pytest.mark.parametrize(
    ("options", "kind", "expected"),
    [
        *(
            ({name: None}, TypeError, f"unexpected argument {name!r}; expected one of ")
            for name in ("timeout_second", "dataset", "base_url")
        ),
        ({"scoring": "x"}, ValueError, "scoring must be 'harbor' or 'documented', not 'x'"),
        ({"interception_url": None}, ValueError, "sandboxes have no tunnel: give the interception_url"),
    ],
)
def test_wrong_argument_is_reported(
    tmp_path: Path, options: dict[str, Any], kind: type[Exception], expected: str
) -> None:
    """A wrong argument is reported with the allowed values, or with all known arguments."""
    dataset = write_task(tmp_path, "true")

    with pytest.raises(kind) as raised:
        HarborEnv("true", dataset, sandboxes="local", **{"interception_url": NOWHERE, **options})

    assert str(raised.value).startswith(expected)
