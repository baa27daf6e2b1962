"""A bridge to HUD's Harbor integration: `evaluation()` in the controller, which runs in a task's image after the tests.

The controller is a module that reads its settings from the image when it is imported. The bridge replaces these
settings, and the path `/logs/verifier`. A reward is one float; the answer is `{"reward": float}`. If a result is marked
as an error, the bridge raises an `EvaluationError`.
"""

import json
from pathlib import Path
from typing import Any
from unittest import mock

from tests.bridges.adapters.sandbox import BridgeSandbox
from tests.bridges.adapters.third_party import named, quietly, third_party

_NETWORK = {"enabled": False, "allowed_hosts": []}
_PHASE = {"user": None, "network": _NETWORK, "env": {}}
_SETTINGS: dict[str, Any] = {
    "name": "task",
    "mounts": [],
    "workdir": "/app",
    "image_user": None,
    "image_env": {},
    "entrypoint": [],
    "ports": [],
    "verifier_root": None,
    "verifier_image": {"workdir": "/app", "env": {}},
    "environment": {"env": {}, "network": _NETWORK, "healthcheck": None},
    "agent": _PHASE,
    "verifier": _PHASE,
    "capabilities": [],
    "local_aliases": [],
    "peers": [],
}


def _controller() -> Any:
    third_party("hud.integrations.harbor")
    read = Path.read_text

    def read_text(path: Path, *rest: str, **options: str) -> str:
        return json.dumps(_SETTINGS) if path == Path("/controller/config.json") else read(path, *rest, **options)

    with mock.patch.object(Path, "read_text", read_text):
        return third_party("hud.integrations.harbor.env")


_CONTROLLER = _controller()
_ENDED = third_party("hud.utils.process").ProcessResult(returncode=0, stdout=b"", stderr=b"")


class EvaluationError(Exception):
    """The controller's result is marked as an error."""


class HarborEvaluation:
    """A runner with one controller for all cases, which uses a different `/logs/verifier` for each case."""

    def __init__(self) -> None:
        self.name = named("hud", "Harbor controller")

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the reward that the evaluation returns."""
        with quietly(), mock.patch.object(_CONTROLLER, "VERIFIER_LOGS", _LogsPath(BridgeSandbox(directory))):
            result = _CONTROLLER.evaluation(_ENDED, 60.0)
        if result.isError:
            raise EvaluationError(result.content)
        return {"reward": result.reward}


class _LogsPath:
    """A replacement for the path `/logs/verifier`, with the operators that the controller uses."""

    def __init__(self, sandbox: BridgeSandbox) -> None:
        self._sandbox = sandbox

    def __truediv__(self, name: str) -> Path:
        return self._sandbox.place(f"/logs/verifier/{name}")
