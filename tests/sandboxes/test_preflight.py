"""Before a job begins, the preflight tries a sandbox like trials do."""

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
    """Return a directory that every user of the host can enter."""
    path = Path(tempfile.mkdtemp(prefix="parity-preflight-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def _program(path: Path, source: str) -> str:
    path.write_text(f"#!/bin/bash\n{source}\n")
    path.chmod(0o755)
    return str(path)


def test_a_bubblewrap_that_may_not_make_namespaces(
    local: Kind, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bubblewrap that may not make namespaces is reported with its message and the remedy."""
    _program(directory / "bwrap", "echo bwrap: No permissions to create new namespace >&2; exit 1")
    monkeypatch.setenv("PATH", f"{directory}:{os.environ['PATH']}")

    with pytest.raises(SandboxUnavailable) as raised:
        LocalSandboxes().preflight()

    assert str(raised.value).startswith("bwrap cannot make a sandbox (bwrap: No permissions to create new namespace); ")


def test_a_bubblewrap_that_is_too_old(local: Kind, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bubblewrap that is too old for trials is reported."""
    real = shutil.which("bwrap")
    unknown = "echo bwrap: Unknown option --size >&2; exit 1"
    _program(directory / "bwrap", f'for word; do [[ $word != --size ]] || {{ {unknown}; }}; done; exec {real} "$@"')
    monkeypatch.setenv("PATH", f"{directory}:{os.environ['PATH']}")

    with pytest.raises(SandboxUnavailable, match=r"failed \(RuntimeError: .*Unknown option --size\).*newer bubblewrap"):
        LocalSandboxes().preflight()
