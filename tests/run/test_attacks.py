"""Tests that with hostile tasks in `parity run`, the job ends, no attack gains a reward, and the host is unchanged."""

import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unicodedata
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.needs import need
from tests.run.actions import Ran, run
from tests.run.attacks import ANY, ATTACKS, ERROR, NONE, Attack
from tests.run.processes import left_running, marked_processes
from tests.run.tasks import reward, write_task
from tests.sandboxes.kinds import IMAGE, KINDS, marker

_OUTPUT = 1 << 20
"""The largest number of characters that a job may print."""


class Host:
    """A directory on the host that no task may read or change, and a dataset of hostile tasks."""

    def __init__(self, top: Path) -> None:
        self.secret, self.mark = f"secret-{uuid.uuid4().hex}", marker()
        self.directory, self.temporary, self.data = (top / name for name in ("host", "temporary", "data"))
        (self.directory / "bin").mkdir(parents=True)
        self.temporary.mkdir()
        (self.directory / "canary").write_text(self.secret)
        (self.directory / "reward.txt").write_text("1")
        for name in ("docker", "bwrap", "tar", "bash", "python3", "mkdir", "nsenter"):
            program = self.directory / "bin" / name
            program.write_text(f"#!/bin/sh\ntouch {self.directory}/planted\n")
            program.chmod(0o755)
        self._before = self._inventory()

    def _inventory(self) -> dict[str, tuple[int, bytes]]:
        paths = sorted(self.directory.rglob("*"))
        return {str(path): (path.lstat().st_mode, path.read_bytes() if path.is_file() else b"") for path in paths}

    def filled(self, text: str) -> str:
        """Return the text with `@HOST@` and `@MARK@` replaced by this host's directory and mark."""
        return text.replace("@HOST@", str(self.directory)).replace("@MARK@", self.mark)

    def write(self, attack: Attack) -> Path:
        """Write the task of the attack."""
        settings: dict[str, Any] = {}
        for name, value in attack.settings.items():
            settings[name] = self.filled(value) if isinstance(value, str) else value
        solution, tests = self.filled(attack.solution), self.filled(attack.tests)
        return write_task(self.data / attack.name, solution=solution, tests=tests, **settings)

    def harm(self, output: str) -> Iterator[str]:
        """Yield each harm that a job has done to the host, to its terminal or to the job's own directory."""
        if self._inventory() != self._before:
            yield "the host's directory has changed"
        codes = {char for char in output if unicodedata.category(char) == "Cc"} - {"\n"}
        if codes or len(output) > _OUTPUT or "Traceback" in output or self.secret in output:
            yield f"the output has {codes} and {len(output)} characters: {output[:200]!a}"
        yield from (f"{path} is left" for path in self.temporary.iterdir())
        yield from (f"{line} still runs" for line in left_running(self.mark, docker=False))
        matches = subprocess.run(["grep", "-rlaF", self.secret, "jobs"], capture_output=True, text=True, check=False)
        yield from (f"{path} has the secret" for path in matches.stdout.splitlines())
        yield from _odd_files(Path("jobs"))


def _odd_files(job: Path) -> Iterator[str]:
    for place, directories, files in os.walk(job):
        for path in (Path(place, name) for name in (*directories, *files)):
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                if not path.resolve().is_relative_to(job.resolve()):
                    yield f"{path!r} leads out"
            elif not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
                yield f"{path!r} is neither a file nor a directory"
            elif mode & (stat.S_ISUID | stat.S_ISGID) or (stat.S_ISREG(mode) and mode & stat.S_IWOTH):
                yield f"{path!r} has the mode {mode:o}"


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """Yield a host, and remove its files at the end, because some directories are too deep for pytest to remove."""
    host = Host(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(host.temporary))
    monkeypatch.setenv("PARITY_ATTACK_SECRET", host.secret)
    yield host
    subprocess.run(["rm", "-rf", "--", *tmp_path.iterdir()], check=True)


def _result(trial: Path) -> str:
    """Return the trial's reward, or `error`, or `none`."""
    result = json.loads((trial / "result.json").read_text(encoding="utf-8"))
    rewards = (result["verifier_result"] or {}).get("rewards")
    if rewards:
        return " ".join(map(str, rewards.values())).replace("1.0", "1")
    return ERROR if result["exception_info"] else NONE


def _printed(ran: Ran) -> str:
    return "\n".join([ran.out, *ran.err])


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_tasks_gain_nothing(kind: str, host: Host, capfd: pytest.CaptureFixture[str]) -> None:
    """Each trial has one of the allowed results, and the host and the job's directory are unharmed."""
    need(kind)
    for attack in ATTACKS:
        host.write(attack)

    ran = run(capfd, host.data, "--sandbox", kind, "--job-name", "j", "-n", 4)

    results = {path.name.partition("__")[0]: _result(path) for path in Path("jobs/j").glob("*__*")}
    gained = {each.name: results.get(each.name[:32]) for each in ATTACKS if each.gives != (ANY,)}
    assert {name: rewards for name, rewards in gained.items() if rewards not in _gives(name)} == {}
    assert ran.code == 1
    assert list(host.harm(_printed(ran))) == []


def _gives(name: str) -> tuple[str, ...]:
    return next(attack.gives for attack in ATTACKS if attack.name == name)


type Plant = Callable[[Path], object]


def _setting(old: str, new: str) -> Plant:
    """Return a function that replaces a string in task.toml."""

    def plant(task: Path) -> None:
        text = (task / "task.toml").read_text()
        assert old in text
        (task / "task.toml").write_text(text.replace(old, new))

    return plant


def _environment(line: str) -> Plant:
    return _setting("[environment]", f"[environment]\n{line}")


