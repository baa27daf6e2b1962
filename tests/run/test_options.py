"""Tests for the options of `parity run`: their values in config.json, and the options that are refused."""

from pathlib import Path

import pytest
import typer

from tests.run.actions import document
from tests.run.conftest import ParityRun

pytestmark = pytest.mark.usefixtures("scripts")


def test_defaults_are_those_of_harbor_run(dataset: Path, parity_run: ParityRun) -> None:
    """Without options, config.json has the same defaults as with `harbor run`, except for the sandbox."""
    ran = parity_run(dataset)

    config = document(next(Path("jobs").glob("*/config.json")))
    assert ran.code == 0
    assert (config["n_attempts"], config["n_concurrent_trials"], config["retry"]["max_retries"]) == (1, 4, 0)
    assert config["agents"][0]["name"] == "oracle"
    assert config["environment"]["kwargs"] == {"sandbox": "local"}
    assert config["datasets"][0]["path"] == "data"
    assert config["retry"]["include_exceptions"] is None
    assert "AgentTimeoutError" in config["retry"]["exclude_exceptions"]


def test_command_line_of_harbor_run_has_the_same_meaning(
    dataset: Path, parity_run: ParityRun, opened: list[str]
) -> None:
    """The arguments of `harbor run` have the same meaning in `parity run`."""
    line = (
        "-p data -a nop -e docker -k 2 -n 3 -r 1 --retry-include ValueError --retry-include OSError "
        "--retry-exclude KeyError --ae A=b=c --ve V=w --timeout-multiplier 2 --agent-timeout-multiplier 0.5 "
        "--verifier-timeout-multiplier 3 --agent-setup-timeout-multiplier 4 "
        "--environment-build-timeout-multiplier 5 -o out --job-name mine --disable-verification -q"
    )

    ran = parity_run(*line.split())

    config = document("out/mine/config.json")
    multipliers = [value for name, value in config.items() if name.endswith("multiplier")]
    assert (ran.code, ran.err, opened) == (0, [], ["docker"])
    assert (config["n_attempts"], config["n_concurrent_trials"], config["retry"]["max_retries"]) == (2, 3, 1)
    assert config["retry"]["include_exceptions"] == ["OSError", "ValueError"]
    assert config["retry"]["exclude_exceptions"] == ["KeyError"]
    assert (config["agents"][0]["name"], config["agents"][0]["env"]) == ("nop", {"A": "b=c"})
    assert (config["verifier"]["env"], config["verifier"]["disable"]) == ({"V": "w"}, True)
    assert multipliers == [2.0, 0.5, 3.0, 4.0, 5.0]


def test_directory_of_a_task_is_run_as_a_task(dataset: Path, parity_run: ParityRun) -> None:
    """A task's directory is run as a task, not as a dataset."""
    parity_run(dataset / "one", "--job-name", "j")

    config = document("jobs/j/config.json")
    assert ([task["path"] for task in config["tasks"]], config["datasets"]) == (["data/one"], [])


def test_lock_has_the_command_line_without_secrets(dataset: Path, parity_run: ParityRun) -> None:
    """lock.json has the command line, in which secrets are redacted."""
    parity_run(dataset, "--job-name", "j", "--ae", "API_KEY=very-secret-thing", "-q")

    invocation = document("jobs/j/lock.json")["invocation"]
    assert invocation[:3] == ["parity", "run", "data"]
    assert "very-secret-thing" not in " ".join(invocation)


def test_job_without_a_name_resumes_no_existing_job(dataset: Path, parity_run: ParityRun) -> None:
    """A job without a name never resumes an existing job, even within the same second."""
    for _ in range(3):
        parity_run(dataset, "-q")

    assert len(list(Path("jobs").iterdir())) == 3


