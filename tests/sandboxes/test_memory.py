"""Tests for a sandbox's memory limit: by a cgroup if possible, and else by limits for each process."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from parity.driver.sandbox import Sandbox
from parity.driver.sandboxes.limits import parents_of_groups
from tests.sandboxes.kinds import Kind, comes_true, running

_READ, _MMAP, _MEMFD_CREATE = (0, 9, 319) if "x86_64" in os.uname().machine else (63, 222, 279)
_LIMIT_MB = 64

_SYSTEM_V = """perl -e '
    for (1..4) { $id = shmget(0, 50 << 20, 01600) // exit 1; shmwrite($id, "x" x (50 << 20), 0, 50 << 20) or exit 2 }
    print "held"'"""
_MEMFD = f"""perl -e '
    for (1..4) {{ open($f[$_], ">&=", syscall({_MEMFD_CREATE}, $name = "name", 0)) or exit 1;
        for $n (1..50) {{ syswrite($f[$_], "x" x (1 << 20)) or exit 2 }} }} print "held"'"""
_SHARED = f"""perl -e '
    open(F, "<", "/dev/zero"); $at = syscall({_MMAP}, 0, 200 << 20, 3, 0x21, -1, 0);
    for (0..199) {{ syscall({_READ}, fileno(F), $at + ($_ << 20), 1 << 20) == 1 << 20 or exit 2 }} print "held"'"""
_FILES = "for i in 1 2 3 4; do head -c 50M /dev/zero > /tmp/$i || exit 1; done; echo held"


def _run(kind: Kind, command: str) -> str:
    return kind.run(lambda sandbox: sandbox.exec(command, timeout=60), memory_mb=_LIMIT_MB).stdout


@pytest.fixture
def counted(kind: Kind) -> Kind:
    """Return each kind that can limit the memory of a whole sandbox, or skip the test."""
    if kind.name == "local" and next(parents_of_groups(), None) is None:
        pytest.skip("for memory limits; run them as root or in a delegated memory cgroup")
    return kind


@pytest.fixture
def grouped(local: Kind) -> Kind:
    """Return the kind `local` if it can make a cgroup, or skip the test."""
    if next(parents_of_groups(), None) is None:
        pytest.skip("for memory limits; run them as root or in a delegated memory cgroup")
    return local


@pytest.mark.parametrize("take", [_SYSTEM_V, _MEMFD, _SHARED], ids=["system-v", "memfd", "shared"])
def test_shared_memory_is_limited(counted: Kind, take: str) -> None:
    """Shared memory is included in the sandbox's limit."""
    assert _run(counted, take) == ""


def test_memory_below_the_limit_can_be_used(counted: Kind) -> None:
    """A process may use memory below the limit."""
    assert _run(counted, """perl -e '$x = "x" x (20 << 20); print "held"'""") == "held"


def test_memory_of_all_processes_is_limited_together(counted: Kind) -> None:
    """The limit applies to the memory of all processes together."""
    hold = """perl -e '$n = 40 << 20; vec($x, $n, 8) = 1; exit(system(@ARGV) >> 8)'"""
    count = "sh -c \"cat /proc/[0-9]*/status 2>/dev/null | awk '/^VmRSS/ {sum += \\$2} END {print sum}'\""

    resident = _run(counted, f"{hold} {hold} {hold} {hold} {hold} {count}")

    # In this sum, shared pages of programs are counted once for each process.
    assert int(resident or 0) < 2 * _LIMIT_MB << 10


def test_files_in_memory_are_limited(grouped: Kind, tmp_path: Path) -> None:
    """Files in a local sandbox are included in the limit, and can still be downloaded when no memory is left."""

    async def run(sandbox: Sandbox) -> str:
        await sandbox.exec("mkdir /logs; echo 1 > /logs/reward.txt")
        output = (await sandbox.exec(_FILES)).stdout
        await sandbox.get("/logs/reward.txt", tmp_path / "reward.txt", directory=False)
        return output

    assert grouped.run(run, memory_mb=_LIMIT_MB, storage_mb=512) == ""
    assert (tmp_path / "reward.txt").read_text() == "1\n"


def test_data_of_a_process_is_limited_without_a_cgroup(local: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a cgroup, the data of each process and the System V segments are limited."""
    monkeypatch.setattr("parity.driver.sandboxes.limits.make_group", lambda *, memory: None)

    output = _run(local, f"ulimit -d; ipcs -lm | grep 'max total'; {_SYSTEM_V}")

    assert output.splitlines()[0] == str(_LIMIT_MB << 10)
    assert str(_LIMIT_MB << 10) in output
    assert "held" not in output


def test_memory_limit_is_half_the_host_memory_by_default(grouped: Kind) -> None:
    """A sandbox may use half of the host's memory if its task sets no limit."""
    names = ("memory.max", "memory.limit_in_bytes")

    async def run() -> list[int]:
        async with grouped.started():
            return [int((group / name).read_text()) for group in _groups() for name in names if (group / name).exists()]

    assert asyncio.run(run()) == [os.sysconf("SC_PHYS_PAGES") // 2 * os.sysconf("SC_PAGE_SIZE")]


def test_system_v_segments_are_limited_by_default(local: Kind) -> None:
    """System V segments may use half of the host's memory if the task sets no limit, even without a cgroup."""
    pages = local.executed("cat /proc/sys/kernel/shmall").stdout

    assert int(pages) == os.sysconf("SC_PHYS_PAGES") // 2


def test_cgroup_is_removed_with_its_sandbox(grouped: Kind) -> None:
    """A sandbox's cgroup is removed when the sandbox stops."""

    async def run() -> tuple[list[Path], list[Path]]:
        async with grouped.started(memory_mb=_LIMIT_MB) as sandbox:
            await sandbox.exec("(setsid sleep 60 >/dev/null 2>&1 &)")
            during = _groups()
        return during, _groups()

    during, after = asyncio.run(run())

    assert len(during) - len(after) == 1


def _groups(process: int | None = None) -> list[Path]:
    parent = next(parents_of_groups())
    return list(parent.glob(f"parity-{process or os.getpid()}-*/"))


def test_cgroup_of_a_killed_run_is_removed(grouped: Kind) -> None:
    """The cgroups of a killed run are removed by another process."""
    with running(grouped, "killed", "(setsid sleep 60 >/dev/null 2>&1 &)") as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
        before = _groups(run.pid)
        run.kill()

    assert len(before) == 1
    assert comes_true(lambda: not before[0].exists(), seconds=60)


def _proc(directory: Path, mounts: str, groups: str) -> Path:
    (directory / "self").mkdir(parents=True)
    (directory / "self" / "mountinfo").write_text(mounts)
    (directory / "self" / "cgroup").write_text(groups)
    return directory


def _group(directory: Path, *controllers: str) -> None:
    directory.mkdir(parents=True)
    (directory / "cgroup.subtree_control").write_text(" ".join(controllers))
    (directory / "cgroup.procs").touch()


def test_nearest_group_with_memory_control_is_used_in_version_2(tmp_path: Path) -> None:
    """In cgroups version 2, the nearest group is used that controls the memory of its child groups."""
    top = tmp_path / "cgroup"
    _group(top, "cpu", "memory")
    _group(top / "user.slice", "cpu", "memory", "pids")
    _group(top / "user.slice" / "session.scope")
    mounts = f"1 1 0:1 / /proc rw - proc proc rw\n2 1 0:2 / {top} rw,nosuid - cgroup2 cgroup2 rw\n"

    parents = list(parents_of_groups(_proc(tmp_path / "proc", mounts, "0::/user.slice/session.scope\n")))

    assert parents == [top / "user.slice", top]


def test_own_memory_group_is_used_in_version_1(tmp_path: Path) -> None:
    """In cgroups version 1, the process's own memory group is used, even if a container shows only part of the tree."""
    top = tmp_path / "memory"
    _group(top / "mine")
    _group(tmp_path / "unified")
    mounts = (
        f"2 1 0:2 /docker/1 {top} rw - cgroup cgroup rw,memory\n3 1 0:3 / {tmp_path}/unified rw - cgroup2 cgroup2 rw\n"
    )

    parents = list(parents_of_groups(_proc(tmp_path / "proc", mounts, "4:cpu,memory:/docker/1/mine\n0::/\n")))

    assert parents == [top / "mine"]


@pytest.mark.parametrize("missing", [lambda top: (top / "cgroup.procs").unlink(), lambda top: None])
def test_no_group_is_used_if_none_is_suitable(tmp_path: Path, missing: Callable[[Path], None]) -> None:
    """If no group is suitable, or there are no cgroups, no group is returned."""
    _group(tmp_path / "cgroup", "cpu")
    missing(tmp_path / "cgroup")
    mounts = f"2 1 0:2 / {tmp_path}/cgroup rw - cgroup2 cgroup2 rw\n"

    assert list(parents_of_groups(_proc(tmp_path / "proc", mounts, "0::/\n"))) == []
    assert list(parents_of_groups(tmp_path / "nothing")) == []
