"""All members that HarborEnv's documentation names, executed in both classes of this kit and in those of the releases.

`python -m tests.harbor_env.members` writes the answers of the installed classes into `members.md`: of the plain class,
and if verifiers is installed, of the class for it and of the release. The columns of other releases stay unchanged.
"""

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from parity.harbor_env.releases import RELEASES
from tests.harbor_env.subjects import Subject, subjects
from tests.run.tasks import reward, write_task

TABLE = Path(__file__).with_name("members.md")
COLUMNS = ("plain", "for verifiers", *RELEASES)
_HEAD = """\
What the documentation of [HarborEnv](https://pypi.org/project/verifiers/) names, executed: in the plain class and in
the class for verifiers, under `scoring="documented"`, and in the releases' own class. Written by
`python -m tests.harbor_env.members`.

"""


type Ask = Callable[[Subject, Path], object]


def _names(env: Any) -> str:
    return ", ".join(Path(row["info"]["task_dir"]).name for row in env.load_harbor_dataset().to_list())


def _row(subject: Subject, dataset: Path, number: int = 0, /, **options: Any) -> tuple[Any, dict[str, Any]]:
    env = subject.make("true", dataset, subject.kind, **options)
    return env, env.load_harbor_dataset().to_list()[number]


def _variables(subject: Subject, dataset: Path, **options: Any) -> dict[str, str]:
    env, row = _row(subject, dataset, **options)
    variables: dict[str, str] = asyncio.run(env.build_env_vars({**row, "interception_base_url": "http://model:1"}))
    return variables


def _image(number: int) -> Ask:
    def ask(subject: Subject, dataset: Path) -> object:
        env, row = _row(subject, dataset, number, docker_image="given:1")
        return asyncio.run(env.get_docker_image(row))

    return ask


def _resource(name: str, value: float) -> Ask:
    def ask(subject: Subject, dataset: Path) -> object:
        env, row = _row(subject, dataset, 0, **{name: value})
        return env.get_sandbox_resources(row)[name]

    return ask


def _attribute(name: str, value: float) -> Ask:
    return lambda subject, dataset: getattr(subject.make("true", dataset, subject.kind, **{name: value}), name)


def _computed(subject: Subject, dataset: Path) -> object:
    given: list[object] = []

    async def compute_reward(self: Any, state: Any) -> float:
        given.append(await super(kind, self).compute_reward(state))
        return cast("float", given[-1])

    kind: Any = type("Computing", (subject.kind,), {"compute_reward": compute_reward})
    subject.rolled(dataset, kind=kind)
    return ", ".join(f"{type(number).__name__} {number}" for number in given)


def _extended(subject: Subject, dataset: Path) -> object:
    """Return the result of the documentation's own example."""

    async def post_sandbox_setup(self: Any, state: Any) -> None:
        await super(kind, self).post_sandbox_setup(state)
        sandbox_id = state["sandbox_id"]
        await self.sandbox_client.upload_file(sandbox_id, "/app/agent.sh", str(dataset / "second" / "instruction.md"))
        await self.sandbox_client.execute_command(sandbox_id, "mv agent.sh installed.sh", working_dir="/app")

    kind: Any = type("Custom", (subject.kind,), {"post_sandbox_setup": post_sandbox_setup})
    return subject.rolled(dataset, "bash /app/installed.sh", kind)["reward"]


def _failing(subject: Subject, dataset: Path) -> object:
    scored: list[object] = []

    async def post_sandbox_setup(self: Any, state: Any) -> None:
        raise OSError("no room")

    async def compute_reward(self: Any, state: Any) -> float:
        scored.append(state)
        return 1.0

    members = {"post_sandbox_setup": post_sandbox_setup, "compute_reward": compute_reward}
    state = subject.rolled(dataset, kind=type("Failing", (subject.kind,), members))
    return f"{'none' if state['error'] is None else 'set'}, {'scored' if scored else 'not scored'}"


def _of_state(key: str) -> Ask:
    return lambda subject, dataset: subject.rolled(dataset)[key]


def _left(tests: str) -> Ask:
    def ask(subject: Subject, dataset: Path) -> object:
        with tempfile.TemporaryDirectory() as folder:
            write_task(Path(folder, "task"), tests=tests)
            return subject.rolled(Path(folder))["reward"]

    return ask


def _found(agent: str, tests: str = "true") -> Ask:
    """Return a question: whether agent and tests write the expected words to a file."""

    def ask(subject: Subject, dataset: Path) -> object:
        with tempfile.TemporaryDirectory() as folder:
            script = (
                f"({tests}) >> /app/found; test \"$(sort /app/found | xargs)\" = '{_EXPECTED[agent]}' && {reward(1)}"
            )
            write_task(Path(folder, "task"), solution="true", tests=script)
            return "yes" if subject.rolled(Path(folder), agent)["reward"] == 1 else "no"

    return ask


_LOOK = "ls /task > /app/found; ls /tests /oracle >> /app/found 2>/dev/null; true"
_ENV = (
    "env | grep -oE '^(OPENAI_BASE_URL|OPENAI_MODEL|HARBOR_TASK_NAME|HARBOR_TASK_DIR=/task$|AGENT_WORKDIR=/app$|"
    "HARBOR_INSTRUCTION_PATH=/task/instruction.md$)' | cut -d= -f1 > /app/found"
)
_EXPECTED = {
    _LOOK: "instruction.md solve.sh task.toml test.sh",
    _ENV: "AGENT_WORKDIR HARBOR_INSTRUCTION_PATH HARBOR_TASK_DIR HARBOR_TASK_NAME OPENAI_BASE_URL OPENAI_MODEL",
}


