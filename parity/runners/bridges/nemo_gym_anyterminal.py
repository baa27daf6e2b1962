"""A bridge to NeMo Gym's agent for Terminal-Bench tasks: `run()`, which reads reward.txt after the container has ended.

The bridge replaces the container, where agent and tests have already run, and the models of a served agent's requests
and responses. A reward is 1.0 or 0.0; the answer is `{"reward": float}`.
"""

import asyncio
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from parity.runners.bridges.event_loop import EventLoop
from parity.runners.bridges.sandbox import BridgeSandbox
from parity.runners.bridges.task_folder import task_folder
from parity.runners.third_party import named, quietly, third_party

_APP = third_party("responses_api_agents.anyterminal_agent.app", install="nemo-gym")
_IGNORED = SimpleNamespace(model_validate_json=lambda text: SimpleNamespace(model_dump=dict))


class AnyTerminal:
    """A runner with a new agent for each case, which starts one container."""

    def __init__(self) -> None:
        self.name = named("nemo-gym", "AnyTerminalAgent")
        self._loop = EventLoop()

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the reward of the response."""
        with (
            tempfile.TemporaryDirectory(prefix="parity-bridge-") as folder,
            quietly(),
            mock.patch.multiple(_APP, AnyTerminalVerifyResponse=SimpleNamespace, AnyTerminalInstanceConfig=_IGNORED),
        ):
            agent = _Agent(_Container(Path(folder), directory))
            return {"reward": self._loop.run(_APP.AnyTerminalAgent.run(agent, _body())).reward}


def _body() -> SimpleNamespace:
    return SimpleNamespace(responses_create_params=SimpleNamespace(model_dump=dict))


class _Agent:
    """The part of a served agent that `run()` uses."""

    def __init__(self, container: "_Container") -> None:
        self._container = container
        self._sem = asyncio.Semaphore(1)

    async def responses(self, params: object) -> SimpleNamespace:
        await self._container.process_single_datapoint()
        metrics = self._container.config.metrics_fpath.read_text()
        metadata = {"metrics": metrics, "input": "[]", "instance_config": "{}"}
        return SimpleNamespace(metadata=metadata, tools=None, model="none")


class _Container:
    """The part of the container's class that `process_single_datapoint()` uses; that method is the installed one."""

    process_single_datapoint = _APP.RunTerminalAgent.process_single_datapoint
    _stage_tests = _APP.RunTerminalAgent._stage_tests

    def __init__(self, folder: Path, directory: Path) -> None:
        metrics = folder / "metrics.json"
        metrics.write_text("{}")
        self.config = SimpleNamespace(
            task_name="task",
            problem_info={"task_dir": str(task_folder())},
            persistent_dir=folder,
            verifier_dir=_Logs(BridgeSandbox(directory)),
            metrics_fpath=metrics,
            agent_command_str="",
            tb_agent_timeout=60,
            tb_eval_timeout=60,
            ray_queue_timestamp=time.time(),
        )

    async def _start(self, command: str) -> SimpleNamespace:
        process = SimpleNamespace(communicate=_ended, returncode=0)
        return SimpleNamespace(process=process, log_file=SimpleNamespace(close=_nothing))


async def _ended() -> tuple[bytes, bytes]:
    return b"", b""


def _nothing() -> None:
    """Close nothing: the container has no log file."""


class _Logs:
    """A path of `/logs/verifier`, with the methods that the agent uses."""

    def __init__(self, sandbox: BridgeSandbox) -> None:
        self._sandbox = sandbox

    def mkdir(self, **options: bool) -> None:
        """Do nothing, because the folder exists."""

    def __truediv__(self, name: str) -> Path:
        return self._sandbox.readable(f"/logs/verifier/{name}")
