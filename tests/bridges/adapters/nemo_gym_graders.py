"""Bridges to four graders in NeMo Gym: methods of its servers that run a task's tests and read the reward files.

The bridges replace the models for requests and responses, and the sandboxes: in these, agent and tests have already
run. A reward is one float, and the answer is `{"reward": float}`; Terminal-Bench 4 returns all rewards.
"""

import asyncio
import subprocess
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.sandbox import VERIFIER, BridgeSandbox
from tests.bridges.adapters.third_party import named, quietly, third_party

_ANYTERMINAL = third_party("responses_api_agents.anyterminal_agent.app")
_DEEPSWE = third_party("resources_servers.deepswe.app")
_TB21 = third_party("resources_servers.terminal_bench_2_1.app")
_TB4 = third_party("resources_servers.terminal_bench_4.verifier")

_MODEL: Any = SimpleNamespace(
    model_dump=dict,
    model_validate=lambda fields: SimpleNamespace(**fields),
    model_validate_json=lambda text: _MODEL,
)
_REQUEST = SimpleNamespace(session={"session_id": "session"})


class _GymSandbox(BridgeSandbox):
    """NeMo Gym's `AsyncSandbox`, where agent and verifier have already run."""

    async def start(self) -> None:
        """Do nothing: the sandbox is already running."""

    async def stop(self) -> None:
        """Do nothing: the sandbox has no process."""

    async def exec(self, command: str, **options: object) -> SimpleNamespace:
        self.check(
            command, "/tests/test.sh", f"test -f {VERIFIER}/", f"find {VERIFIER} ", "tar -czf /tmp/", "rm -f /tmp/"
        )
        if "/tests/test.sh" in command:
            return _ended(0)
        name = self.directory.name
        arguments = ["sh", "-c", command.replace(VERIFIER, name)]
        ran = subprocess.run(arguments, cwd=self.directory.parent, capture_output=True, text=True, errors="replace")
        return _ended(ran.returncode, ran.stdout.replace(f"{name}/", f"{VERIFIER}/"))

    async def download(self, path: str, target: str | Path) -> None:
        source = Path(path) if path.startswith("/tmp/.nemo-gym-") else self.readable(path)
        Path(target).write_bytes(source.read_bytes())


def _ended(return_code: int, stdout: str = "") -> SimpleNamespace:
    return SimpleNamespace(return_code=return_code, stdout=stdout, stderr="", error_type=None)


async def _nothing(*arguments: object, **options: object) -> tuple[float, bool]:
    """Do nothing, and return a duration and whether the command timed out."""
    return 0.0, False


class _Grader:
    """A runner with a new sandbox for each case."""

    def __init__(self) -> None:
        self.name = named("nemo-gym", type(self).__name__)

    def read_reward(self, directory: Path) -> Any:
        """Return the reward in the response, or all rewards."""
        sandbox = _GymSandbox(directory)
        with tempfile.TemporaryDirectory(prefix="parity-bridge-") as temporary, quietly():
            return self._answer(sandbox, Path(temporary))

    def _answer(self, sandbox: _GymSandbox, temporary: Path) -> Any:
        raise NotImplementedError


class AnyTerminal(_Grader):
    """The agent for Terminal-Bench tasks: `run()`, which calls `process_single_datapoint()`."""

    def _answer(self, sandbox: _GymSandbox, temporary: Path) -> dict[str, float]:
        metrics = temporary / "metrics.json"
        metrics.write_text("{}")
        datapoint = SimpleNamespace(
            config=SimpleNamespace(
                task_name="task",
                container="",
                sandbox_provider={"docker": {}},
                sandbox_default_metadata={},
                tb_sandbox_ttl=60,
                problem_info={},
                persistent_dir=temporary,
                verifier_dir=_Logs(sandbox),
                metrics_fpath=metrics,
                tb_eval_timeout=60,
                ray_queue_timestamp=time.time(),
            ),
            _uses_bind_mounts=lambda config: True,
            _run_agent=_nothing,
            _stage_tests=_nothing,
        )
        datapoint._run_eval = _ANYTERMINAL.RunTerminalAgent._run_eval.__get__(datapoint)

        async def responses(*arguments: object) -> SimpleNamespace:
            await _ANYTERMINAL.RunTerminalAgent.process_single_datapoint(datapoint)
            metadata = {"metrics": metrics.read_text(), "input": "[]", "instance_config": "{}"}
            return SimpleNamespace(metadata=metadata, tools=None, model="none")

        agent = SimpleNamespace(_sem=asyncio.Semaphore(1), _responses=responses, rollout_id_from_run=lambda body: "")
        body = SimpleNamespace(responses_create_params=SimpleNamespace(model_dump=dict))
        with mock.patch.multiple(
            _ANYTERMINAL,
            AsyncSandbox=lambda provider, spec: sandbox,
            SandboxSpec=SimpleNamespace,
            _build_provider=lambda config: None,
            AnyTerminalVerifyResponse=SimpleNamespace,
            AnyTerminalInstanceConfig=_MODEL,
        ):
            return {"reward": run(_ANYTERMINAL.AnyTerminalAgent.run(agent, body)).reward}


