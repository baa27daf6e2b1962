"""Findings of `parity lint` about tools that fail in the tests."""

import shutil
from pathlib import Path

import pytest

from tests.lint.tasks import lint, write_task
from tests.needs import need
from tests.sandboxes.kinds import IMAGE, KINDS

pytestmark = pytest.mark.needs("local")

_OWN_TOOLS = "[verifier.env]\nPATH = '/tmp/bin:/usr/local/bin:/usr/bin:/bin'\n"
_WITH_TOOL = """
rm -rf /logs/verifier/*
mkdir -p /tmp/bin
for tool in uvx pip curl apt-get; do echo '#!/bin/sh' > /tmp/bin/$tool; chmod +x /tmp/bin/$tool; done
{calls}
code=$?
[ -e /tmp/solved ] || code=1
{ending}
"""
"""A test script with tools of its own that always succeed."""

_ZERO = "if [ $code = 0 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt"


@pytest.mark.parametrize(
    ("calls", "ending", "found"),
    [
        ("uvx pytest /tests", _ZERO, True),
        ("apt-get update && apt-get install -y jq", _ZERO, True),
        ("true; if ! pip install x; then false; fi", _ZERO, True),
        ("DEBIAN_FRONTEND=x apt-get install jq || pip install jq", _ZERO, True),
        ("curl -LsSf https://example.org/x | sh -s -- -q\n[ $PIPESTATUS = 0 ]", _ZERO, True),
        ("uvx pytest || exit 1", _ZERO, False),
        ("curl -f http://localhost:8000/", _ZERO, False),
        ("pip install /app && pip show x && pip install -q -e .", _ZERO, False),
        ("pip install x || true", _ZERO, False),
        ("echo no uvx, no curl", _ZERO, False),
        ("uvx pytest", "[ $code = 0 ] && echo 1 > /logs/verifier/reward.txt", False),
        ("uvx pytest", "echo 0 > /logs/verifier/reward.txt", False),
    ],
)
def test_failing_tools(calls: str, ending: str, found: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A reward of 0 for the solution is reported if it comes from a tool that fails to fetch something."""
    task = write_task(tmp_path / "task", _WITH_TOOL.format(calls=calls, ending=ending), _OWN_TOOLS)

    _, rules = lint(capfd, task)

    assert ("failure-scored-as-zero" in rules.get("task", ())) is found


@pytest.mark.parametrize("shebang", ["#!/bin/sh -u\n", "", "#!/usr/bin/env bash\n"])
def test_the_task_itself_is_not_changed(shebang: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Tools fail only in a copy of the task, in scripts of every shell, and in scripts of steps behind a link."""
    task = write_task(tmp_path / "task", "", f"{_OWN_TOOLS}[[steps]]\nname = 'only'\n")
    (task / "steps").mkdir()
    for name in ("tests", "solution", "instruction.md"):
        (task / "steps/only").mkdir(exist_ok=True)
        shutil.move(task / name, task / "steps/only" / name)
    script = task / "steps/only/tests/test.sh"
    script.unlink()
    script.symlink_to("real.sh")
    script.with_name("real.sh").write_text(shebang + _WITH_TOOL.format(calls="uvx x", ending=_ZERO))
    script.with_name("real.sh").chmod(0o755)
    script.with_name("parity-lint").touch()
    before = _contents(task)

    _, rules = lint(capfd, task)

    assert rules == {"task": {"failure-scored-as-zero"}}
    assert _contents(task) == before


def test_an_absolute_link_is_not_followed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A task is left as it is if tests/ is an absolute link, which leads from a copy of the task back to it."""
    task = write_task(tmp_path / "task", _WITH_TOOL.format(calls="uvx x", ending=_ZERO), _OWN_TOOLS)
    (task / "tests").rename(task / "real")
    (task / "tests").symlink_to(task / "real")
    before = _contents(task)

    found = lint(capfd, task)

    assert found == (0, {})
    assert _contents(task) == before


def _contents(task: Path) -> dict[Path, bytes | bool]:
    return {path: path.is_file() and path.read_bytes() for path in task.rglob("*")}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_sandbox(kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Tools fail in every kind of sandbox."""
    need(kind)
    image = f"[environment]\ndocker_image = '{IMAGE}'\n" if kind == "docker" else ""
    task = write_task(tmp_path / "task", _WITH_TOOL.format(calls="uvx pytest", ending=_ZERO), _OWN_TOOLS + image)

    assert lint(capfd, "--sandbox", kind, task) == (1, {"task": {"failure-scored-as-zero"}})
