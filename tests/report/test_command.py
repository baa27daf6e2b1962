"""Tests of the output, the files and the exit codes of `parity report`."""

from dataclasses import replace
from pathlib import Path

import pytest

from parity.command import main
from parity.suite.report.report_files import to_json
from tests.report.samples import report


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a directory with two reports, and return its path."""
    (tmp_path / "good.json").write_text(to_json(report("good")))
    (tmp_path / "bad.json").write_text(to_json(report("bad", "diverges")))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("directory")
def test_every_report_is_shown(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Each report is shown as the rules that do not agree and one line; the exit code is 0, whatever the verdicts."""
    code = main(["report", "good.json", "bad.json"])

    assert code == 0
    assert capfdbinary.readouterr().out.decode() == (
        "good agrees with harbor 0.13.1 (3 rules: agrees 3)\n"
        "\n"
        "summation/compensated  ✗ last bits\n"
        "\n"
        "bad diverges from harbor 0.13.1: 1 rule differs in last bits only (3 rules: agrees 2, diverges 1)\n"
    )


def test_older_report_of_a_runner_is_not_in_the_table(
    directory: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """With `--markdown`, a runner's older report has no row, and standard error names its file."""
    older = replace(report("good", "diverges"), started_at="2026-11-01T00:00:00+00:00")
    (directory / "older.json").write_text(to_json(older))

    code = main(["report", "older.json", "good.json", "bad.json", "--markdown"])

    out, err = capfdbinary.readouterr()
    rows = [line.split(" ")[1] for line in out.decode().split("\n\n")[0].splitlines()]
    assert code == 0
    assert rows == ["runner", "---", "good", "bad"]
    assert err.decode() == "parity report: older.json: not in the table: another report on good is newer\n"


@pytest.mark.usefixtures("directory")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["good.json", "--join", "report.pdf"], "--join needs a file that ends in .json, not report.pdf"),
        (["good.json", "-o", "report.json"], "-o needs a file that ends in .html, not report.json"),
        ([], "the following arguments are required: REPORT_JSON"),
    ],
)
def test_wrong_usage_is_reported_in_one_line(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wrong usage prints one line, and the exit code is 2."""
    with pytest.raises(SystemExit) as caught:
        main(["report", *arguments])

    assert caught.value.code == 2
    assert capsys.readouterr().err == f"parity report: {expected}; see parity report --help\n"


@pytest.mark.usefixtures("directory")
def test_unreadable_report_is_reported_with_its_path(capsys: pytest.CaptureFixture[str]) -> None:
    """If a report cannot be read, one line has its path and the remedy, and the exit code is 3."""
    code = main(["report", "good.json", "absent.json"])

    assert code == 3
    assert capsys.readouterr().err == (
        "parity report: absent.json: No such file or directory; give the path of a readable report\n"
    )


@pytest.mark.usefixtures("directory")
@pytest.mark.parametrize(("option", "file"), [("--join", "absent/file.json"), ("-o", "absent/page.html")])
def test_unwritable_file_is_reported_with_its_path(option: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    """If a file cannot be written, one line has its path, and the exit code is 3."""
    code = main(["report", "good.json", option, file])

    assert code == 3
    assert capsys.readouterr().err == (
        f"parity report: {file}: No such file or directory; name a file in a directory that can be written\n"
    )


def test_page_is_written(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`-o` writes one page about all reports, and their verdicts are printed as without `-o`."""
    code = main(["report", "good.json", "bad.json", "-o", "page.html"])

    assert code == 0
    page = (directory / "page.html").read_text(encoding="utf-8")
    assert "<title>harbor-parity: good, bad</title>" in page
    assert capsys.readouterr().out.startswith("good agrees with harbor 0.13.1 ")