@pytest.mark.parametrize(
    ("options", "type_", "import_path"),
    [
        ("--sandbox harbor:daytona", "daytona", None),
        ("-e daytona", "daytona", None),
        ("--sandbox harbor:some.module:Class", None, "some.module:Class"),
        ("--sandbox docker", None, "parity.reference.sandbox_environment:SandboxEnvironment"),
    ],
)
def test_config_has_an_environment_that_harbor_can_load(
    dataset: Path, parity_run: ParityRun, options: str, type_: str | None, import_path: str | None
) -> None:
    """config.json describes the sandbox as an environment that Harbor can load."""
    parity_run(dataset, "--job-name", "j", *options.split())

    environment = document("jobs/j/config.json")["environment"]
    assert (environment["type"], environment["import_path"]) == (type_, import_path)


def test_command_of_the_agent_is_kept_unchanged(dataset: Path, parity_run: ParityRun) -> None:
    """config.json has the agent's command unchanged."""
    parity_run(dataset, "--job-name", "j", "-a", "command", "--ak", "command=echo a=b; exit 0")

    assert document("jobs/j/config.json")["agents"][0]["kwargs"] == {"command": "echo a=b; exit 0"}


_USAGE = {
    "": "the following arguments are required: PATH",
    "data --path data": "PATH is given twice, by itself and with --path",
    "data -k 0": "argument -k/--n-attempts: 0 is less than 1",
    "data -k x": "argument -k/--n-attempts: 'x' is not a whole number",
    "data -k 99999999999999999999": "argument -k/--n-attempts: must be at most 1,000,000, the limit of a job",
    "data -r -1": "argument -r/--max-retries: -1 is less than 0",
    "data --timeout-multiplier nan": "argument --timeout-multiplier: nan is not a valid factor; give a number above 0",
    "data --agent-timeout-multiplier 0": "argument --agent-timeout-multiplier: 0 is not a valid factor; give a "
    "number above 0",
    "data --timeout-multiplier two": "argument --timeout-multiplier: 'two' is not a number",
    "data --ae A": "argument --ae/--agent-env: 'A' is not NAME=VALUE",
    "data --ve =b": "argument --ve/--verifier-env: '=b' is not NAME=VALUE",
    "data --job-name a/b": "argument --job-name: 'a/b' must be a name, not a path; give its parent with --jobs-dir",
    "data -a command": "the agent command needs its command; give it with --agent-kwarg command=SOURCE",
    "data -a nop --ak command=x": "--agent-kwarg is only for the agent command, not for nop; leave it out",
    "data -a command --ak command=x --ak other=y": (
        "--agent-kwarg: the agent command accepts only command=SOURCE, not other"
    ),
    "data --model gpt": (
        "--model: only in harbor run; choose oracle, nop or command with --agent, or run the job with harbor"
    ),
    "data/one -x two": "-i, -x and -l choose from a dataset, and PATH is a task; leave them out",
    "data --n-att 2": "unrecognized arguments: --n-att 2",
    "data --sandbox docker -e docker": "argument -e/--env: not allowed with argument --sandbox",
    "data --allow-network": "--allow-network: local sandboxes have no network; use --sandbox docker",
    "data --end-processes -e daytona": (
        "--end-processes is for sandboxes local and docker: others may have processes of their own; leave it out"
    ),
}


@pytest.mark.parametrize("line", _USAGE)
def test_usage_error_is_one_line_and_writes_nothing(dataset: Path, parity_run: ParityRun, line: str) -> None:
    """A usage error is reported in one line with exit code 2, and nothing is written."""
    ran = parity_run(*line.split())

    assert (ran.code, ran.err) == (2, [f"parity run: {_USAGE[line]}; see parity run --help"])
    assert not Path("jobs").exists()


