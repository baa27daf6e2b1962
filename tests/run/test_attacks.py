"""Hostile tasks in `parity run`: the job ends by itself, the host is unchanged, and no attack succeeds."""

import signal
import subprocess
import time
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from tests.needs import need
from tests.run.attacked import TIMEOUT, Ended, Host, holds, odd_files, trial_of
from tests.run.attacks import ATTACKS, Attack
from tests.run.planted_files import PLANTED, SHOW
from tests.run.processes import left_running, marked_containers, marked_processes
from tests.sandboxes.kinds import KINDS


@dataclass(frozen=True)
class Attacked:
    """A finished job of all attacks."""

    host: Host
    ended: Ended

    @property
    def job(self) -> Path:
        """Return the job's folder."""
        return self.host.jobs / "attacks"


@pytest.fixture(scope="module")
def attacked_by_kind(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Attacked]:
    """Return a function that runs the job of a kind of sandbox once."""

    @cache
    def attack(kind: str) -> Attacked:
        host = Host(tmp_path_factory.mktemp(f"attacked-{kind}"), kind)
        for each in ATTACKS.values():
            host.write(each)
        return Attacked(host, host.run(host.data, "--job-name", "attacks", "-n", 4))

    return attack


@pytest.fixture(params=list(KINDS))
def attacked(request: pytest.FixtureRequest, attacked_by_kind: Callable[[str], Attacked]) -> Attacked:
    """Return the job of each kind of sandbox."""
    need(request.param)
    return attacked_by_kind(request.param)


def _control_codes(text: str) -> set[str]:
    return {char for char in text if unicodedata.category(char) == "Cc"} - {"\n"}


@pytest.mark.parametrize("name", ATTACKS)
def test_nothing_is_won(attacked: Attacked, name: str) -> None:
    """Each trial has a result, and a reward only if Harbor would give it."""
    expected = ATTACKS[name].gives

    trial = trial_of(attacked.job, name)

    assert trial.breach == ""
    assert expected == "any" or set(trial.tokens) & ({expected} if isinstance(expected, str) else set(expected))


def test_the_job_ends_by_itself(attacked: Attacked) -> None:
    """The job ends by itself, with the exit code for trials with errors, and without a traceback."""
    assert attacked.ended.code == 1
    assert "Traceback" not in attacked.ended.err


def test_the_terminal_is_left_alone(attacked: Attacked) -> None:
    """No control codes from a sandbox reach the terminal, and the output is bounded."""
    said = attacked.ended.out + attacked.ended.err

    assert _control_codes(said) == set()
    assert len(said) < 1 << 20


def test_the_host_is_untouched(attacked: Attacked) -> None:
    """The host's files are neither written nor read."""
    assert attacked.host.inventory() == attacked.host.before
    assert holds(attacked.job, attacked.host.secret) == []


def test_the_folder_of_the_job_is_clean(attacked: Attacked) -> None:
    """The job's files and folders can be read and removed, and have no links that lead out."""
    assert list(odd_files(attacked.job)) == []


def test_the_jobs_folder_is_bounded(attacked: Attacked) -> None:
    """The size of the job's folder is bounded."""
    assert sum(path.lstat().st_size for path in attacked.job.rglob("*")) < 3 << 30


def test_nothing_is_left(attacked: Attacked) -> None:
    """No process, container, temporary file, shared memory or key is left."""
    shared = [path.read_text() for path in Path("/proc/sysvipc").iterdir()]

    assert left_running(attacked.host.mark, docker=False) == []
    assert attacked.host.kind != "docker" or _containers(attacked.job) == []
    assert list(attacked.host.temporary.iterdir()) == []
    assert not any(str(0x5CA1AB1E) in text for text in shared)
    assert not list(Path("/dev/shm").glob(f"*{attacked.host.name}*"))
    assert f"planted-{attacked.host.name}" not in _keys()


def _containers(job: Path) -> list[str]:
    """Return the names of the containers that are left of a job; each is named after its trial."""
    return [name for trial in job.glob("*__*") for name in marked_containers(trial.name.lower().replace("__", "-"))]


def _keys() -> str:
    path = Path("/proc/keys")
    return path.read_text() if path.exists() else ""


def test_nothing_is_written_after_the_end(attacked: Attacked) -> None:
    """Nothing is written to the job's folder after its end."""

    def sizes() -> dict[str, tuple[int, int]]:
        stats = {str(path): path.lstat() for path in attacked.job.rglob("*")}
        return {name: (each.st_size, each.st_mtime_ns) for name, each in stats.items()}

    before = sizes()
    time.sleep(2)

    assert sizes() == before


def test_the_job_is_refused_again(attacked: Attacked) -> None:
    """A second run names the trial whose rewards were not stored exactly, and changes no result."""
    before = {path: path.read_bytes() for path in attacked.job.glob("*/result.json")}

    again = attacked.host.run(attacked.host.data, "--job-name", "attacks", "-n", 4)

    assert again.code == 3
    assert "its rewards cannot be read again: a nan, an infinity or half of a surrogate pair" in again.err
    assert len(again.err.splitlines()) == 1
    assert {path: path.read_bytes() for path in attacked.job.glob("*/result.json")} == before


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Return a folder that is removed here, because pytest cannot remove folders as deep as some of these."""
    yield tmp_path
    subprocess.run(["rm", "-rf", "--", *tmp_path.iterdir()], check=True)


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for name, each in PLANTED.items() for kind in each.kinds])
def test_planted_files(kind: str, name: str, folder: Path) -> None:
    """A task with planted files is run or refused with the stated words and exit code."""
    need(kind)
    host = Host(folder, kind)
    PLANTED[name].plant(host.write(Attack(name, "", tests=SHOW)), host)
    agent = ("-a", "command", "--ak", "command=true") if "instruction" in name else ()

    ended = host.run(host.data, "--job-name", "attacks", *agent)

    said = ended.out + ended.err
    assert ended.code in (0, 1, 2, 3)
    assert "Traceback" not in said
    assert _control_codes(said) == set()
    assert len(said) < 1 << 20
    assert host.secret not in said.lower()
    assert host.inventory() == host.before
    assert list(host.temporary.iterdir()) == []
    assert left_running(host.mark, docker=False) == []
    assert not host.jobs.exists() or (holds(host.jobs, host.secret), list(odd_files(host.jobs))) == ([], [])


_STUBBORN = ("deaf-and-loud", "closed-descriptors", "talks-on", "daemons", "unremovable")
_WAITS = "\nwhile :; do sleep @MARK@; done"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
@pytest.mark.parametrize("kind", KINDS)
def test_signals_are_taken(kind: str, tmp_path: Path, number: signal.Signals, code: int) -> None:
    """One signal ends the job, whatever the agents do, and leaves no process."""
    need(kind)
    host = Host(tmp_path, kind)
    for name in _STUBBORN:
        host.write(replace(ATTACKS[name], agent=3600, solve=ATTACKS[name].solve + _WAITS))
    with host.start(host.data, "--job-name", "attacks", "-n", len(_STUBBORN)) as driver:
        end = time.monotonic() + TIMEOUT
        while len(marked_processes(host.mark)) < len(_STUBBORN):
            assert time.monotonic() < end
            assert driver.poll() is None
            time.sleep(0.05)

        driver.send_signal(number)
        ended = host.end_of(driver, TIMEOUT)

    assert ended.code == code
    assert "Traceback" not in ended.err
    assert left_running(host.mark, docker=False) == []
