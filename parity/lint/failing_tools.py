"""Runs a task's solution, while tools that fetch something fail in the tests: pip, uv, curl, wget and apt-get."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from parity.driver.errors import TaskError
from parity.driver.places import LOGS_OF_VERIFIER, TESTS
from parity.driver.settings import AgentSettings
from parity.driver.task import read_task
from parity.formats.task import TaskConfig
from parity.lint.findings import Finding
from parity.lint.scripts import commands, content, script_text, test_folders
from parity.lint.trials import Run, Trials

_TOOLS = "uv", "uvx", "pip", "pip3", "curl", "wget", "apt-get", "apt"
_CALL = re.compile(
    r"(?:^|[;&|(!]|\b(?:if|then|do|else|while|until|sudo|exec)\b)\s*(?:\w+=\S*\s+)*"
    rf"({'|'.join(_TOOLS)})(?=[\s;]|$)"
)
_FOLDER = ".parity-lint"
"""The folder of the failing tools, beside the test script."""

_FAILED = "parity-lint.txt"
"""The file in the verifier's folder that lists the tools that failed."""

_FAILING = f"""#!/bin/sh
name=${{0##*/}}
case "$name $*" in
# The agent's server, package or installation is tested.
*localhost* | *127.0.0.1* | *0.0.0.0* | *::1* | *--unix-socket* | \\
pip*" show "* | pip*" list"* | pip*" freeze"* | pip*" check"* | pip*" install "[./]* | pip*" -e "*)
  rest=
  IFS=:
  for folder in $PATH; do [ "$folder" = {TESTS}/{_FOLDER} ] || rest=$rest:$folder; done
  PATH=${{rest#:}} exec "$name" "$@" ;;
esac
echo "$name" >> {LOGS_OF_VERIFIER}/{_FAILED}
echo "$name: command not found" >&2
exit 127
"""


async def check_failing_tools(task: Path, config: TaskConfig, trials: Trials, run: Run, copy: Path) -> list[Finding]:
    """Run the solution while tools that fetch something fail in the tests; return a finding if its reward is then 0.

    The result is empty if the solution earns nothing even without these failures.

    Args:
        task: the task's folder.
        config: the content of its task.toml.
        trials: its trials without changes.
        run: runs agents at a task.
        copy: a folder to make, for a changed copy of the task.
    """
    if not any((trials.solved.rewards or {}).values()):
        return []
    scripts = [folder / "test.sh" for _, folder in test_folders(task, config)]
    called = {script: tools for script in scripts if (tools := {*_called(script)})}
    if not called:
        return []
    try:
        shutil.copytree(task, copy, symlinks=True)
        read_task(copy)
    except (TaskError, shutil.Error):  # a link leads from the copy to the task, or a file cannot be read
        return []
    for script, tools in called.items():
        _let_fail(copy / script.relative_to(task), tools)
    (trial,) = await run(copy, name="failing-tools", agents=(AgentSettings("oracle"),))
    lists = [folder / _FAILED for folder in trial.verifiers]
    failed = dict.fromkeys(tool for file in lists for tool in script_text(file).split())
    if not failed or trial.error or not trial.rewards or any(trial.rewards.values()):
        return []
    what = f"a failure of {', '.join(failed)} gives the solution a reward of 0, instead of {trials.solved.rewards}"
    return [Finding(task, "failure-scored-as-zero", what)]


def _called(script: Path) -> Iterator[str]:
    """Yield the tools that a shell script calls, and that fetch something."""
    first = content(script).partition(b"\n")[0]
    if not first.startswith(b"#!") or b"sh" in first:
        for line in commands(script_text(script)):
            yield from _CALL.findall(line)


def _let_fail(script: Path, tools: set[str]) -> None:
    """Change a test script so that tools fail in it, and in the programs that it calls."""
    text = script.read_bytes()
    first, end, rest = text.partition(b"\n") if text.startswith(b"#!") else (b"", b"", text)
    script.unlink()  # it may be a link
    script.write_bytes(first + end + f'export PATH="{TESTS}/{_FOLDER}:$PATH"\n'.encode() + rest)
    (script.parent / _FOLDER).mkdir(exist_ok=True)
    for tool in tools:
        failing = script.parent / _FOLDER / tool
        failing.write_text(_FAILING)
        failing.chmod(0o755)
