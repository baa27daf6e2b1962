"""The downloads of one trial share one limit of size."""

from pathlib import Path

from parity.driver.sandboxes.archive import LIMITS
from parity.driver.trial_sandbox import room_in


def test_what_lies_in_the_folder_takes_room(tmp_path: Path) -> None:
    """Files count with their apparent size, and at least as a block of the disk each."""
    (tmp_path / "agent").mkdir()
    with (tmp_path / "agent" / "log").open("wb") as file:
        file.truncate(1 << 20)
    (tmp_path / "empty").touch()

    assert room_in(tmp_path) == LIMITS.size - (1 << 20) - 2 * 4096


def test_a_full_folder_has_none(tmp_path: Path) -> None:
    """A folder beyond the limit has no room, and never a negative one."""
    with (tmp_path / "log").open("wb") as file:
        file.truncate(LIMITS.size + 1)

    assert room_in(tmp_path) == 0


def test_links_are_not_followed(tmp_path: Path) -> None:
    """Links are not followed, because they may lead anywhere, and in circles."""
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / "out").symlink_to("/")

    assert room_in(tmp_path) == LIMITS.size - 2 * 4096
