"""A host with canaries, on which a job of hostile tasks runs as a separate program."""

import json
import os
import signal
import stat
import subprocess
import sys
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.run.attacks import Attack
from tests.sandboxes.kinds import IMAGE, marker

_ROOT = Path(__file__).parents[2]
TIMEOUT = 900
"""Seconds within which a job has to end; more than ten times what it takes."""

_WITH_KEY = """
import ctypes, os, sys
libc, name, secret = ctypes.CDLL(None), *map(str.encode, sys.argv[1:3])
libc.syscall(250, 1, None)
libc.syscall(248, b"user", b"canary-" + name, secret, len(secret), -3)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Starts a program with a key in its session keyring (by system call numbers of x86-64; on others without a key)."""

_SETTINGS = """\
artifacts = {artifacts}
[agent]
timeout_sec = {agent}

[verifier]
timeout_sec = {verifier}
{apart}
{settings}
[environment]
{image}
network_mode = "no-network"
"""
_APART = """
[verifier.environment]
{image}
network_mode = "no-network"
workdir = "/tests"
"""


@dataclass(frozen=True)
class Ended:
    """The result of a run of the driver."""

    code: int | None
    """The exit code; None if the driver did not end by itself."""

    out: str
    err: str
    largest: int = 0
    """The most bytes of memory that the driver used."""


