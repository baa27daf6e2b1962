"""Tasks that kinds of sandbox refuse before the start, and messages about kinds that cannot work."""

from pathlib import Path

import pytest

from parity.driver.sandbox import SandboxSpec, SandboxUnavailable
from parity.driver.sandboxes import preflight
from parity.driver.sandboxes.accounts import accounts_of
from parity.driver.sandboxes.bubblewrap import LocalSandboxes
from parity.driver.sandboxes.container import DockerSandboxes
from parity.driver.sandboxes.dockerfile import Dockerfile, read_dockerfile


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("FROM debian\n", Dockerfile()),
        ("# a comment\nfrom debian AS base\nWORKDIR /work\nLABEL a=b\nCMD x\nEXPOSE 80", Dockerfile("/work")),
        ("FROM a\nWORKDIR /work\nWORKDIR below", Dockerfile("/work/below")),
        ("FROM a\nRUN true\nCOPY a b", Dockerfile(None, "RUN")),
        ("FROM a\nLABEL a=b \\\n  RUN=c\n\tcopy a b", Dockerfile(None, "COPY")),
        ("FROM a\nWORKDIR $HOME", Dockerfile(None, "WORKDIR")),
    ],
)
def test_dockerfiles_are_read(tmp_path: Path, text: str, expected: Dockerfile) -> None:
    """A Dockerfile is read as far as a sandbox without images needs it."""
    (tmp_path / "Dockerfile").write_text(text)

    assert read_dockerfile(tmp_path / "Dockerfile") == expected


def test_local_refuses_a_dockerfile_that_must_be_built(tmp_path: Path) -> None:
    """The local sandbox refuses a Dockerfile that must be built; it names the instruction and the alternative."""
    folder = tmp_path / "environment"
    folder.mkdir()
    (folder / "Dockerfile").write_text("FROM a\nRUN true")

    refusal = LocalSandboxes().refusal(SandboxSpec("a", "a", folder))

    assert refusal == (
        "needs RUN in environment/Dockerfile, which the local sandbox cannot build; use --sandbox docker"
    )


def test_local_refuses_a_network(tmp_path: Path) -> None:
    """The local sandbox refuses a task that gets a network; it names the alternative."""
    refusal = LocalSandboxes().refusal(SandboxSpec("a", "a", tmp_path, image="a", network=True))

    assert refusal == "asks for a network, which the local sandbox does not have; use --sandbox docker"
    assert LocalSandboxes().refusal(SandboxSpec("a", "a", tmp_path, image="a")) is None


@pytest.mark.parametrize("sandboxes", [LocalSandboxes(), DockerSandboxes()])
def test_several_containers_are_refused(tmp_path: Path, sandboxes: LocalSandboxes | DockerSandboxes) -> None:
    """Every kind refuses a task with several containers."""
    folder = tmp_path / "environment"
    folder.mkdir()
    (folder / "docker-compose.yaml").touch()

    refusal = sandboxes.refusal(SandboxSpec("a", "a", folder, image="a"))

    assert refusal is not None
    assert refusal.startswith("needs environment/docker-compose.yaml")


def test_local_refuses_users_that_no_account_can_have(tmp_path: Path) -> None:
    """The local sandbox refuses a user whose name does not fit into /etc/passwd."""
    refusal = LocalSandboxes().refusal(SandboxSpec("a", "a", tmp_path, image="a", users=frozenset({"a:b", "good"})))

    assert refusal is not None
    assert refusal.startswith("names the user 'a:b'")


@pytest.mark.parametrize("sandboxes", [LocalSandboxes(), DockerSandboxes()])
def test_a_task_needs_an_image(tmp_path: Path, sandboxes: LocalSandboxes | DockerSandboxes) -> None:
    """Every kind refuses a task with neither an image nor a Dockerfile, which ends a job of Harbor's."""
    refusal = sandboxes.refusal(SandboxSpec("a", "a", tmp_path / "environment"))

    assert refusal == "has neither docker_image in task.toml nor environment/Dockerfile; add one"


def test_users_have_the_same_numbers_in_every_trial() -> None:
    """Users have the same numbers in every trial, and none gets a number that a command names."""
    accounts = accounts_of(frozenset({"beta", "alpha", 1000, "root"}))

    assert [(account.name, account.uid) for account in accounts.all[2:]] == [("alpha", 1001), ("beta", 1002)]
    assert accounts.find("1000").uid == accounts.find(1000).uid == 1000


def test_unknown_users_are_reported() -> None:
    """An unknown user raises an error like docker's."""
    with pytest.raises(RuntimeError, match=r"^unable to find user alpha"):
        accounts_of(()).find("alpha")


@pytest.mark.parametrize(
    ("sandboxes", "remedy"), [(LocalSandboxes, "apt-get install bubblewrap"), (DockerSandboxes, "install Docker")]
)
def test_a_missing_program_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sandboxes: type[LocalSandboxes | DockerSandboxes], remedy: str
) -> None:
    """A missing program is reported with the command that installs it."""
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(SandboxUnavailable, match=remedy):
        sandboxes().preflight()


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("kernel/unprivileged_userns_clone", "0"),
        ("kernel/apparmor_restrict_unprivileged_userns", "1"),
        ("user/max_user_namespaces", "0"),
    ],
)
def test_forbidden_namespaces_are_reported(tmp_path: Path, setting: str, value: str) -> None:
    """Forbidden namespaces are reported with the setting to change."""
    (tmp_path / setting).parent.mkdir()
    (tmp_path / setting).write_text(f"{value}\n")

    remedy = preflight.remedy(tmp_path)

    assert f"sysctl -w {setting.replace('/', '.')}=" in remedy