def _average(with_client: bool) -> Ask:
    def ask(subject: Subject, dataset: Path) -> object:
        client = {"client": subject.client()} if with_client else {}
        env = subject.make("true", dataset, subject.kind, tasks=["first"])
        return subject.evaluate(env, model="a-model", num_examples=1, **client)["metadata"]["avg_reward"]

    return ask


MEMBERS: dict[str, Ask] = {
    "`run_command`": lambda subject, dataset: subject.rolled(dataset, "touch /app/made")["reward"],
    "`dataset_path=Path(…)`": lambda subject, dataset: _names(subject.make("true", dataset, subject.kind)),
    '`dataset_path="…"`': lambda subject, dataset: _names(subject.make("true", str(dataset), subject.kind)),
    '`tasks=["second"]`': lambda subject, dataset: _names(
        subject.make("true", dataset, subject.kind, tasks=["second"])
    ),
    '`agent_workdir="/work"`': lambda subject, dataset: _variables(subject, dataset, agent_workdir="/work")[
        "AGENT_WORKDIR"
    ],
    '`docker_image="given:1"`': _image(1),
    "`max_turns=20`": _attribute("max_turns", 20),
    "`timeout_seconds=300`": _attribute("timeout_seconds", 300),
    "`cpu_cores=3`": _resource("cpu_cores", 3),
    "`memory_gb=4`": _resource("memory_gb", 4),
    "`disk_size_gb=6`": _resource("disk_size_gb", 6),
    '`environment_vars={"A": "1"}`': lambda subject, dataset: _variables(subject, dataset, environment_vars={"A": "1"})[
        "A"
    ],
    "`load_harbor_dataset()`": lambda subject, dataset: ", ".join(sorted(_row(subject, dataset)[1])),
    "`load_harbor_dataset()`, of `info`": lambda subject, dataset: ", ".join(
        sorted({"task_dir", "docker_image", "config"} & _row(subject, dataset)[1]["info"].keys())
    ),
    "`load_harbor_dataset()`, of `prompt`": lambda subject, dataset: ", ".join(
        f"{message['role']}: {message['content']}" for message in _row(subject, dataset)[1]["prompt"]
    ),
    "`get_docker_image(state)`": _image(0),
    "`build_env_vars(state)`": lambda subject, dataset: ", ".join(
        f"{name}={value}"
        for name, value in sorted(_variables(subject, dataset).items())
        if name.startswith(("AGENT", "HARBOR"))
    ),
    "`compute_reward(state)`": _computed,
    "`post_sandbox_setup(state)`, extended": _extended,
    "`evaluate(client=…, model=…, num_examples=1)`": _average(with_client=True),
    "`evaluate(model=…, num_examples=1)`": _average(with_client=False),
    '`state["harbor_config"]`': _of_state("harbor_config"),
    '`state["harbor_task_dir"]`': lambda subject, dataset: (
        subject.rolled(dataset)["harbor_task_dir"] == str(dataset / "first")
    ),
    '`state["reward"]`': _of_state("reward"),
    '`state["error"]`': _of_state("error"),
    "variables of the agent": _found(_ENV),
    "uploads in two phases": _found(_LOOK, "ls /tests /oracle | grep sh"),
    "tests that fail": _left(f"{reward(0.5)}; exit 1"),
    "no reward file": _left("true"),
    "a reward file that is no number": _left("echo good > /logs/verifier/reward.txt"),
    "infrastructure that fails": _failing,
}
"""The question to every class about each documented member."""


def write_tasks(folder: Path) -> Path:
    """Write two tasks; the first names an image. Agents earn 0.5, and 1.0 by making a file."""
    tests = f"test -e /app/made && {reward(1)} || {reward(0.5)}"
    for name, image in (("first", "own:1"), ("second", None)):
        task = write_task(folder / name, tests=tests, image=image)
        (task / "instruction.md").write_text("touch /app/made\n")
    (folder / "first" / "task.toml").write_text('[environment]\ndocker_image = "own:1"\n')
    return folder


def column(subject: Subject, folder: Path) -> list[str]:
    """Return the answers of a class, member by member."""
    dataset = write_tasks(folder)
    return [f"`{_asked(ask, subject, dataset)}`" for ask in MEMBERS.values()]


def _asked(ask: Ask, subject: Subject, dataset: Path) -> object:
    try:
        return ask(subject, dataset)
    except Exception as error:
        return f"raises {type(error).__name__}"


def recorded() -> dict[str, list[str]]:
    """Return the columns of the present table."""
    lines = TABLE.read_text(encoding="utf-8").splitlines() if TABLE.exists() else []
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    return {name: [row[1 + at] for row in rows[1:]] for at, name in enumerate(rows[0][1:])} if rows else {}


def table(columns: dict[str, list[str]]) -> str:
    """Return the text of the file."""
    known = [name for name in COLUMNS if name in columns]
    lines = ["| member | " + " | ".join(known) + " |", "|---" * (len(known) + 1) + "|"]
    for at, member in enumerate(MEMBERS):
        lines.append(f"| {member} | " + " | ".join(columns[name][at] for name in known) + " |")
    return _HEAD + "\n".join(lines) + "\n"


def main() -> None:
    """Write the answers of the installed classes."""
    columns = recorded()
    for name, subject in subjects().items():
        with tempfile.TemporaryDirectory() as folder:
            columns[name] = column(subject, Path(folder))
    TABLE.write_text(table(columns), encoding="utf-8")


if __name__ == "__main__":
    main()
