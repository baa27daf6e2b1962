"""Shows Harbor's answer to a case with nothing but a shell and Harbor: lines that make the case, and ask Harbor.

`read_reward`, `aggregate` and `pass_at_k` have such lines. A case of another operation is a whole trial or job, or no
release of Harbor decides its answer.
"""

import re
import shlex
from collections.abc import Callable, Iterator
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.aggregate import AggregateCase
from parity.operations.pass_at_k import PassAtKCase
from parity.operations.read_reward import RewardFolder
from parity.operations.wire import Json

_MAKE = {
    "absent": "",
    "file": "{content} > {path}\n",
    "link": "{content} > {target} && ln -s ../{target} {path}\n",
    "dangling-link": "ln -s nowhere {path}\n",
    "looping-link": "ln -s {name} {path}\n",
    "directory": "mkdir {path}\n",
    "link-to-directory": "mkdir {target} && ln -s ../{target} {path}\n",
    "fifo": "mkfifo {path}\n",
    "device": "ln -s /dev/null {path}\n",
    "socket": "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"{path}\")'\n",
    "unreadable": "{content} > {path} && chmod 0 {path}  # root can read it all the same\n",
}
"""The commands that make a reward file, by its kind."""

_FOLDER = {
    "link": "ln -s elsewhere verifier\n",
    "file": "touch verifier\n",
    "unsearchable": "chmod 0 verifier  # root can search it all the same\n",
}
"""The commands that finish the verifier's folder, by its kind."""

_TASK = "mkdir -p task/tests task/environment && touch task/task.toml task/instruction.md task/tests/test.sh\n"
_VERIFIER = """\
import asyncio
from pathlib import Path
from unittest.mock import Mock

from harbor.environments.base import BaseEnvironment
from harbor.models.task.task import Task
from harbor.models.trial.paths import TrialPaths
from harbor.verifier.verifier import Verifier

environment = Mock(spec=BaseEnvironment, os="linux")  # does nothing, because the reward files exist already
environment.exec.return_value.return_code = 0
verifier = Verifier(Task(Path("task")), TrialPaths(Path.cwd()), environment)
"""
_TRIALS = """\
from harbor.models.trial.result import AgentInfo, ModelInfo, TrialResult
from harbor.models.verifier.result import VerifierResult
from harbor.utils.pass_at_k import compute_pass_at_k_by_evals


def trial(agent, model, source, task, rewards):
    model_info = None if model is None else ModelInfo(name=model)
    return TrialResult.model_construct(
        agent_info=AgentInfo(name=agent, version="", model_info=model_info),
        source=source,
        task_name=task,
        verifier_result=None if rewards is None else VerifierResult(rewards=rewards),
    )


"""


def reproduction(operation: str, case: Json) -> str:
    """Return the lines that make a case and print Harbor's answer, or `raises` and the name of its error.

    The text is empty for an operation without such lines.

    Args:
        operation: the operation's name.
        case: a case in its wire form; None, as reports have it, if it is too large.

    Raises:
        WireError: the case is malformed.
    """
    if operation not in _SHOWN or case is None:
        return ""
    shell, setup, call = _SHOWN[operation](OPERATIONS[operation].decode(case))
    constants = "from math import inf, nan\n\n" if _CONSTANT.search(setup + call) else ""
    return f"""\
{shell}python3 -X utf8 - <<'EOF'
{constants}{setup}
try:
    answer = {call}
except Exception as error:
    answer = f"raises {{type(error).__name__}}"
print(answer)
EOF
"""


def _read_reward(case: RewardFolder) -> tuple[str, str, str]:
    return "".join(_folder(case)), _VERIFIER, "asyncio.run(verifier.verify()).rewards"


def _aggregate(case: AggregateCase) -> tuple[str, str, str]:
    metric = case.metric.capitalize()
    return "", f"from harbor.metrics.{case.metric} import {metric}\n", f"{metric}().compute({list(case.rewards)!a})"


def _pass_at_k(case: PassAtKCase) -> tuple[str, str, str]:
    fields = ((each.agent, each.model, each.source, each.task, each.rewards) for each in case.trials)
    trials = "".join(f"    trial{each!a},\n" for each in fields)
    return "", f"{_TRIALS}trials = [\n{trials}]\n", "compute_pass_at_k_by_evals(trials)"


_SHOWN: dict[str, Callable[[Any], tuple[str, str, str]]] = {
    "read_reward": _read_reward,
    "aggregate": _aggregate,
    "pass_at_k": _pass_at_k,
}
"""By operation: a function that returns commands for the shell, statements in Python, and the call for the answer."""


def _folder(case: RewardFolder) -> Iterator[str]:
    """Yield the commands that make the trial's folder, and change to it."""
    yield 'cd "$(mktemp -d)"\n'
    if case.within:
        yield "mkdir {0} && cd {0}\n".format(shlex.quote(f"./{case.within}"))
    yield _TASK
    if case.folder not in ("absent", "file"):
        folder = "elsewhere" if case.folder == "link" else "verifier"
        yield f"mkdir {folder}\n"
        for name, content in case.others.items():
            yield f"{_printed(content)} > {shlex.quote(f'{folder}/{name}')}\n"
        for name, state in case.files.items():
            places = {"name": name, "path": f"{folder}/{name}", "target": f"elsewhere-{name}"}
            yield _MAKE[state.kind].format(content=_printed(state.content), **places)
    yield _FOLDER.get(case.folder, "")


def _printed(content: bytes) -> str:
    """Return a command that prints these bytes."""
    if len(content) > 64 and content == content[:1] * len(content):
        return rf"head -c {len(content)} /dev/zero | tr '\000' '\{content[0]:03o}'"
    return f"printf '{_UNSAFE.sub(lambda found: rf'\{ord(found[0]):03o}', content.decode('latin-1'))}'"


_CONSTANT = re.compile(r"\b(?:inf|nan)\b")
_UNSAFE = re.compile(r"[^ -~]|['%\\]|^-")
"""Characters that `printf` or a shell does not take literally, or a terminal does not show."""