class _Logs:
    """A replacement for the path `/logs/verifier`, with the methods that the agent uses."""

    def __init__(self, sandbox: BridgeSandbox) -> None:
        self._sandbox = sandbox

    def mkdir(self, **options: bool) -> None:
        """Do nothing, because the directory exists."""

    def __truediv__(self, name: str) -> Path:
        return self._sandbox.readable(f"{VERIFIER}/{name}")


class DeepSWE(_Grader):
    """The server for DeepSWE: `verify()` for the golden patch, which calls `_run_verifier()`. It finds a ctrf.json."""

    def _answer(self, sandbox: _GymSandbox, temporary: Path) -> dict[str, float]:
        (temporary / "solution.patch").touch()
        task = SimpleNamespace(
            config=SimpleNamespace(
                metadata={"task_id": "task"},
                environment=SimpleNamespace(docker_image="none"),
                verifier=SimpleNamespace(timeout_sec=60),
            ),
            paths=SimpleNamespace(solution_dir=temporary),
        )

        async def create(*arguments: object, **options: object) -> _GymSandbox:
            return sandbox

        async def download(sandbox: _GymSandbox, path: str, target: Path) -> bool:
            if not path.endswith("/reward.json"):
                return True
            return bool(await _DEEPSWE.DeepSWEResourcesServer._download_if_present(server, sandbox, path, target))

        server = SimpleNamespace(
            config=SimpleNamespace(
                is_verifying_golden_patch=True,
                logs_dir=temporary,
                clear_verifier_logs=True,
                include_model_patch_in_response=False,
            ),
            _task_store={"task": task},
            _create_sandbox=create,
            _stop_sandbox=_nothing,
            _stage_verifier=_nothing,
            _download_if_present=download,
        )
        server._run_verifier = _DEEPSWE.DeepSWEResourcesServer._run_verifier.__get__(server)
        body = SimpleNamespace(
            task_id="task", image="none", verifier_metadata=None, sandbox_handle=None, model_dump=dict
        )
        with mock.patch.object(_DEEPSWE, "DeepSWEVerifyResponse", _MODEL):
            return {"reward": run(_DEEPSWE.DeepSWEResourcesServer.verify(server, _REQUEST, body)).reward}


class TerminalBench21(_Grader):
    """The server for Terminal-Bench 2.1: `verify()`."""

    def _answer(self, sandbox: _GymSandbox, temporary: Path) -> dict[str, float]:
        server = SimpleNamespace(
            config=SimpleNamespace(is_verifying_golden_patch=False, evaluation_timeout=60, debug=False),
            _session_id_to_sandbox={"session": sandbox},
            _upload_folder=_nothing,
        )
        body = SimpleNamespace(task_folder=temporary, task_name="task", model_dump=dict)
        with mock.patch.object(_TB21, "TerminalBench21VerifyResponse", SimpleNamespace):
            return {"reward": run(_TB21.TerminalBench21ResourcesServer.verify(server, _REQUEST, body)).reward}


class TerminalBench4(_Grader):
    """The verifier for Terminal-Bench 4: `run_verifier()`, which downloads `/logs/verifier` as an archive."""

    def _answer(self, sandbox: _GymSandbox, temporary: Path) -> Any:
        verifier = SimpleNamespace(env={}, user=None, timeout_sec=60)
        environment = SimpleNamespace(
            task=SimpleNamespace(config=SimpleNamespace(verifier=verifier)), exec=sandbox.exec, main=sandbox
        )
        return run(_TB4.run_verifier(environment, temporary, []))["rewards"]
