"""Options of `parity run`: their values in config.json, and refused options."""

from pathlib import Path

import pytest
import typer

from tests.run.actions import document, run
from tests.run.conftest import SetScripts

pytestmark = pytest.mark.usefixtures("scripts")


def test_defaults(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The defaults are those of `harbor run`, except for the sandbox."""
    ran = run(capfd, dataset)

    config = document(next(Path("jobs").glob("*/config.json")))
    assert ran.code == 0
    assert (config["n_attempts"], config["n_concurrent_trials"], config["retry"]["max_retries"]) == (1, 4, 0)
    assert config["agents"][0]["name"] == "oracle"
    assert config["environment"]["kwargs"] == {"sandbox": "local"}
    assert config["datasets"][0]["path"] == "data"
    assert config["retry"]["include_exceptions"] is None
    assert "AgentTimeoutError" in config["retry"]["exclude_exceptions"]


def test_a_line_of_harbor_run_carries_over(dataset: Path, capfd: pytest.CaptureFixture[str], opened: list[str]) -> None:
    """The arguments of `harbor run` have the same meaning in `parity run`."""
    line = (
        "-p data -a nop -e docker -k 2 -n 3 -r 1 --retry-include ValueError --retry-include OSError "
        "--retry-exclude KeyError --ae A=b=c --ve V=w --timeout-multiplier 2 --agent-timeout-multiplier 0.5 "
        "--verifier-timeout-multiplier 3 --agent-setup-timeout-multiplier 4 "
        "--environment-build-timeout-multiplier 5 -o out --job-name mine --disable-verification -q"
    )

    ran = run(capfd, *line.split())

    config = document("out/mine/config.json")
    assert (ran.code, ran.err, opened) == (0, [], ["docker"])
    assert config["n_attempts"] == 2
    assert config["n_concurrent_trials"] == 3
    assert config["retry"]["max_retries"] == 1
    assert config["retry"]["include_exceptions"] == ["OSError", "ValueError"]
    assert config["retry"]["exclude_exceptions"] == ["KeyError"]
    assert (config["agents"][0]["name"], config["agents"][0]["env"]) == ("nop", {"A": "b=c"})
    assert config["verifier"] == {
        "override_timeout_sec": None, "max_timeout_sec": None, "env": {"V": "w"}, "disable": True
    }  # fmt: skip
    multipliers = [value for name, value in config.items() if name.endswith("multiplier")]
    assert multipliers == [2.0, 0.5, 3.0, 4.0, 5.0]


def test_a_single_task(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A task's folder is run as a task, not as a dataset."""
    ran = run(capfd, dataset / "one", "--job-name", "j")

    config = document("jobs/j/config.json")
    assert ran.code == 0
    assert [task["path"] for task in config["tasks"]] == ["data/one"]
    assert config["datasets"] == []


def test_the_command_line_is_kept(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """lock.json has the command line, without secrets."""
    run(capfd, dataset, "--job-name", "j", "--ae", "API_KEY=very-secret-thing", "-q")

    lock = document("jobs/j/lock.json")
    assert lock["invocation"][:3] == ["parity", "run", "data"]
    assert "very-secret-thing" not in " ".join(lock["invocation"])


def test_two_jobs_in_a_second(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A job without a name never resumes another one."""
    runs = [run(capfd, dataset, "-q") for _ in range(3)]

    assert [ran.code for ran in runs] == [0, 0, 0]
    assert len(list(Path("jobs").iterdir())) == 3


@pytest.mark.parametrize(
    ("option", "type_", "import_path"),
    [
        (("--sandbox", "harbor:daytona"), "daytona", None),
        (("-e", "daytona"), "daytona", None),
        (("--sandbox", "harbor:some.module:Class"), None, "some.module:Class"),
        (("--sandbox", "docker"), None, "parity.reference.sandbox_environment:SandboxEnvironment"),
    ],
)
def test_how_harbor_would_name_the_sandbox(
    dataset: Path,
    capfd: pytest.CaptureFixture[str],
    option: tuple[str, str],
    type_: str | None,
    import_path: str | None,
) -> None:
    """config.json names an environment that Harbor can load."""
    run(capfd, dataset, "--job-name", "j", *option)

    environment = document("jobs/j/config.json")["environment"]
    assert (environment["type"], environment["import_path"]) == (type_, import_path)


def test_the_agent_command(dataset: Path, capfd: pytest.CaptureFixture[str], scripts: SetScripts) -> None:
    """The agent's command is kept unchanged."""
    ran = run(capfd, dataset, "--job-name", "j", "-a", "command", "--ak", "command=echo a=b; exit 0")

    agent = document("jobs/j/config.json")["agents"][0]
    assert ran.code == 0
    assert agent["kwargs"] == {"command": "echo a=b; exit 0"}


_USAGE = {
    "": "the following arguments are required: PATH",
    "data --path data": "PATH is given twice, by itself and with --path",
    "data -k 0": "argument -k/--n-attempts: 0 is less than 1",
    "data -k x": "argument -k/--n-attempts: 'x' is no whole number",
    "data -n 0": "argument -n/--n-concurrent: 0 is less than 1",
    "data -r -1": "argument -r/--max-retries: -1 is less than 0",
    "data --timeout-multiplier nan": "argument --timeout-multiplier: nan is no factor; give a number above 0",
    "data --timeout-multiplier inf": "argument --timeout-multiplier: inf is no factor; give a number above 0",
    "data --agent-timeout-multiplier 0": "argument --agent-timeout-multiplier: 0 is no factor; give a number above 0",
    "data --timeout-multiplier two": "argument --timeout-multiplier: 'two' is no number",
    "data --ae A": "argument --ae/--agent-env: 'A' is not NAME=VALUE",
    "data --ve =b": "argument --ve/--verifier-env: '=b' is not NAME=VALUE",
    "data --job-name a/b": "argument --job-name: 'a/b' is not a directory name; give its parent with --jobs-dir",
    "data -a command": "the agent command needs its command; give it with --agent-kwarg command=SOURCE",
    "data -a nop --ak command=x": "--agent-kwarg is only for the agent command, not for nop; leave it out",
    "data -a command --ak command=x --ak other=y": (
        "--agent-kwarg: the agent command takes only command=SOURCE, not other"
    ),
    "data --model gpt": (
        "--model: only in harbor run; choose oracle, nop or command with --agent, or run the job with harbor"
    ),
    "data -k 99999999999999999999": ("argument -k/--n-attempts: it is more than 1,000,000, the limit of a job"),
    "data/one -x two": "-i, -x and -l choose from a dataset, and PATH is a task; leave them out",
    "data --n-att 2": "unrecognized arguments: --n-att 2",
    "data --sandbox docker -e docker": "argument -e/--env: not allowed with argument --sandbox",
}


@pytest.mark.parametrize("line", _USAGE)
def test_wrong_usage(dataset: Path, capfd: pytest.CaptureFixture[str], line: str) -> None:
    """Wrong usage gives one line and exit code 2, and nothing is written."""
    ran = run(capfd, *line.split())

    assert (ran.code, ran.err) == (2, [f"parity run: {_USAGE[line]}; see parity run --help"])
    assert not Path("jobs").exists()


def test_every_agent_of_harbor_run(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Each agent of `harbor run` is run, or refused by its name with an alternative."""
    from harbor.models.agent.name import AgentName

    others = AgentName.values() - {"oracle", "nop"}

    said = {name: run(capfd, dataset, "-a", name).err for name in others}

    advice = "choose oracle, nop or command with --agent, or run the job with harbor"
    assert said == {
        name: [
            f"parity run: argument -a/--agent: this driver has no agent {name!r}, nor any other agent of Harbor's; "
            f"{advice}; see parity run --help"
        ]
        for name in others
    }


def test_every_option_of_harbor_run(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Each option of `harbor run` is accepted, or refused by its name with an alternative."""
    from harbor.cli.main import app  # takes long

    command = typer.main.get_command(app).commands["run"]  # type: ignore[attr-defined]
    names = [name for option in command.params for name in (*option.opts, *option.secondary_opts)]

    said = {name: run(capfd, dataset, name, "1", "--help").err for name in names}

    unknown = [name for name, err in said.items() if any("unrecognized" in line for line in err)]
    refused = {name: err for name, err in said.items() if any("only in harbor run" in line for line in err)}
    assert unknown == []
    assert all(err[0].startswith(f"parity run: {name}: only in harbor run; ") for name, err in refused.items())
    assert {"--config", "-m", "-t", "--upload", "--no-delete"} <= refused.keys()
    assert not {"-k", "-i", "-x", "-l", "-y", "--ae"} & refused.keys()


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ("-i o*", {"one"}),
        ("-i one -i two", {"one", "two"}),
        ("-x t?o", {"one"}),
        ("-i * -x one", {"two"}),
        ("-i [!t]*", {"one"}),
    ],
)
def test_chosen_tasks(dataset: Path, capfd: pytest.CaptureFixture[str], options: str, names: set[str]) -> None:
    """Tasks are chosen by patterns as in Harbor, and config.json has the patterns."""
    ran = run(capfd, dataset, "-q", "--job-name", "j", *options.split())

    [config] = document("jobs/j/config.json")["datasets"]
    words = options.split()
    assert ran.code == 0
    assert {path.parent.name.partition("__")[0] for path in Path("jobs/j").glob("*/result.json")} == names
    assert config["task_names"] == ([words[i + 1] for i, word in enumerate(words) if word == "-i"] or None)
    assert config["exclude_task_names"] == ([words[i + 1] for i, word in enumerate(words) if word == "-x"] or None)


def test_a_limit(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The limit of tasks applies after the patterns."""
    ran = run(capfd, dataset, "-q", "--job-name", "j", "-l", 1)

    assert ran.code == 0
    assert len(list(Path("jobs/j").glob("*/result.json"))) == 1
    assert document("jobs/j/config.json")["datasets"][0]["n_tasks"] == 1


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("-i three", "data: no task is named three; known are one, two"),
        ("-x *", "data: contains no task; give a folder of tasks, or a task's folder"),
    ],
)
def test_no_chosen_task(dataset: Path, capfd: pytest.CaptureFixture[str], options: str, problem: str) -> None:
    """If no task is chosen, the job is refused."""
    ran = run(capfd, dataset, *options.split())

    assert (ran.code, ran.err) == (3, [f"parity run: {problem}"])


def test_too_many_trials(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A job with too many trials is refused before they are planned."""
    ran = run(capfd, dataset, "-k", 600_000, "--job-name", "j")

    assert (ran.code, ran.err) == (
        3,
        ["parity run: jobs/j: 2 tasks are 1,200,000 trials, and a job has at most 1,000,000; run fewer"],
    )


def test_help(capfd: pytest.CaptureFixture[str]) -> None:
    """The help lists all exit codes."""
    ran = run(capfd, "--help")

    codes = [line.split()[0] for line in ran.out.partition("exit codes:\n")[2].splitlines()]
    assert ran.code == 0
    assert codes == ["0", "1", "2", "3", "130", "143"]
