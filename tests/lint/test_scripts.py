"""Findings of `parity lint` in test scripts that are not run."""

from pathlib import Path

import pytest

from parity.lint.task_files import check_files
from tests.lint.tasks import CLEAN, lint, write_task


@pytest.mark.parametrize(
    ("tests", "rules"),
    [
        ("set -e\npytest /tests\ncode=$?\n{reward}", {"no-reward-on-failure"}),
        (
            "set -euo pipefail\npython /tests/x.py \\\n  -v\nif [ $? -eq 0 ]; then {reward}; fi",
            {"no-reward-on-failure"},
        ),
        ("set -e\nset +e\npytest /tests\ncode=$?\n{reward}", set()),
        ("set -e\ntrap end EXIT\npytest /tests\ncode=$?\n{reward}", set()),
        ("set -e\npytest /tests || code=$?\n{reward}", set()),
        ("set -e\n{reward}\npytest /tests\ncode=$?", set()),
        ("set -u\npytest /tests\ncode=$?\n{reward}", set()),
        ("# reward.txt is not written\ncd /app\npytest /tests/x.py -q", {"exit-code-only"}),
        ("mkdir -p /logs/verifier\npytest --ctrf /logs/verifier/ctrf.json /tests\nexit $?", {"exit-code-only"}),
        ("pytest /tests --out /logs/verifier", set()),
        ("/opt/grade\npytest /tests", set()),
        ("python grade.py && pytest /tests", set()),
        ("rewardkit /tests && pytest /tests", set()),
        ("make check", set()),
    ],
)
def test_what_scripts_say(tests: str, rules: set[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Only certain faults of scripts are found without running them."""
    task = write_task(tmp_path / "task", tests.format(reward="echo 1 > /logs/verifier/reward.txt"), "")

    _, found = lint(capfd, "--no-run", task)

    assert found == ({"task": rules} if rules else {})


@pytest.mark.parametrize(("script", "rule"), [("tests/test.sh", "no-reward"), ("solution/solve.sh", "solution-fails")])
def test_lines_that_end_in_crlf(script: str, rule: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A script with CRLF in its first line cannot start, which is certain without a run."""
    task = write_task(tmp_path / "task", CLEAN, "")
    (task / script).write_bytes((task / script).read_bytes().replace(b"\n", b"\r\n"))

    assert lint(capfd, task, "--no-run") == (1, {"task": {rule}})


def test_a_folder_in_the_place_of_a_script(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A folder in the place of a script is not read."""
    task = write_task(tmp_path / "task", "", "")
    (task / "solution/solve.sh").unlink()
    (task / "solution/solve.sh").mkdir()

    assert lint(capfd, task, "--no-run") == (0, {})


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, True),
        ({"tests/test.sh": "python /app/test_state.py\n"}, True),
        ({"tests/test.sh": "# . /opt/checks.sh\n"}, False),
        ({"tests/test.sh": ". /opt/tool/init.sh\n", "environment/Dockerfile": "RUN . /opt/tool/init.sh\n"}, False),
        ({"tests/test.sh": "cp -r /tests/checks.sh /opt/checks.sh\n. /opt/checks.sh\n"}, False),
        ({"tests/test.sh": "python /app/main.py\n"}, False),
        ({"tests/test.sh": "", "tests/x.py": "want = open('/app/expected.json')"}, True),
        ({"tests/test.sh": "", "tests/x.py": "built = open('/app/test_state.py')"}, False),
        ({"tests/test.sh": "", "tests/x.py": "# is compared with /app/expected.json"}, False),
        ({"instruction.md": "Mend checks.sh."}, False),
        ({"environment/Dockerfile": "FROM x\nUSER app\n"}, False),
        ({"environment/Dockerfile": "FROM x\nUSER app\nUSER root\n"}, True),
        ({"task.toml": "[agent]\nuser = 'app'\n"}, False),
        ({"task.toml": "[verifier]\nenvironment_mode = 'separate'\n"}, False),
    ],
)
def test_what_the_agent_can_write(
    changes: dict[str, str], found: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A file of the image that decides the reward is found if the agent is root in the same sandbox."""
    task = write_task(tmp_path / "task", ". /opt/checks.sh; touch /logs/verifier/reward.txt", "")
    for name in ("test_state.py", "expected.json", "main.py"):
        (task / "environment" / name).write_text("")
    for name, text in changes.items():
        (task / name).write_text(text)

    _, rules = lint(capfd, "--no-run", task)

    assert rules == ({"task": {"tests-in-reach"}} if found else {})


_RUNS = "{} && touch /logs/verifier/reward.txt"


@pytest.mark.parametrize(
    ("dockerfile", "tests", "path"),
    [
        ("WORKDIR /task\nCOPY . /task", "python3 tests/t.py", "/task/tests/t.py"),
        ("COPY . .", "python3 tests/t.py", "tests/t.py"),
        ("COPY tests /task/tests/", "cd /task\nif pytest tests::test_it; then true; fi", "/task/tests/t.py"),
        ("COPY tests /task/tests/", "cd /task; cargo test", "/task/tests/t.py"),
        ("COPY tests /task/tests/", "cd /task; cargo test -p /task/core", ""),
        ("COPY tests /task/tests/", "cd /task; pip install pytest", ""),
        ("COPY tests /task/tests/", "python3 /tests/u.py /task", ""),
        ("COPY tests /task/tests/", "echo 'python3 /task/tests/t.py'", ""),
        ("COPY tests /task/tests/", "cp /tests/u.py /task/tests/t.py && python3 /task/tests/t.py", ""),
        ("COPY tests /task/tests/", "cat > /task/tests/t.py <<E\nE\npython3 /task/tests/t.py", ""),
        ("COPY tests/t.py /opt/check.py", "python3 /opt/check.py", ""),
        ("COPY same.py other.py /opt/", "python3 /opt/same.py", "/opt/same.py"),
        ("COPY same.py other.py /opt/", "python3 /opt/other.py", ""),
        ('COPY ["same.py", "/opt/run"]', "python3 /opt/run/same.py", "/opt/run/same.py"),
        ("COPY *.py /opt/", "python3 /opt/same.py", "/opt/same.py"),
        ("COPY tests /tests", "python3 /tests/t.py", "/tests/t.py"),
        ("COPY same.py /tests/u.py", "python3 /tests/u.py", ""),
        ("COPY . /task\nFROM b\nCOPY --from=a /task /task", "python3 /task/tests/t.py", ""),
        ("COPY . /named", "cd /named && python3 tests/named.py", ""),
        ("COPY . /task", "python3 /task/ignored/tests/t.py", ""),
    ],
)
def test_copied_tests(dockerfile: str, tests: str, path: str, tmp_path: Path) -> None:
    """A copied file is found if the script runs it, and its folder or its content shows that it is a test."""
    task = write_task(tmp_path / "task", _RUNS.format(tests), "")
    for name, text in {
        "environment/Dockerfile": f"FROM a\n{dockerfile}\n",
        "environment/.dockerignore": "ignored\n",
        "environment/ignored/tests/t.py": "1",
        "environment/tests/t.py": "1",
        "environment/tests/named.py": "2",
        "environment/same.py": "3",
        "environment/other.py": "4",
        "tests/u.py": "3",
        "instruction.md": "Mend the program, and see named.py.",
    }.items():
        (task / name).parent.mkdir(parents=True, exist_ok=True)
        (task / name).write_text(text)

    found = [each.what.rpartition("write ")[2] for each in check_files(task)]

    assert found == ([path] if path else [])
