"""The output, the files and the exit codes of `parity report`."""

from pathlib import Path

import pytest

from parity.command import main
from parity.report.places import to_json
from tests.report.samples import report


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, which has two reports."""
    (tmp_path / "good.json").write_text(to_json(report("good")))
    (tmp_path / "bad.json").write_text(to_json(report("bad", "diverges")))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_the_matrix_is_printed(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Without options, the matrix is printed as text, and the exit code is 0, whatever the verdicts."""
    code = main(["report", "good.json", "bad.json"])

    assert code == 0
    assert "summation/compensated  ✓ agrees  ✗ last bits" in capfdbinary.readouterr().out.decode()


@pytest.mark.usefixtures("folder")
def test_every_rule_is_printed_when_asked_for(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """`--all` prints every rule, even if all agree."""
    assert main(["report", "good.json", "--all"]) == 0

    assert "reward-file/json-wins" in capfdbinary.readouterr().out.decode()


def test_page_and_badge_are_written(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """`-o` writes the page or the badge, and prints nothing."""
    assert main(["report", "good.json", "bad.json", "-o", "page.html"]) == 0
    assert main(["report", "bad.json", "--badge", "badge.svg"]) == 0

    assert (folder / "page.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "bad 1.4: 1 rule differs in last bits only" in (folder / "badge.svg").read_text()
    assert capfdbinary.readouterr() == (b"", b"")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["good.json", "-o", "report.pdf"], "--output takes a file that ends in .html, not report.pdf"),
        (["good.json", "--badge", "badge.png"], "--badge takes a file that ends in .svg, not badge.png"),
        (["good.json", "bad.json", "--badge", "badge.svg"], "--badge takes exactly one report, not 2"),
        ([], "the following arguments are required: REPORT_JSON"),
    ],
)
def test_wrong_usage(arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Wrong usage gives one line and exit code 2."""
    with pytest.raises(SystemExit) as caught:
        main(["report", *arguments])

    assert caught.value.code == 2
    assert capsys.readouterr().err == f"parity report: {expected}; see parity report --help\n"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "No such file or directory; give the path of a readable report"),
        ('{"format": 3}', "its final record is missing, so the run did not get to its end; write it again with: "),
        ('{"format": 1}', "a report of format 1, and this kit reads format 3; write it again with: "),
        ('{"format": 1, "ki', "not JSON, or cut off: "),
    ],
)
def test_a_report_that_cannot_be_read(
    folder: Path, content: str | None, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A report that cannot be read gives one line with its path, and exit code 3."""
    if content is not None:
        (folder / "broken.json").write_text(content)

    code = main(["report", "good.json", "broken.json"])

    assert code == 3
    assert capsys.readouterr().err.startswith(f"parity report: broken.json: {expected}")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("option", "name"), [("--output", "file.html"), ("--badge", "file.svg")])
def test_a_place_that_cannot_be_written(option: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that cannot be written gives one line with its path, and exit code 3."""
    code = main(["report", "good.json", option, f"absent/{name}"])

    assert code == 3
    assert capsys.readouterr().err == (
        f"parity report: absent/{name}: No such file or directory; name a file in a folder that can be written\n"
    )