class Host:
    """A folder with everything that a job must not touch, and the job's own folder."""

    def __init__(self, top: Path, kind: str) -> None:
        self.kind, self.top = kind, top
        self.name = uuid.uuid4().hex
        self.secret = f"secret-{uuid.uuid4().hex}"
        self.mark = marker()
        self.folder = top / "host"
        self.temporary = top / "temporary"
        self.data = top / "data"
        self.jobs = top / "jobs"
        for folder in (self.folder / "bin", self.temporary, self.data, top / "home"):
            folder.mkdir(parents=True)
        (self.folder / "canary").write_text(self.secret)
        (self.folder / "reward").write_text("1")
        (self.folder / "reward.txt").write_text("1")
        for name in ("docker", "bwrap", "tar", "bash", "python3", "mkdir", "nsenter"):
            program = self.folder / "bin" / name
            program.write_text(f"#!/bin/sh\ntouch {self.folder}/planted\n")
            program.chmod(0o755)
        self.before = self.inventory()

    def inventory(self) -> dict[str, tuple[int, bytes]]:
        """Return the rights and content of every file in the folder."""
        return {
            str(path.relative_to(self.folder)): (path.lstat().st_mode, path.read_bytes() if path.is_file() else b"")
            for path in sorted(self.folder.rglob("*"))
        }

    def filled(self, source: str) -> str:
        """Return bash source, or settings, with this host's paths filled in."""
        pattern = f"[{self.secret[0]}]{self.secret[1:]}"
        places = {"HOST": str(self.folder), "MARK": self.mark, "NAME": self.name, "PATTERN": pattern}
        for name, value in places.items():
            source = source.replace(f"@{name}@", value)
        return source

    def write(self, attack: Attack, folder: Path | None = None) -> Path:
        """Write the task of an attack."""
        folder = folder or self.data / attack.name
        for name in ("environment", "solution", "tests"):
            (folder / name).mkdir(parents=True)
        image = f'docker_image = "{IMAGE}"'
        apart = _APART.format(image=image) if attack.apart else ""
        settings = _SETTINGS.format(
            artifacts=attack.artifacts, agent=attack.agent, verifier=attack.verifier, apart=apart,
            settings=attack.settings, image=image,
        )  # fmt: skip
        (folder / "task.toml").write_text(self.filled(settings))
        (folder / "instruction.md").write_text("Do no harm.\n")
        (folder / "solution" / "solve.sh").write_text(f"#!/bin/bash\n{self.filled(attack.solve)}\n")
        (folder / "tests" / "test.sh").write_text(f"#!/bin/bash\n{self.filled(attack.tests)}\n")
        return folder

    def command(self, *arguments: object) -> list[str]:
        """Return the command of the driver, with a key in its keyring."""
        driver = [sys.executable, "-m", "parity", *self._line(arguments)]
        return [sys.executable, "-c", _WITH_KEY, self.name, self.secret, *driver]

    def _line(self, arguments: Sequence[object]) -> list[str]:
        return ["run", *map(str, arguments), "--sandbox", self.kind, "-o", str(self.jobs)]

    @cached_property
    def environment(self) -> Mapping[str, str]:
        """Return the variables of the driver."""
        return {
            **os.environ,
            "PARITY_ATTACK_SECRET": self.secret,
            "TMPDIR": str(self.temporary),
            "HOME": str(self.top / "home"),
        }

    def start(self, *arguments: object) -> "subprocess.Popen[bytes]":
        """Start the driver in its own session."""
        return subprocess.Popen(
            self.command(*arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=self.environment, start_new_session=True, cwd=_ROOT,
        )  # fmt: skip

    def run(self, *arguments: object, timeout: float = TIMEOUT) -> Ended:
        """Run the driver to its end, or kill it after the timeout."""
        with self.start(*arguments) as driver:
            return self.end_of(driver, timeout)

    @property
    def _typed(self) -> bytes:
        """Return the content of the driver's input, which only the driver may read."""
        return f"{self.secret}\n".encode()

    def end_of(self, driver: "subprocess.Popen[bytes]", timeout: float = TIMEOUT) -> Ended:
        """Wait until the driver ends, or kill it after the timeout."""
        try:
            out, err = driver.communicate(self._typed, timeout=timeout)
            code: int | None = driver.returncode
        except subprocess.TimeoutExpired:
            os.killpg(driver.pid, signal.SIGKILL)
            out, err = driver.communicate()
            code = None
        return Ended(code, out.decode(errors="backslashreplace"), err.decode(errors="backslashreplace"))


@dataclass(frozen=True)
class Trial:
    """The content of a trial's result.json."""

    tokens: Sequence[str]
    """The reward; without one, `error` and the error's name, or `none`."""

    breach: str


def trial_of(job: Path, task: str) -> Trial:
    """Return the trial of a task.

    Raises:
        AssertionError: the trial has no result.
    """
    results = [path for path in job.glob("*/result.json") if path.parent.name.startswith(task[:32] + "__")]
    assert len(results) == 1, f"{task} has {len(results)} results"
    result: dict[str, Any] = json.loads(results[0].read_text(encoding="utf-8"))
    breach = results[0].parent / "verifier" / "breach"
    said = breach.read_text(errors="backslashreplace") if breach.is_file() else ""
    verified = result["verifier_result"]
    if verified is not None and verified["rewards"]:
        return Trial([str(value) if value is None else f"{value:g}" for value in verified["rewards"].values()], said)
    failure = result["exception_info"]
    return Trial(["none"] if failure is None else ["error", failure["exception_type"]], said)


def odd_files(job: Path) -> Iterator[str]:
    """Yield files that a job's folder should not have: devices, pipes, other users' rights, links that lead out."""
    for place, folders, files in os.walk(job):
        for name in (*folders, *files):
            path = Path(place, name)
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                if not path.resolve().is_relative_to(job.resolve()):
                    yield f"{path!r} leads to {path.resolve()!r}"
            elif not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                yield f"{path!r} is neither a file nor a folder"
            elif mode & (stat.S_ISUID | stat.S_ISGID) or (stat.S_ISREG(mode) and mode & stat.S_IWOTH):
                yield f"{path!r} has the rights {mode:o}"


def holds(job: Path, secret: str) -> list[str]:
    """Return the files of a job that contain a text."""
    found = subprocess.run(["grep", "-rlaF", "--", secret, str(job)], capture_output=True, text=True, check=False)
    return found.stdout.splitlines()
