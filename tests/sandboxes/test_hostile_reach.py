"""Tests that tasks, agents and tests cannot reach the host's files, network and environment variables."""

import os
import socket
import uuid
from pathlib import Path

import pytest

from tests.sandboxes.kinds import Kind

# Each attempt is limited by itself, so that the machine survives a failing test.


def test_programs_devices_and_settings_of_the_host_are_read_only(local: Kind) -> None:
    """The host's programs, devices and kernel settings cannot be written."""
    places = (
        "/usr /usr/bin /bin /lib /dev /dev/full/x /etc/ssl/certs /proc/sysrq-trigger /proc/sys/vm/overcommit_memory "
        "/proc/pressure/cpu"
    )
    script = f"for p in {places}; do [ -d $p ] && touch $p/canary && echo $p; [ -f $p -a -w $p ] && echo $p; done; true"

    assert local.executed(script).stdout == ""


@pytest.mark.parametrize("user", ["root", "nobody"])
def test_kernel_settings_are_read_only(kind: Kind, user: str) -> None:
    """All kernel settings are read-only, even the settings for the sandbox's own namespaces."""
    assert kind.executed("find /proc/sys -type f -writable 2>/dev/null", user=user).stdout == ""


def test_programs_cannot_be_replaced(local: Kind) -> None:
    """Directories with programs, and symlinks to them, cannot be replaced."""
    script = """
        for name in bin sbin lib lib64 usr; do
            [ -e /$name ] || continue
            rm -rf /$name; mv /$name /tmp/$name; ln -sfn /tmp /$name; touch /$name/evil
            [ -e /$name/evil ] && echo $name
        done 2>/dev/null
        echo whole
    """

    assert local.executed(script).stdout == "whole\n"


def test_no_user_gets_more_privileges(local: Kind) -> None:
    """No user in a sandbox, not even root, can get mounts, namespaces or capabilities."""
    script = """
        mount -t tmpfs none /mnt && echo mounted; mount -o remount,size=9G / && echo remounted
        umount /usr && echo unmounted; unshare --user true && echo user
        unshare --user --map-root-user --mount true && echo map
        nsenter --target 1 --user true && echo entered; mknod /tmp/device c 1 3 && echo device
        cat /proc/1/environ && echo read; su nobody -c true && echo su
        grep Cap /proc/self/status | grep -v 0000000000000000; grep NoNewPrivs /proc/self/status
    """

    assert local.executed(script).stdout.split() == ["NoNewPrivs:", "1"]


def test_home_and_temporary_files_of_the_host_are_not_visible(
    kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The home directory and temporary files on the host are not visible."""
    home = tmp_path / "home"
    home.mkdir()
    name = f"canary-{uuid.uuid4().hex}"
    (home / name).write_text("secret of the home")
    (tmp_path / name).write_text("secret of the temporary directory")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("DOCKER_CONFIG", str(home))
    script = f"cat {home}/{name} {tmp_path}/{name} ~/{name}; find / /proc/1/root/ -xdev -name {name}"

    assert kind.executed(script).stdout == ""


def test_passwords_and_keys_are_not_visible(local: Kind) -> None:
    """In /etc only the files that programs need are visible, and nothing in /home, /run and /var."""
    script = "ls -d /etc/shadow /etc/ssh /etc/ssl/private; ls -A /home /root /var/* /run | grep -v :; true"

    assert local.executed(script).stdout.split() == []


def test_network_is_not_reachable(kind: Kind) -> None:
    """The host's loopback sockets and abstract sockets cannot be reached."""
    name = f"canary-{uuid.uuid4().hex}"
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix:
        unix.bind(f"\0{name}")
        unix.listen()
        port = tcp.getsockname()[1]
        script = f"""
            (exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null && echo reached
            grep {name} /proc/net/unix
            tail -n +3 /proc/net/dev | cut -d: -f1
        """

        assert kind.executed(script).stdout.split() == ["lo"]


def test_environment_of_the_host_is_not_visible(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host's environment variables are not visible in any process of a sandbox."""
    monkeypatch.setenv("PARITY_CANARY", "secret of the environment")
    script = "env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -v grep"

    seen = kind.executed(script, env={"GIVEN": "variable"}).stdout

    assert "GIVEN=variable" in seen
    assert "PARITY_CANARY" not in seen


def test_descriptors_of_the_host_are_not_inherited(kind: Kind) -> None:
    """A command inherits no file descriptors except its three standard streams."""
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)
    try:
        seen = kind.executed("for fd in {3..250}; do [ ! -e /proc/$$/fd/$fd ] || echo $fd; done").stdout
    finally:
        os.close(reader)
        os.close(writer)

    assert seen == ""
