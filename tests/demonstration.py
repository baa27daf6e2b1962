"""What the README shows of the command line: real commands on a real job, with what they print."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from parity.operations.job_stats.job_plans import JobPlan, PlannedTask, Run, Spot
from parity.reference.real_jobs import run_job

_BUNDLED = Path(__file__).resolve().parent / "tasks"
_TASKS = (PlannedTask("hello", "demo"), PlannedTask("steps", "demo", steps=2), PlannedTask("slow"))
_AGENTS = (("oracle", None), ("coder", "provider/model"))


def _behave(spot: Spot) -> Run:
    reward = {"reward": 1 / 3 if spot.agent == "coder" else 1.0}
    return Run(reward, agent="TimeoutError" if spot.task == "slow" else None, steps=(Run(reward), Run({"reward": 0.1})))


def demonstration() -> str:
    """A terminal session: a job is scored, its result.json is edited, and it is scored again."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        run_job(home / "jobs", JobPlan(_TASKS, _behave, _AGENTS, attempts=2))
        result = home / "jobs" / "job" / "result.json"
        solved = next(path for path in result.parent.glob("hello__*/verifier/reward.json") if "1.0" in path.read_text())
        solved.parent.rename(home / "verifier")
        lines = [
            *_shown(home, "parity score --check jobs/job"),
            *_shown(home, "parity outcome jobs/job/result.json"),
            *_shown(home, "parity score verifier"),
        ]
        edit = "sed -i s/0.3333333333333333$/0.3333333333333334/ jobs/job/result.json"
        subprocess.run(shlex.split(edit), cwd=home, check=True)
        lines += [f"$ {edit}", *_shown(home, "parity score --check jobs/job")]
    return "\n".join(["```", *lines, "```", ""])


def run_demonstration() -> str:
    """A terminal session: the bundled tasks are run in local sandboxes. How long that took is left open."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        shutil.copytree(_BUNDLED, home / "tests" / "tasks")
        lines = _shown(home, "parity run tests/tasks --quiet --job-name demo")
    text = re.sub(r"(?m)(?<=, in )[0-9.]+ s$", "… s", "\n".join(lines))
    return f"```\n{text}\n```\n"


_ENVIRONMENT = """\
import asyncio

from parity.harbor_env import HarborEnv


async def main():
    async with HarborEnv(
        run_command="echo hello > greeting.txt",
        dataset_path="tests/tasks",
        tasks=["both-files", "failing-test-script", "no-reward", "several-keys", "textual-reward"],
    ) as env:
        results = await env.evaluate()
    for state in results["state"]:
        print(state["task"], state["reward"], state["rewards"], state["fault"])
    print("average reward:", results["metadata"]["avg_reward"])


asyncio.run(main())
"""


def report_demonstration() -> str:
    """A terminal session: two runners that add in their own ways are put side by side."""
    lines = []
    with TemporaryDirectory() as folder:
        for name, runner in (("loop", "AddsOneByOne"), ("fsum", "AddsExactly")):
            asked = f"pytest parity/ -k aggregate --profile quick --runner tests.faulty.sums:{runner} --report"
            # pytest is run in the checkout, where `parity/` is, and the report goes elsewhere.
            command = [sys.executable, "-m", *shlex.split(asked), f"{folder}/{name}.json", "-p", "no:cacheprovider"]
            subprocess.run(command, cwd=_BUNDLED.parent.parent, stdout=subprocess.DEVNULL, check=False)
            lines += [f"$ {asked} {name}.json", "…"]
        lines += _shown(Path(folder), "parity report loop.json fsum.json")
    return "\n".join(["```", *lines, "```", ""])


def pipe_demonstration() -> str:
    """A terminal session: a program in JavaScript is checked, and one that answers with plain numbers."""
    examples = Path("parity/runners/examples/javascript")
    checkout = Path(__file__).resolve().parent.parent
    with TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "parity").symlink_to(checkout / "parity")
        (home / "plain.py").write_text(_PLAIN, encoding="utf-8")
        lines = [
            *_shown(home, f"parity check-runner 'node {examples}/runner.mjs'"),
            *_shown(home, "parity check-runner 'python plain.py'"),
        ]
    return "\n".join(["```", *lines, "```", ""])


_PLAIN = """\
import json, sys

sys.stdin.readline()
print(json.dumps({"hello": {"name": "plain", "operations": ["reason_code", "aggregate"]}}), flush=True)
for line in sys.stdin:
    question = json.loads(line)
    value = None if question["operation"] == "reason_code" or int(question["id"]) > 8 else {"mean": 0.5}
    print(json.dumps({"id": question["id"], "value": value}), flush=True)
"""


def environment_demonstration() -> str:
    """A program that evaluates an agent on bundled tasks in local sandboxes, and what it prints."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        shutil.copytree(_BUNDLED, home / "tests" / "tasks")
        program = [sys.executable, "-c", f"import logging; logging.disable(); {_ENVIRONMENT}"]
        printed = subprocess.run(program, cwd=home, stdout=subprocess.PIPE, text=True, check=True).stdout
    return f"```python\n{_ENVIRONMENT}```\n\n```\n{printed}```\n"


def _shown(home: Path, command: str) -> list[str]:
    """A command line, what it prints, and its exit code where that is not 0."""
    process = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        cwd=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    code = [f"(exit code {process.returncode})"] if process.returncode else []
    return [f"$ {command}", *process.stdout.splitlines(), *code]
