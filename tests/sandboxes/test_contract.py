"""Tests for the contract between the driver and every kind of sandbox."""

import asyncio
import signal
from pathlib import Path

import pytest

from parity.driver.sandbox import Executed, Sandbox, TransferError
from tests.sandboxes.kinds import Kind, comes_true, containers, marker, processes


@pytest.mark.parametrize(
    ("command", "options", "expected"),
    [
        ("echo out; echo err >&2; exit 3", {}, Executed(3, "out\n", "err\n")),
        ("shopt -s nullglob && a=(/nope*) && echo ${#a[@]}", {}, Executed(0, "0\n")),
        ("kill -9 $$", {}, Executed(137)),
        ("pwd", {"cwd": "/usr/bin"}, Executed(0, "/usr/bin\n")),
        ("sleep 0.1; echo done", {"timeout": 0}, Executed(0, "done\n")),
        *(
            ('printf "<%s>" "$GIVEN"', {"env": {"GIVEN": value}}, Executed(0, f"<{value}>"))
            for value in ("plain", "two words", "line\nline", "$HOME `id` \"'", "")
        ),
        *(
            ("id -u", {"user": user}, Executed(0, f"{uid}\n"))
            for user, uid in ((None, 0), ("root", 0), (0, 0), ("nobody", 65534), (1234, 1234))
        ),
    ],
)
def test_command_runs_with_its_directory_variables_and_user(
    kind: Kind, command: str, options: dict[str, object], expected: Executed
) -> None:
    """A command is run by bash, in its directory, with its variables, as its user; a timeout of 0 is no time limit.

    The result has both outputs and the exit code: 128 plus the signal's number if the command was killed.
    """
    assert kind.executed(command, **options) == expected


def test_missing_working_directory_fails_the_command(kind: Kind) -> None:
    """A command with a missing working directory is not run, and gets code 126 and a message with the directory."""
    executed = kind.executed("echo ran", cwd="/nope")

    assert executed.code == 126
    assert "/nope" in executed.stdout + executed.stderr
    assert "ran" not in executed.stdout.splitlines()


def test_variables_last_for_one_command(kind: Kind) -> None:
    """A command's environment variables are not set in the next command."""

    async def run(sandbox: Sandbox) -> str:
        await sandbox.exec("true", env={"GIVEN": "once"})
        return (await sandbox.exec('echo "<$GIVEN>"')).stdout

    assert kind.run(run) == "<>\n"


@pytest.mark.parametrize("command", ["sleep 30", "yes"])
def test_timeout_ends_the_wait(kind: Kind, command: str) -> None:
    """A timeout raises a plain RuntimeError, because the exception's name is scored, and the sandbox keeps running."""

    async def run(sandbox: Sandbox) -> BaseException:
        with pytest.raises(RuntimeError, match=r"^Command timed out after 1 seconds$") as caught:
            await sandbox.exec(command, timeout=1)
        assert (await sandbox.exec("echo on")).stdout == "on\n"
        return caught.value

    assert type(kind.run(run)) is RuntimeError


@pytest.mark.parametrize(
    "command",
    ["sleep {0} &", "(setsid nohup bash -c 'trap \"\" TERM INT HUP; (sleep {0} &)' >/dev/null 2>&1 &)"],
    ids=["plain", "daemon"],
)
def test_background_processes_live_until_the_stop(kind: Kind, command: str) -> None:
    """Background processes do not delay the command that started them, and run until the sandbox stops.

    They end with the sandbox, even in another session, without a parent, or if they ignore signals.
    """
    mark = marker()

    async def run(sandbox: Sandbox) -> int:
        await sandbox.exec(command.format(mark), timeout=600)
        while not processes(mark):
            await asyncio.sleep(0.05)
        await sandbox.exec("true")
        return processes(mark)

    alive = kind.run(run)

    assert alive == 1
    assert processes(mark) == 0


def _until(path: str) -> str:
    return f"until [ -e {path} ]; do sleep 0.05; done"


def test_background_processes_keep_printing(kind: Kind) -> None:
    """Background processes can keep printing, because their output stays open."""

    async def run(sandbox: Sandbox) -> str:
        await sandbox.exec(f"({_until('/tmp/go')}; echo x; echo x; touch /tmp/through) &")
        return (await sandbox.exec(f"touch /tmp/go; {_until('/tmp/through')}; echo through", timeout=600)).stdout

    assert kind.run(run) == "through\n"


def test_many_commands_run_at_once(kind: Kind) -> None:
    """Commands run concurrently and each has its own output: each command waits for all others."""
    wait = "touch /tmp/{0}; until [ $(ls /tmp | wc -l) = 20 ]; do sleep 0.05; done; echo {0}"

    async def run(sandbox: Sandbox) -> list[Executed]:
        return await asyncio.gather(*(sandbox.exec(wait.format(number), timeout=600) for number in range(20)))

    assert [executed.stdout for executed in kind.run(run)] == [f"{number}\n" for number in range(20)]


def test_signals_have_their_default_handlers(kind: Kind) -> None:
    """In a command, no signal is blocked or ignored except SIGXFSZ, which is for files that are too large."""
    masks = kind.executed("grep -E 'Sig(Blk|Ign)' /proc/$$/status").stdout.split()

    too_large = 1 << (signal.SIGXFSZ - 1)
    assert [int(mask, 16) & ~too_large for mask in masks[1::2]] == [0, 0]


