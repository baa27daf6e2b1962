"""Tasks that the driver does not support, or could not contain, are refused before anything runs."""

from pathlib import Path

import pytest

from parity.driver.errors import UnsupportedTask
from parity.driver.task_file import check_supported
from parity.formats.task import EnvironmentConfig, TaskConfig, TaskStep


@pytest.mark.parametrize("name", ["", ".", "..", "../out", "/out", "a/b"])
def test_a_step_has_a_plain_name(name: str) -> None:
    """A step whose name is not a plain folder name is refused."""
    config = TaskConfig(steps=(TaskStep(name="plain"), TaskStep(name=name)))

    with pytest.raises(UnsupportedTask) as refused:
        check_supported(Path("task"), config)

    assert f"task.toml: steps.name is {name!r}" in str(refused.value)


def test_a_list_of_hosts_cannot_be_enforced() -> None:
    """A list of allowed hosts is refused, because a sandbox has the whole network or none."""
    config = TaskConfig(environment=EnvironmentConfig(network_mode="allowlist", allowed_hosts=("host",)))

    with pytest.raises(UnsupportedTask) as refused:
        check_supported(Path("task"), config)

    assert "environment.network_mode is allowlist" in str(refused.value)
