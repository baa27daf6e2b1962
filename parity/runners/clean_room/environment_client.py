"""A sandbox client for one rollout of a scenario, which stores files, runs a few commands, and records its calls.

The client really unpacks archives, so the transcript contains the places of files, but not how they were transferred.
"""

import asyncio
import shlex
import shutil
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parity.driver.places import LOGS_OF_VERIFIER, TEST_OUTPUT, TESTS
from parity.harbor_env.client import CommandResult, CreatedSandbox
from parity.operations.rollout.scenario import AGENT, RolloutCall, TaskScenario, write_files

type ClientCall = dict[str, Any]
"""One call, under its purpose as the only key."""


class ScriptedClient:
    """The sandbox client for one rollout. A directory on the host serves as the sandbox's root directory."""

    polling_seconds = 0.0

    def __init__(self, scenario: TaskScenario, root: Path) -> None:
        """Create a client whose sandbox has the empty directory `root` as its root directory."""
        self._scenario, self._root = scenario, root
        self.requests: list[Any] = []
        self.calls: list[ClientCall] = []
        self.tests: ClientCall = {}
        """The call that ran the test script."""

    async def create(self, request: Any) -> CreatedSandbox:
        self.requests.append(request)
        return CreatedSandbox("played")

    async def delete(self, sandbox_id: str) -> None:
        pass

    async def upload_file(self, sandbox_id: str, file_path: str, local_file_path: str, **options: Any) -> None:
        await self._inject("upload-tests" if "tests" in file_path else "upload-task")
        target = self._inside(file_path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(local_file_path, target)

    async def check_running(self, sandbox_id: str) -> None:
        """Do nothing: the sandbox of a scenario is never lost."""

    async def download_directory(self, sandbox_id: str, path: str, local_path: str) -> None:
        await self._inject("read-reward")
        shutil.copytree(self._inside(path), local_path, dirs_exist_ok=True)

    async def run_background_job(self, sandbox_id: str, command: str, **options: Any) -> CommandResult:
        return await self.execute_command(sandbox_id, command, **options)

    async def execute_command(
        self,
        sandbox_id: str,
        command: str,
        working_dir: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: int | None = None,
        **options: Any,
    ) -> CommandResult:
        """Record a command, and execute it if it is one that environments use. The agent's command does nothing.

        Raises:
            TimeoutError: the command takes longer than its timeout.
            OSError: a fault is injected.
            RuntimeError: the command is unexpected.
        """
        try:
            async with asyncio.timeout(timeout):
                return await self._run_scripted(command, {"cwd": working_dir, "env": dict(env or {})})
        except TimeoutError as error:
            raise TimeoutError(f"{command!r} took longer than {timeout} seconds") from error

    async def _run_scripted(self, command: str, arguments: ClientCall) -> CommandResult:
        if command == AGENT:
            self.calls.append({"run-agent": {"cwd": arguments["cwd"]}})
        elif command.startswith("mkdir -p "):
            await self._bring(command)
        elif "cat " in command:
            await self._inject("read-reward")
            return self._really_run(command)
        elif command == "bash test.sh" or TEST_OUTPUT in command:
            self.tests = {"command": command, **arguments}
            self.calls.append({"run-tests": {"command": command, "cwd": arguments["cwd"]}})
            await self._inject("run-tests")
            write_files(self._inside(LOGS_OF_VERIFIER), self._scenario.left)
            return CommandResult("", "", self._scenario.code)
        elif not command.startswith(("chmod ", "find ", "for process in /proc/")):
            raise RuntimeError(f"no script for {command!r}")
        return CommandResult("", "", 0)

    async def _bring(self, command: str) -> None:
        """Execute `mkdir -p DIRECTORIES && tar -xzf ARCHIVE -C / && rm ARCHIVE`."""
        make, extract, remove = (shlex.split(part) for part in command.split(" && "))
        directories, archive = make[2:], self._inside(extract[2])
        if TESTS in directories:
            await self._inject("unpack-tests")
        for directory in directories:
            self._inside(directory).mkdir(parents=True, exist_ok=True)
        with tarfile.open(archive) as members:
            members.extractall(self._root, filter="tar")
            names = sorted(member.name for member in members)
        self._inside(remove[1]).unlink()
        files = {f"/{name}": self._content(name) for name in names}
        purpose = "bring-tests" if TESTS in directories else "prepare"
        self.calls.append({purpose: {"folders": sorted(directories), "files": files}})

    def _really_run(self, command: str) -> CommandResult:
        """Run a command on the host, on the local copy of the verifier's directory. The command must only read."""
        there = command.replace(LOGS_OF_VERIFIER, shlex.quote(str(self._inside(LOGS_OF_VERIFIER))))
        null = subprocess.DEVNULL
        ended = subprocess.run(["/bin/bash", "-c", there], stdin=null, stdout=subprocess.PIPE, stderr=null, check=False)
        return CommandResult(ended.stdout.decode(errors="replace"), "", ended.returncode)

    def _content(self, name: str) -> str | None:
        path = self._root / name
        return path.read_bytes().decode(errors="backslashreplace") if path.is_file() else None

    def _inside(self, path: str) -> Path:
        return self._root / path.lstrip("/")

    async def _inject(self, call: RolloutCall) -> None:
        injected = self._scenario.injected_fault
        if injected is None or injected.call != call:
            return
        if injected.seconds is None:
            raise OSError(f"{call} fails on purpose")
        await asyncio.sleep(injected.seconds)