def test_directory_is_uploaded(kind: Kind, tmp_path: Path) -> None:
    """A directory is uploaded with its modes and symlinks, even if the target directory does not exist."""
    directory = tmp_path / "tests"
    (directory / "below").mkdir(parents=True)
    (directory / "test.sh").write_text("echo ran")
    (directory / "test.sh").chmod(0o755)
    (directory / "below" / "link").symlink_to("../test.sh")

    async def run(sandbox: Sandbox) -> str:
        await sandbox.put(directory, "/tests/deep")
        return (await sandbox.exec("/tests/deep/test.sh; readlink /tests/deep/below/link")).stdout

    assert kind.run(run) == "ran\n../test.sh\n"


@pytest.mark.parametrize("files", [[], ["file"]])
def test_private_directory_is_readable_in_the_sandbox(kind: Kind, tmp_path: Path, files: list[str]) -> None:
    """In the sandbox, an uploaded directory has the mode 755, even if it is private on the host, or is empty."""
    directory = tmp_path / "tests"
    directory.mkdir(mode=0o700)
    for name in files:
        (directory / name).touch()

    async def run(sandbox: Sandbox) -> str:
        await sandbox.put(directory, "/tests")
        return (await sandbox.exec("stat -c %a /tests; ls /tests")).stdout

    assert kind.run(run).split() == ["755", *files]


def test_file_is_uploaded(kind: Kind, tmp_path: Path) -> None:
    """A file is uploaded to a path, and replaces an existing file."""
    (tmp_path / "file").write_text("new")

    async def run(sandbox: Sandbox) -> str:
        await sandbox.exec("mkdir /given && echo old > /given/name")
        await sandbox.put(tmp_path / "file", "/given/name")
        return (await sandbox.exec("cat /given/name")).stdout

    assert kind.run(run) == "new"


def test_directory_is_downloaded(kind: Kind, tmp_path: Path) -> None:
    """A directory is downloaded into an existing one; files with the same name are replaced, and others are kept."""
    (tmp_path / "reward.txt").write_text("0")
    (tmp_path / "other").write_text("stays")

    async def run(sandbox: Sandbox) -> None:
        await sandbox.exec("mkdir -p /logs/verifier/a && cd /logs/verifier && echo 1 > reward.txt && echo 2 > a/b")
        await sandbox.get("/logs/verifier", tmp_path, directory=True)

    kind.run(run)

    assert (tmp_path / "reward.txt").read_text() == "1\n"
    assert (tmp_path / "a" / "b").read_text() == "2\n"
    assert (tmp_path / "other").read_text() == "stays"


def test_file_is_downloaded(kind: Kind, tmp_path: Path) -> None:
    """A file is downloaded, also through a symlink, which is resolved in the sandbox."""

    async def run(sandbox: Sandbox) -> None:
        await sandbox.exec("echo 1 > /tmp/file; ln -s /tmp/file /tmp/link")
        await sandbox.get("/tmp/file", tmp_path / "file", directory=False)
        await sandbox.get("/tmp/link", tmp_path / "linked", directory=False)

    kind.run(run)

    assert (tmp_path / "file").read_text() == (tmp_path / "linked").read_text() == "1\n"


@pytest.mark.parametrize("directory", [True, False])
def test_missing_path_is_not_downloaded(kind: Kind, tmp_path: Path, directory: bool) -> None:
    """Downloading a missing path raises an error with a message of one line."""

    async def run(sandbox: Sandbox) -> None:
        await sandbox.get("/logs/nope", tmp_path / "nope", directory=directory)

    with pytest.raises(TransferError, match=r"^/logs/nope: .+$"):
        kind.run(run)


def test_large_file_is_unchanged_by_transfers(kind: Kind, tmp_path: Path) -> None:
    """A large file is unchanged after upload and download."""
    content = bytes(range(256)) * (1 << 14)
    (tmp_path / "in").write_bytes(content)

    async def run(sandbox: Sandbox) -> None:
        await sandbox.put(tmp_path / "in", "/tmp/file")
        await sandbox.get("/tmp/file", tmp_path / "out", directory=False)

    kind.run(run)

    assert (tmp_path / "out").read_bytes() == content


def test_stop_without_a_start_raises_nothing(kind: Kind) -> None:
    """Stopping a sandbox that was never started raises nothing."""
    asyncio.run(kind.make().stop())


def test_second_stop_raises_nothing(kind: Kind) -> None:
    """Stopping a sandbox twice raises nothing."""

    async def run(sandbox: Sandbox) -> None:
        await sandbox.stop()
        await sandbox.stop()

    kind.run(run)


@pytest.mark.parametrize("delay", [0, 0.01, 0.05, 0.2])
def test_sandbox_can_be_stopped_after_a_cancelled_start(kind: Kind, delay: float) -> None:
    """A sandbox whose start is cancelled at any time can be stopped, and nothing is left."""
    spec = kind.spec

    async def run() -> None:
        sandbox = kind.sandboxes.make(spec)
        task = asyncio.create_task(sandbox.start())
        await asyncio.sleep(delay)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await sandbox.stop()

    asyncio.run(run())

    assert comes_true(lambda: not processes(spec.name))
    assert kind.name != "docker" or not containers(spec.name)


def test_cancelled_command_does_not_delay_the_stop(kind: Kind) -> None:
    """The sandbox does not wait for a cancelled command, and can be stopped."""
    mark = marker()

    async def run(sandbox: Sandbox) -> None:
        task = asyncio.create_task(sandbox.exec(f"sleep {mark}"))
        while not processes(mark):
            await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    kind.run(run)

    assert processes(mark) == 0
