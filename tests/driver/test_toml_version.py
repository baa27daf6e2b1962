"""Tests that task.toml must be TOML 1.0, as in Harbor, and that TOML 1.1 syntax is refused."""

from types import SimpleNamespace

import pytest
from harbor.models.task.config import TaskConfig

from parity.driver import task_file
from parity.driver.task_file import read_toml

_LATER = {
    "lines in an inline table": "environment = {\n cpus = 1}",
    "escape of the escape character": '[metadata]\nkey = "\\e"',
    "escape of a byte": '[metadata]\nkey = "\\x41"',
    "time without seconds": "[metadata]\nkey = 2020-01-01 10:00",
}


@pytest.mark.parametrize("toml", _LATER.values(), ids=_LATER.keys())
def test_toml_1_1_is_refused(toml: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Harbor and the driver refuse TOML 1.1 syntax, even if the installed tomli accepts it."""
    monkeypatch.setattr(task_file, "tomli", SimpleNamespace(loads=lambda text: {}))

    for read in (TaskConfig.model_validate_toml, read_toml):
        with pytest.raises(ValueError, match="line"):
            read(toml)
