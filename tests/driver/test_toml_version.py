"""task.toml must be TOML 1.0, as in Harbor; syntax of TOML 1.1 is refused."""

from pathlib import Path
from tomllib import TOMLDecodeError
from types import SimpleNamespace
from typing import Any

import pytest
from harbor.models.task.config import TaskConfig

from parity.driver import task_file
from parity.driver.errors import InvalidTask
from parity.driver.task_file import read_task_file, read_toml

LATER = {
    "lines in an inline table": "environment = {\n cpus = 1}",
    "escape of the escape character": '[metadata]\nkey = "\\e"',
    "escape of a byte": '[metadata]\nkey = "\\x41"',
    "time without seconds": "[metadata]\nkey = 2020-01-01 10:00",
}


@pytest.mark.parametrize("toml", LATER.values(), ids=LATER.keys())
def test_later_toml(toml: str, tmp_path: Path) -> None:
    """Harbor and the driver refuse syntax of TOML 1.1."""
    with pytest.raises(ValueError, match="line"):
        TaskConfig.model_validate_toml(toml)
    (tmp_path / "task.toml").write_text(toml)
    with pytest.raises(InvalidTask, match="not TOML"):
        read_task_file(tmp_path)


@pytest.mark.parametrize("toml", LATER.values(), ids=LATER.keys())
def test_whatever_tomli_takes(toml: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Syntax of TOML 1.1 is refused even if the installed tomli accepts it, as releases from 2.4 on do."""

    def later(text: str) -> dict[str, Any]:
        return {}

    monkeypatch.setattr(task_file, "tomli", SimpleNamespace(loads=later))

    with pytest.raises(TOMLDecodeError):
        read_toml(toml)
