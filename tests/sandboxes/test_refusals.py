"""Tests for tasks that a kind of sandbox refuses before the start, and for messages about unavailable kinds."""

from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import Sandboxes, SandboxSpec, SandboxUnavailable
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
def test_dockerfile_is_read(tmp_path: Path, text: str, expected: Dockerfile) -> None:
    """A Dockerfile is read as far as is needed by a sandbox that builds no images."""
    (tmp_path / "Dockerfile").write_text(text)

    assert read_dockerfile(tmp_path / "Dockerfile") == expected


_LOCAL, _DOCKER = LocalSandboxes(), DockerSandboxes()
_COMPOSE = "needs environment/docker-compose.yaml, which the {} sandbox {}"
_NO_IMAGE = "has neither docker_image in task.toml nor environment/Dockerfile; add one"
_USE_DOCKER = "use --sandbox docker"


@pytest.mark.parametrize(
    ("sandboxes", "files", "spec", "refusal"),
    [
        (_LOCAL, {}, {"image": "a", "users": frozenset({"good"})}, None),
        (_DOCKER, {"Dockerfile": "RUN true"}, {"users": frozenset({"a:b"}), "network": True}, None),
        (
            _LOCAL,
            {"Dockerfile": "FROM a\nRUN true"},
            {},
            f"needs RUN in environment/Dockerfile, which the local sandbox cannot build; {_USE_DOCKER}",
        ),
        (
            _LOCAL,
            {},
            {"image": "a", "network": True},
            f"requests a network, which the local sandbox does not have; {_USE_DOCKER}",
        ),
        (
            _LOCAL,
            {},
            {"image": "a", "users": frozenset({"a:b", "good"})},
            f"names the user 'a:b', for which the local sandbox has no account; {_USE_DOCKER}",
        ),
        (
            _LOCAL,
            {"docker-compose.yaml": ""},
            {"image": "a"},
            f"{_COMPOSE.format('local', 'cannot run')}; {_USE_DOCKER}",
        ),
        (_DOCKER, {"docker-compose.yaml": ""}, {"image": "a"}, _COMPOSE.format("docker", "does not run")),
        (_LOCAL, {}, {}, _NO_IMAGE),
        (_DOCKER, {}, {}, _NO_IMAGE),
    ],
)
def test_task_is_refused_with_its_requirement(
    environment: Path, sandboxes: Sandboxes, files: dict[str, str], spec: dict[str, Any], refusal: str | None
) -> None:
    """A kind refuses a task that it cannot run, with the requirement that it lacks and the alternative."""
    for name, content in files.items():
        (environment / name).write_text(content)

    assert sandboxes.refusal(SandboxSpec("a", "a", environment, **spec)) == refusal


def test_users_have_the_same_numbers_in_every_trial() -> None:
    """Users have the same numbers in every trial, and none of them gets a number that is used as a user name."""
    accounts = accounts_of(frozenset({"beta", "alpha", 1000, "root"}))

    assert [(account.name, account.uid) for account in accounts.all[2:]] == [("alpha", 1001), ("beta", 1002)]
    assert accounts.find("1000").uid == accounts.find(1000).uid == 1000


def test_unknown_user_is_an_error() -> None:
    """An unknown user raises an error like Docker's."""
    with pytest.raises(RuntimeError, match=r"^unable to find user alpha"):
        accounts_of(()).find("alpha")


@pytest.mark.parametrize(
    ("sandboxes", "remedy"), [(LocalSandboxes, "apt-get install bubblewrap"), (DockerSandboxes, "install Docker")]
)
def test_missing_program_is_reported(
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
