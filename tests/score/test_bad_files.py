"""Tests that each unreadable file in a job's directory is reported in one line, with exit code 3."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.score.actions import edit, fault, make_huge, put, trial_of
from tests.score.conftest import Score


def _cut_off(path: Path) -> None:
    path.write_text(path.read_text()[:-20])


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _latin(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'{\n    "', b'{\n    "\xe9": 0, "', 1))


def _nested(path: Path) -> None:
    path.write_text("[" * 200_000)


def _surrogate(path: Path) -> None:
    path.write_text(path.read_text().replace('{\n    "', '{\n    "note": "\\ud800", "', 1))


def _dangling(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def _device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


_DAMAGE: list[tuple[Callable[[Path], object], str]] = [
    (_cut_off, "not JSON: "),
    (_pipe, "not a regular file, but a named pipe"),
    (_directory, "not a regular file, but a directory"),
    (_latin, "not UTF-8: byte 7 is 0xe9"),
    (_nested, "nested too deeply"),
    (_surrogate, "not JSON: unexpected end of hex escape"),
    (_dangling, "no such file"),
    (_device, "not a regular file, but a device"),
    (lambda path: path.write_text(""), "empty"),
    (lambda path: path.write_text("[]"), "must be an object, not an array"),
]


@pytest.mark.parametrize(
    ("name", "damage", "reason"),
    [
        *(("TRIAL/result.json", *each) for each in _DAMAGE),
        *((name, *_DAMAGE[0]) for name in ("config.json", "lock.json", "result.json")),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_damaged_file_in_a_job_is_reported(
    job: Path, score: Score, name: str, damage: Callable[[Path], object], reason: str
) -> None:
    """Anything unreadable in the place of a file is reported in one line with its path and the reason."""
    path = job / name.replace("TRIAL", trial_of(job).name)
    damage(path)

    code, out, err = score(job)

    assert (code, out, len(err)) == (3, "", 1)
    assert err[0].startswith(f"parity score: {path}: {reason}")


def test_file_that_arrives_in_pieces_is_read_completely(
    job: Path, score: Score, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file is read completely, even if each read returns only a part of it."""
    read = os.read
    monkeypatch.setattr(os, "read", lambda file, size: read(file, min(size, 100)))

    assert score(job, "-q", "--check")[0] == 0


@pytest.mark.parametrize("name", ["config.json", "result.json"])
def test_huge_file_is_refused(job: Path, score: Score, name: str) -> None:
    """A file that is too large is refused with its size and the limit."""
    make_huge(job / name)

    code, _, err = score(job)

    assert (code, len(err)) == (3, 1)
    limit = "1,073,741,824" if name == "result.json" else "67,108,864"
    assert f": 2,147,483,648 bytes, more than the {limit} that are read" in err[0]


@pytest.mark.parametrize("name", ["config.json", "result.json"])
def test_missing_file_is_reported(job: Path, score: Score, name: str) -> None:
    """A missing config.json or result.json is reported as an error."""
    (job / name).unlink()

    assert score(job) == (3, "", [fault(f"job/{name}", "no such file")])


@pytest.mark.needs("modes")
def test_file_without_read_permission_is_reported(job: Path, score: Score) -> None:
    """A file without read permission is reported in one line with the remedy."""
    path = job / "config.json"
    path.chmod(0)

    code, _, err = score(job)

    assert (code, len(err)) == (3, 1)
    assert err == [fault(path, "may not be read", "make it readable, with chmod u+r")]


def test_at_most_ten_problems_are_listed(job: Path, score: Score) -> None:
    """Each problem has a line of its own, but at most ten are listed."""
    for number in range(12):
        (job / f"trial-{number}").mkdir()
        (job / f"trial-{number}" / "result.json").write_text("{}")

    code, _, err = score(job)

    assert (code, len(err)) == (3, 11)
    assert err[-1] == "parity score: and 2 more like these"


def test_result_with_an_overflowing_metric_is_wrong(job: Path, score: Score) -> None:
    """A result.json is judged wrong if computing a metric overflows, because Harbor could not have written it."""
    edit(trial_of(job) / "result.json", put("verifier_result.rewards.reward", 10**400))

    code, out, err = score(job)

    assert (code, out, len(err)) == (1, "", 2)
    assert err[1].startswith("  a metric raises OverflowError, with which no job of Harbor's ends: ")


@pytest.mark.parametrize("path", ["~nosuchuser/data", "da\0ta/data"])
def test_missing_dataset_is_named_after_its_path(job: Path, score: Score, path: str) -> None:
    """A dataset whose path does not exist is named after the last part of the path."""
    edit(job / "config.json", lambda config: config["datasets"].append({"path": path}))

    assert score(job, "-q")[0] == 0
