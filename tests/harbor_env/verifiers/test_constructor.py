"""Unknown and wrong arguments of an environment for training are refused, not silently ignored."""

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
        ({"foo": 1}, TypeError, "there is no argument 'foo'; known are "),
        ({"timeout_second": 3}, TypeError, "there is no argument 'timeout_second'; known are "),
        ({"mcp_launch_commands": {}}, TypeError, "there is no argument 'mcp_launch_commands'; known are "),
        ({"mcp_healthcheck": None}, TypeError, "there is no argument 'mcp_healthcheck'; known are "),
        ({"dataset": None}, TypeError, "there is no argument 'dataset'; known are "),
        ({"network": "no"}, TypeError, "network is 'no': give True or False"),
        ({"network": True}, ValueError, "network is True: local sandboxes have no network; use sandboxes='docker'"),
        ({"scoring": "x"}, ValueError, "scoring is 'x': choose 'harbor' or 'documented'"),
        ({"faults": "x"}, ValueError, "faults is 'x': choose 'zero' or 'error'"),
        ({"timeout_seconds": -1}, ValueError, "timeout_seconds is -1: give a time in seconds, or None for any time"),
        ({"cpu_cores": 0}, ValueError, "cpu_cores is 0: give a number above 0"),
        ({"memory_gb": "x"}, ValueError, "memory_gb is 'x': give a number above 0"),
        ({"environment_vars": {"A": 1}}, ValueError, "environment_vars has 'A' as 1: give a name without '='"),
        ({"max_turns": "x"}, TypeError, "max_turns is 'x': give how many, or -1 for any number"),
        ({"agent_workdir": "/proc/x"}, ValueError, "agent_workdir is '/proc/x': give another folder than /proc"),
    ],
)
def test_a_wrong_argument_is_named(
    tmp_path: Path, options: dict[str, Any], kind: type[Exception], expected: str
) -> None:
    """A wrong argument is named with the allowed values, or with all known arguments."""
    dataset = write_task(tmp_path, "true")

    with pytest.raises(kind) as raised:
        HarborEnv("true", dataset, sandboxes="local", interception_url=NOWHERE, **options)

    assert str(raised.value).startswith(expected)
