"""Tests that the preflight tries a sandbox before a job begins, as trials will use it."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from parity.driver.sandbox import SandboxUnavailable
from parity.driver.sandboxes.bubblewrap import LocalSandboxes
from tests.sandboxes.kinds import Kind


@pytest.fixture
def directory() -> Iterator[Path]:
    """Yield a directory that every user on the host can enter."""
    path = Path(tempfile.mkdtemp(prefix="parity-preflight-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def _program(path: Path, source: str) -> str:
    path.write_text(f"#!/bin/bash\n{source}\n")
    path.chmod(0o755)
    return str(path)


def test_bubblewrap_without_namespaces_is_reported(
    local: Kind, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If bubblewrap may not make namespaces, its message is reported with the remedy."""
    _program(directory / "bwrap", "echo bwrap: No permissions to create new namespace >&2; exit 1")
    monkeypatch.setenv("PATH", f"{directory}:{os.environ['PATH']}")

    with pytest.raises(SandboxUnavailable) as raised:
        LocalSandboxes().preflight()

    assert str(raised.value).startswith("bwrap cannot make a sandbox (bwrap: No permissions to create new namespace); ")


def test_old_bubblewrap_is_reported(local: Kind, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A version of bubblewrap that is too old for trials is reported."""
    real = shutil.which("bwrap")
    unknown = "echo bwrap: Unknown option --size >&2; exit 1"
    _program(directory / "bwrap", f'for word; do [[ $word != --size ]] || {{ {unknown}; }}; done; exec {real} "$@"')
    monkeypatch.setenv("PATH", f"{directory}:{os.environ['PATH']}")

    with pytest.raises(SandboxUnavailable, match=r"failed \(RuntimeError: .*Unknown option --size\).*newer bubblewrap"):
        LocalSandboxes().preflight()
