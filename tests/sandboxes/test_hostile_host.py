"""Tests that a sandbox cannot read, change or outlive the host: files, devices, the clock, input and terminal.

An attempt prints a line only if it succeeds. Network and environment variables are in `test_hostile_reach.py`.
"""

import uuid
from pathlib import Path

import pytest

from parity.driver.sandbox import Sandbox
from tests.sandboxes.kinds import Kind

_ATTEMPTS = {
    "roots and directories of processes": """
        for each in /proc/[0-9]*/{root,cwd} /proc/[0-9]*/fd/*; do
            [ -d $each ] && cat $each@CANARY@ $each/../../../../../../../../..@CANARY@
        done
        for each in /proc/[0-9]*/{root,cwd}; do echo planted > $each@CANARY@ && echo written; done
    """,
    "block devices": """
        for name in $(awk 'NR > 2 {print $4}' /proc/partitions); do head -c 1 /dev/$name && echo read; done
    """,
    "devices": """
        for place in /tmp /app /dev /dev/shm; do for number in 1 11; do
            mknod $place/d$number c 1 $number && (exec 3<$place/d$number) && echo $place $number
        done; done
    """,
    "settings of the kernel": """
        for file in /proc/sysrq-trigger /sys/kernel/uevent_helper /sys/fs/cgroup/cgroup.procs /sys/power/state \\
            /dev/kmsg /dev/mem; do [ -e $file ] && (exec 3>>$file) && echo $file; done
    """,
    "clock and priority": """
        date -s @$(date +%s) >/dev/null && echo clock; chrt -f 1 true && echo real time
        usual=$(nice) nice -n -20 bash -c '[ $(nice) -lt $usual ] && echo nice'
    """,
    "input of the driver": "timeout 5 cat",
    "terminal of the driver": """
        perl -e 'for $f ("/dev/tty", map { "/proc/self/fd/$_" } 0..9) { open(T, "+<", $f) or next;
            ioctl(T, 0x5412, my $c = "x") and print "typed into $f\\n" }'
    """,
}


@pytest.mark.parametrize("attempt", _ATTEMPTS)
def test_attack_on_the_host_fails(kind: Kind, tmp_path: Path, attempt: str) -> None:
    """A sandbox cannot reach the host's files, devices and clock, or the driver's input and terminal."""
    canary = tmp_path / "canary"
    canary.write_text("secret")
    script = f"{{ {_ATTEMPTS[attempt].replace('@CANARY@', str(canary))}\n}} 2>/dev/null; true"

    assert kind.executed(script).stdout == ""
    assert canary.read_text() == "secret"


def test_sandboxes_do_not_see_each_other(kind: Kind) -> None:
    """A sandbox cannot see the files and processes in another one."""
    mark = f"mark-{uuid.uuid4().hex}"
    leaves = f"for place in /dev/shm /tmp /app /; do touch $place/{mark}; done; (exec -a {mark} sleep 600 >/dev/null &)"
    # The brackets keep grep from matching its own command line.
    processes = f"cat /proc/[0-9]*/cmdline | tr '\\0' '\\n' | grep -x '[m]{mark[1:]}'"
    look = f"find / -name {mark} 2>/dev/null; {processes}; true"

    async def run(sandbox: Sandbox) -> tuple[str, str]:
        await sandbox.exec(leaves)
        async with kind.started() as other:
            return (await sandbox.exec(look)).stdout, (await other.exec(look)).stdout

    own, others = kind.run(run)

    assert mark in own
    assert others == ""


def test_shared_memory_and_queues_are_not_visible_on_the_host(kind: Kind) -> None:
    """System V shared memory, semaphores and queues in a sandbox are not visible on the host."""
    kind.executed("perl -e 'shmget(0x5ca1ab1e, 1, 01666); semget(0x5ca1ab1e, 1, 01666); msgget(0x5ca1ab1e, 01666)'")

    shared = [path.read_text() for path in Path("/proc/sysvipc").iterdir()]

    assert not any(str(0x5CA1AB1E) in text for text in shared)
