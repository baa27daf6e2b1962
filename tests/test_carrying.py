"""The transfer of a folder that was fetched from a sandbox to its place on the host."""

import os
from pathlib import Path

import pytest

from parity.driver.sandbox import TransferError
from parity.driver.sandboxes.archive import Limits
from parity.reference.harbor_sandboxes import carry_over, carry_over_file


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a folder with a file in a folder."""
    (tmp_path / "source/sub").mkdir(parents=True)
    (tmp_path / "source/sub/file.txt").write_text("content")
    return tmp_path / "source"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Return an empty folder beside a file that must stay unchanged."""
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "target").mkdir()
    return tmp_path / "target"


def test_files_and_inner_links_arrive(source: Path, target: Path) -> None:
    """Files and links inside the folder are copied."""
    (source / "link").symlink_to("sub/file.txt")

    carry_over(source, target)

    assert (target / "sub/file.txt").read_text() == "content"
    assert (target / "link").readlink() == Path("sub/file.txt")


@pytest.mark.parametrize("aim", ["/etc/hostname", "../secret.txt", "sub/up/../secret.txt"])
def test_links_that_lead_out_are_left_out(source: Path, target: Path, aim: str) -> None:
    """Links that lead out are left out, whether absolute, relative, or through another link."""
    (source / "sub/up").symlink_to("..")
    (source / "link").symlink_to(aim)

    carry_over(source, target)

    assert not (target / "link").is_symlink()
    assert (target / "sub/up").is_symlink()


@pytest.mark.parametrize("aim", ["../secret.txt", "/etc/hostname"])
def test_nothing_is_written_through_a_link_in_the_target(source: Path, target: Path, aim: str) -> None:
    """Nothing is written through a link in the target; anything in the way is replaced."""
    (target / "sub").symlink_to("..")
    (source / "file.txt").write_text("new")
    (target / "file.txt").symlink_to(aim)

    carry_over(source, target)

    assert (target.parent / "secret.txt").read_text() == "secret"
    assert not (target.parent / "file.txt").exists()
    assert (target / "file.txt").read_text() == "new"


def test_devices_and_pipes_are_left_out(source: Path, target: Path) -> None:
    """Devices and pipes are left out, because reading them might never end."""
    os.mkfifo(source / "pipe")

    carry_over(source, target)

    assert [path.name for path in target.iterdir()] == ["sub"]


@pytest.mark.parametrize("limits", [Limits(members=2), Limits(size=6), Limits(depth=1)])
def test_more_than_the_host_takes_is_refused(source: Path, target: Path, limits: Limits) -> None:
    """Too many files, too large files, or too deep folders are refused at once."""
    with (source / "sub/large.bin").open("wb") as file:
        file.truncate(1 << 40)

    with pytest.raises(TransferError, match="more than"):
        carry_over(source, target, limits)


def test_what_cannot_be_read_is_reported(tmp_path: Path, target: Path) -> None:
    """A folder that cannot be read is reported as such, not as a broken archive."""
    with pytest.raises(TransferError, match=r"cannot be read from .*absent: No such file"):
        carry_over(tmp_path / "absent", target)


def test_one_file_is_no_link(source: Path, target: Path) -> None:
    """A single file is copied only if it is not a link."""
    (source / "link").symlink_to("sub/file.txt")

    carry_over_file(source / "sub/file.txt", target / "copy.txt")

    assert (target / "copy.txt").read_text() == "content"
    with pytest.raises(TransferError, match="'link' is a link"):
        carry_over_file(source / "link", target / "copy.txt")
