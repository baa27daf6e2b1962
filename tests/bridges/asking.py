"""Files that a verifier can leave, and a bridge's answers to them as text."""

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

FILES: dict[str, dict[str, str]] = {
    "json_and_txt": {"reward.json": '{"reward": 0.25}', "reward.txt": "0.5"},
    "nothing": {},
    "empty": {"reward.txt": ""},
    "true": {"reward.json": '{"reward": true}'},
    "quoted": {"reward.json": '{"reward": "1.5"}'},
    "nan": {"reward.txt": "nan"},
    "list": {"reward.json": "[1]"},
    "null": {"reward.json": "null"},
    "no_reward_key": {"reward.json": '{"a": 2, "b": 3}'},
}
"""The files of the verifier's folder, by the name of the difficulty."""


class Bridge(Protocol):
    """The part of a bridge that these tests use."""

    def read_reward(self, directory: Path) -> object: ...


def answers(bridge: Bridge, cases: Iterable[str] = FILES) -> dict[str, str]:
    """Return the bridge's answer to each case: the rewards, or the name of the exception."""
    return {case: _answer(bridge, FILES[case]) for case in cases}


def _answer(bridge: Bridge, files: dict[str, str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder) / "verifier"
        directory.mkdir()
        for name, content in files.items():
            (directory / name).write_text(content)
        try:
            return repr(bridge.read_reward(directory))
        except Exception as error:
            return type(error).__name__