def _content(name: str, content: str) -> Plant:
    return lambda task: (task / name).write_text(content)


def _name(name: bytes) -> Plant:
    return lambda task: os.rename(os.fsencode(task), os.path.join(os.fsencode(task.parent), name))


def _loops(task: Path) -> None:
    for place in ("tests", "solution", "environment"):
        (task / place / "loop").symlink_to(".")
        (task / place / "up").symlink_to("../..")
        (task / place / "itself").symlink_to("itself")


def _deep(task: Path) -> None:
    subprocess.run(["perl", "-e", "chdir shift; for (1..1500) { mkdir 'd'; chdir 'd' }", task / "tests"], check=True)


_PLANTED: dict[str, Plant] = {
    "a link to the host's files": lambda task: (task / "tests" / "link").symlink_to(task.parents[1] / "host"),
    "links in circles": _loops,
    "deep directories": _deep,
    "a name with codes": _name(b"a\x1b[2J\nb\x1b]0;owned\x07"),
    "a name without UTF-8": _name(b"a\xff\xfe\x80"),
    "a long name": _name(b"n" * 255),
    "the name of an option": _name(b"--privileged"),
    "a zero byte in the instruction": _content("instruction.md", "a\0b"),
    "a long instruction": _content("instruction.md", "x" * 3_000_000),
    "codes in task.toml": _content("task.toml", "\x1b[2J = \x1b]0;owned\x07"),
    "codes in the name": _setting("[agent]", '[task]\nname = "a/\\u001b[2J"\n[agent]'),
    "a deep task.toml": _content("task.toml", "a = " + "[" * 100_000),
    **{f"{time} seconds": _setting("_sec = 60", f"_sec = {time}") for time in ("inf", "nan", "-1", "0", "1e308")},
    **{
        f"{key} of {value:g}": _environment(f"{key} = {value}")
        for key in ("memory_mb", "storage_mb", "cpus")
        for value in (10**30, -1, 0)
    },
    "an option as user": _setting("[agent]", '[agent]\nuser = "--privileged"'),
    "an option as working directory": _environment('workdir = "--bind/../.."'),
    "an option as image": _setting("docker_image =", 'docker_image = "--privileged" #'),
    "a step above the job": _setting("[agent]", '[[steps]]\nname = "../../../host"\n[agent]'),
    "an artifact above the job": _setting(
        "[agent]", 'artifacts = [{source = "/etc/passwd", destination = "../../../../host/planted"}]\n[agent]'
    ),
}


@pytest.mark.parametrize("planted", _PLANTED)
@pytest.mark.parametrize("kind", KINDS)
def test_hostile_task_is_run_or_refused(kind: str, planted: str, host: Host, capfd: pytest.CaptureFixture[str]) -> None:
    """A task with a hostile file, name or setting is run or refused, and harms nothing."""
    need(kind)
    _PLANTED[planted](host.write(Attack("hostile", tests=f"cat /tests/link/canary; {reward(0.5)}")))
    agent = ("-a", "command", "--ak", "command=true") if "instruction" in planted else ()

    ran = run(capfd, host.data, "--sandbox", kind, *agent)

    assert ran.code in (0, 1, 3)
    assert list(host.harm(_printed(ran))) == []


_DOCKERFILES = {
    "endless": "RUN sleep @MARK@",
    "hostile": 'ENV PATH=/nowhere BASH_ENV=/nowhere LD_PRELOAD=/nowhere.so\nUSER nobody\nVOLUME /logs /tests\n'
    'ENTRYPOINT ["false"]\nSTOPSIGNAL SIGCONT\nHEALTHCHECK CMD sleep @MARK@\nSHELL ["/nowhere"]',
    "option": "WORKDIR /--bind/../../@HOST@",
}  # fmt: skip


@pytest.mark.docker
@pytest.mark.parametrize("name", _DOCKERFILES)
def test_hostile_image_harms_nothing(name: str, host: Host, capfd: pytest.CaptureFixture[str]) -> None:
    """An image that never finishes building, or is not what it seems, affects at most its own trial."""
    need("docker")
    task = write_task(host.data / name, tests=reward(0.5), image=None, more="build_timeout_sec = 10")
    (task / "environment" / "Dockerfile").write_text(f"FROM {IMAGE}\n{host.filled(_DOCKERFILES[name])}\n")

    ran = run(capfd, host.data, "--sandbox", "docker")

    assert ran.code in (0, 1)
    assert list(host.harm(_printed(ran))) == []


_STUBBORN = {
    "deaf": "trap '' TERM INT HUP; while :; do sleep @MARK@; done",
    "silent": "exec 0<&- 1>&- 2>&-; sleep @MARK@",
    "talks": "(setsid bash -c 'while :; do echo talk; done' &); sleep @MARK@",
    "daemons": "for i in {1..30}; do (setsid bash -c 'trap \"\" TERM INT HUP; sleep @MARK@' &); done; sleep @MARK@",
}


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
@pytest.mark.parametrize("kind", KINDS)
def test_signal_ends_a_job_whose_agents_ignore_signals(
    kind: str, number: signal.Signals, code: int, host: Host
) -> None:
    """One signal ends the job, whatever its agents do, and no process is left."""
    need(kind)
    for name, solution in _STUBBORN.items():
        host.write(Attack(name, solution, settings={"agent": 3600}))
    command = [sys.executable, "-m", "parity", "run", str(host.data), "--sandbox", kind, "-n", str(len(_STUBBORN))]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while len(marked_processes(host.mark)) < len(_STUBBORN):
        assert process.poll() is None
        time.sleep(0.05)

    process.send_signal(number)
    _, err = process.communicate(timeout=600)

    assert process.returncode == code
    assert "Traceback" not in err
    assert left_running(host.mark, docker=False) == []
