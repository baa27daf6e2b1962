"""A bridge to `HarborEnv.compute_reward()` in verifiers 0.1 to 0.3, or in `verifiers.legacy` of later releases.

The bridge replaces the sandbox client, which uploads and runs the tests and reads the reward. The environment is the
real one, made once. A reward is one float; the answer is `{"reward": float}`. The environment scores most faults 0.0.
"""

import atexit
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.prime_sandbox import PrimeSandbox
from tests.bridges.adapters.task_directory import dataset_directory, task_directory
from tests.bridges.adapters.third_party import named, quietly, third_party

_INSTALL = "verifiers>=0.1.9.post3,<0.4 prime-sandboxes<0.3"


def _class() -> Any:
    """Return the class; later releases have it in `verifiers.legacy`."""
    for name in ("verifiers", "verifiers.legacy"):
        package = third_party(name, install=_INSTALL)
        with quietly():
            found = getattr(package, "HarborEnv", None)
        if found is not None:
            return found
    raise ImportError(f"{named('verifiers')} has no HarborEnv; install {_INSTALL}")


_HARBOR_ENV = _class()


class HarborEnv:
    """A runner with one environment for all cases, and a new client for each case."""

    def __init__(self) -> None:
        self.name = named("verifiers", "HarborEnv")
        with quietly(), mock.patch.object(atexit, "register"), mock.patch.object(signal, "signal"):
            self._environment = _HARBOR_ENV(
                run_command="true",
                dataset_path=dataset_directory(),
                interception_url="http://127.0.0.1:1",
            )

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the reward that `compute_reward` returns."""
        sandbox = PrimeSandbox(directory)
        state = {"sandbox_id": "bridge", "harbor_task_dir": str(task_directory()), "task": "task", "error": None}
        with quietly(), self._client(sandbox):
            return {"reward": run(self._environment.compute_reward(state))}

    @contextmanager
    def _client(self, client: PrimeSandbox) -> Iterator[None]:
        """Make the release use this client inside the `with` block, instead of one that it has or would create."""
        self._environment.sandbox_client = client
        module = import_module(type(self._environment).__module__)
        if not hasattr(module, "AsyncSandboxClient"):
            yield
            return
        with mock.patch.object(module, "AsyncSandboxClient", return_value=client):
            yield
