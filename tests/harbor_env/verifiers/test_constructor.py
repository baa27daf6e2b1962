"""Tests that unknown and wrong arguments for a training environment are refused and not silently ignored."""

import inspect
import re
from pathlib import Path
from typing import Any

import pytest
import verifiers as vf

from parity import harbor_env
from parity.harbor_env.for_verifiers import HarborEnv
from parity.harbor_env.settings import NAMES
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


def test_readme_lists_the_arguments_that_the_other_class_refuses() -> None:
    """The README lists exactly the arguments of the release that the class without verifiers refuses."""
    constructors = [vars(kind)["__init__"] for kind in vf.HarborEnv.__mro__[:-1] if "__init__" in vars(kind)]
    arguments = {name for each in constructors for name in inspect.signature(each).parameters} - {"self", "kwargs"}
    readme = Path(harbor_env.__file__).with_name("README.md").read_text()

    section = readme.partition("refuses these:")[2].partition("The class for")[0]
    listed = re.findall(r"`(\w+)`", re.sub(r"^- of `\w+`:", "", section, flags=re.MULTILINE))

    assert sorted(listed) == sorted(arguments - {*NAMES})
