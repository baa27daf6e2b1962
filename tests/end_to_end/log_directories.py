"""Tasks that read their log directories, fill them, or write to them after the files have been downloaded.

Harbor's Docker mounts these directories from the host, so the results include all files in them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_REWARD = "/logs/verifier/reward.txt"


@dataclass(frozen=True)
class Step:
    """The solution and the test script of a step, as bash source."""

    solution: str
    tests: str


@dataclass(frozen=True)
class LogTask:
    """A task with one or more steps."""

    steps: Sequence[Step]
    top: str = ""
    """Lines at the top of task.toml."""

    too_much: bool = False
    """Whether the task leaves more files than the host accepts from a sandbox, so that not all files can be equal."""


def _single(solution: str, tests: str, top: str = "", *, too_much: bool = False) -> LogTask:
    return LogTask([Step(solution, tests)], top, too_much)


_COUNT = f"ls -A /logs/artifacts | wc -l > {_REWARD}"
_DEEP = "$(printf 'a/%.0s' $(seq 40))"

TASKS: Mapping[str, LogTask] = {
    "counted-artifacts": LogTask([Step(f"echo {n} > /logs/artifacts/{n}.txt", _COUNT) for n in ("one", "two")]),
    "counted-extra-artifacts": _single("echo 1 > /tmp/out.txt", _COUNT, 'artifacts = ["/tmp/out.txt"]'),
    "artifacts-of-tests": _single("true", f"echo seen > /logs/artifacts/seen.txt; echo 1 > {_REWARD}"),
    "artifacts-of-steps": LogTask(
        [
            Step("echo 1 > /logs/artifacts/a", f"mv /logs/artifacts/a /logs/artifacts/b; echo {n} > {_REWARD}")
            for n in "12"
        ]
    ),
    "agent-logs-of-tests": _single("echo 1 > /logs/agent/mine", f"echo seen > /logs/agent/seen; echo 1 > {_REWARD}"),
    "exit-code-seen": _single("exit 3", f"cat /logs/agent/exit-code.txt > {_REWARD}"),
    "earlier-logs": LogTask(
        [
            Step("echo 1 > /logs/agent/mine; ls /logs/verifier", f"ls -A /logs/agent | wc -l > {_REWARD}"),
            Step("ls -A /logs/agent /logs/verifier > /tmp/found", f"grep -c . /tmp/found > {_REWARD}"),
        ]
    ),
    "planted-reward": _single(f"echo 0.5 > {_REWARD}", "true"),
    "many-files": _single("true", f"cd /logs/verifier && seq 10001 | xargs touch; echo 1 > {_REWARD}", too_much=True),
    "large-files": _single("true", f"head -c 300M /dev/zero > /logs/verifier/a; echo 1 > {_REWARD}", too_much=True),
    "deep-directories": _single(
        "true",
        f'mkdir -p "/logs/verifier/{_DEEP}"; echo \'{{"reward": 1}}\' > /logs/verifier/reward.json',
        too_much=True,
    ),
    "large-everything": _single(
        "for part in agent artifacts; do head -c 200M /dev/zero > /logs/$part/fill; done",
        f"head -c 200M /dev/zero > /logs/verifier/fill; echo 0.25 > {_REWARD}",
        too_much=True,
    ),
    "no-reward": _single("echo 1 > /logs/artifacts/a", "rm /logs/artifacts/a; exit 1"),
}


def write_tasks(target: Path, image: str) -> Path:
    """Write the tasks, which use this image."""
    for name, task in TASKS.items():
        directory = target / name
        (directory / "environment").mkdir(parents=True)
        is_single = len(task.steps) == 1
        steps = "" if is_single else "".join(f'[[steps]]\nname = "step{n}"\n' for n in range(len(task.steps)))
        (directory / "task.toml").write_text(
            f'{task.top}\n[task]\nname = "parity/{name}"\n[agent]\ntimeout_sec = 120\n[verifier]\ntimeout_sec = 300\n'
            f'[environment]\ndocker_image = "{image}"\nnetwork_mode = "no-network"\nstorage_mb = 2048\n{steps}'
        )
        for number, step in enumerate(task.steps):
            own = directory if is_single else directory / "steps" / f"step{number}"
            for part, script, text in (("solution", "solve.sh", step.solution), ("tests", "test.sh", step.tests)):
                (own / part).mkdir(parents=True)
                (own / part / script).write_text(f"#!/bin/bash\n{text}\n")
            (own / "instruction.md").write_text("Do it.\n")
    return target