def test_unknown_sandbox_is_refused(dataset: Path, parity_run: ParityRun, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown kind of sandbox is a usage error."""
    monkeypatch.undo()

    ran = parity_run(dataset.resolve(), "--sandbox", "podman")

    problem = "argument --sandbox: unknown sandbox 'podman'; choose local, docker or harbor:KIND; see parity run --help"
    assert (ran.code, ran.err) == (2, [f"parity run: {problem}"])


def test_each_agent_of_harbor_is_run_or_refused(dataset: Path, parity_run: ParityRun) -> None:
    """Each agent of `harbor run` is run, or refused by its name with an alternative."""
    from harbor.models.agent.name import AgentName

    others = sorted(AgentName.values() - {"oracle", "nop"})

    lines = [parity_run(dataset, "-a", name).err for name in others]

    advice = "choose oracle, nop or command with --agent, or run the job with harbor"
    assert lines == [
        [f"parity run: argument -a/--agent: this driver cannot run the agent {name!r}; {advice}; see parity run --help"]
        for name in others
    ]


def test_each_option_of_harbor_run_is_accepted_or_refused(dataset: Path, parity_run: ParityRun) -> None:
    """Each option of `harbor run` is accepted, or refused by its name with an alternative."""
    from harbor.cli.main import app  # slow to import

    command = typer.main.get_command(app).commands["run"]  # type: ignore[attr-defined]
    names = [name for option in command.params for name in (*option.opts, *option.secondary_opts)]

    lines = {name: " ".join(parity_run(dataset, name, "1", "--help").err) for name in names}

    refused = {name for name, line in lines.items() if line.startswith(f"parity run: {name}: only in harbor run; ")}
    assert [name for name, line in lines.items() if "unrecognized" in line] == []
    assert refused == {name for name, line in lines.items() if "only in harbor run" in line}
    assert {"--config", "-m", "-t", "--upload", "--no-delete"} <= refused
    assert not {"-k", "-i", "-x", "-l", "-y", "--ae"} & refused


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ("-i o*", {"one"}),
        ("-i one -i two", {"one", "two"}),
        ("-x t?o", {"one"}),
        ("-i * -x one", {"two"}),
        ("-i [!t]*", {"one"}),
        ("-x one -l 1", {"two"}),
    ],
)
def test_tasks_are_chosen_by_patterns(dataset: Path, parity_run: ParityRun, options: str, names: set[str]) -> None:
    """Tasks are first chosen by patterns and then limited, as in Harbor, and config.json has both settings."""
    words = options.split()
    values = {option: [words[i + 1] for i, word in enumerate(words) if word == option] for option in ("-i", "-x", "-l")}

    ran = parity_run(dataset, "-q", "--job-name", "j", *words)

    [config] = document("jobs/j/config.json")["datasets"]
    assert ran.code == 0
    assert {path.parent.name.partition("__")[0] for path in Path("jobs/j").glob("*/result.json")} == names
    assert config["task_names"] == (values["-i"] or None)
    assert config["exclude_task_names"] == (values["-x"] or None)
    assert config["n_tasks"] == (int(values["-l"][0]) if values["-l"] else None)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("-i three", "data: no task is named three; its tasks include one, two"),
        ("-x *", "data: contains no task; give a directory of tasks, or a task's directory"),
        ("-k 600000", "jobs/j: 2 tasks are 1,200,000 trials, but a job may have at most 1,000,000; run fewer"),
    ],
)
def test_job_without_tasks_or_with_too_many_trials_is_refused(
    dataset: Path, parity_run: ParityRun, options: str, problem: str
) -> None:
    """A job without tasks, or with too many trials, is refused before it begins."""
    ran = parity_run(dataset, "--job-name", "j", *options.split())

    assert (ran.code, ran.err) == (3, [f"parity run: {problem}"])


def test_help_lists_all_exit_codes(parity_run: ParityRun) -> None:
    """The help ends with a table of the exit codes."""
    ran = parity_run("--help")

    codes = [line.split()[0] for line in ran.out.partition("exit codes:\n")[2].splitlines()]
    assert (ran.code, codes) == (0, ["0", "1", "2", "3", "130", "143"])
