"""A task's archive is packed once, until the task's files change, and leaves nothing on the host."""

import asyncio
import os
import tarfile
import threading
from pathlib import Path

import pytest

from parity.driver.sandboxes.archive import Limits, pack
from parity.driver.sandboxes.unpacking import unpack_file
from parity.harbor_env import archives
from tests.run.tasks import write_task

_HOUR = 3600 * 10**9


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """Return a task whose files are too old to change without a new time."""
    return write_task(tmp_path / "task", tests="true")


@pytest.fixture(autouse=True)
def packed(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return a list that gets a mark for each packing; files need not be old for it."""
    marks: list[object] = []
    real = archives._Packed.__init__

    def init(self: archives._Packed, parts: dict[str, Path]) -> None:
        marks.append(threading.current_thread() is threading.main_thread())
        real(self, parts)

    monkeypatch.setattr(archives._Packed, "__init__", init)
    monkeypatch.setattr(archives, "_SETTLED", -_HOUR)
    return marks


async def _names(task: Path) -> list[str]:
    async with archives.packed(task, archives.parts_for_tests) as path:
        with tarfile.open(path) as archive:
            return archive.getnames()


def test_many_share_one(task: Path, packed: list[object]) -> None:
    """Many requests, at once or later, share one archive, which is packed in a thread."""

    async def run() -> list[list[str]]:
        return [*await asyncio.gather(*(_names(task) for _ in range(20))), await _names(task)]

    assert asyncio.run(run()) == [["oracle/solve.sh", "tests/test.sh"]] * 21
    assert packed == [False]


@pytest.mark.parametrize("change", ["content", "mode", "new file", "removed", "link"])
def test_what_has_changed_is_packed_again(task: Path, packed: list[object], change: str) -> None:
    """Any change of a file, in any folder, causes a new packing."""
    script, below = task / "tests" / "test.sh", task / "tests" / "below"
    below.mkdir()
    (below / "link").symlink_to("a")
    before = asyncio.run(_names(task))

    if change == "content":
        script.write_text(script.read_text().replace("true", "tree"))
    elif change == "mode":
        script.chmod(0o600)
    elif change == "new file":
        (below / "new").write_text("")
    elif change == "removed":
        script.unlink()
    else:
        (below / "link").unlink()
        (below / "link").symlink_to("b")
    after = asyncio.run(_names(task))

    assert len(packed) == 2
    assert (before == after) == (change not in ("new file", "removed"))


def test_what_has_just_changed_is_not_trusted(
    task: Path, packed: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that has just changed is packed again, because another change could have the same time."""
    monkeypatch.setattr(archives, "_SETTLED", _HOUR)

    asyncio.run(_names(task))
    asyncio.run(_names(task))

    assert len(packed) == 2


def test_old_ones_go_where_there_are_many(
    tmp_path: Path, packed: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the archives that were requested last are kept."""
    monkeypatch.setattr(archives, "KEPT_ARCHIVES", 2)
    tasks = [write_task(tmp_path / str(number), tests="true") for number in range(3)]

    for number in (0, 1, 2, 2, 1, 0):
        asyncio.run(_names(tasks[number]))

    assert len(packed) == 4


@pytest.mark.parametrize("by_number", [True, False])
def test_it_can_be_carried(task: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_number: bool) -> None:
    """An archive can be uploaded even if files cannot be opened by number; its folder is then removed."""
    if not by_number:
        monkeypatch.setattr(archives, "_BY_NUMBER", tmp_path / "missing")
    target = tmp_path / "carried.tar.gz"

    async def run() -> Path:
        async with archives.packed(task, archives.parts_for_tests) as path:
            reader, writer = os.pipe()
            with os.fdopen(writer, "wb") as stream:
                pack(path, stream, name="archive")
            with os.fdopen(reader, "rb") as stream:
                unpack_file(stream, target, Limits())
            return path.parent

    folder = asyncio.run(run())

    with tarfile.open(target) as archive:
        assert archive.getnames() == ["oracle/solve.sh", "tests/test.sh"]
    assert (target.stat().st_mode & 0o777, folder.exists()) == (0o644, by_number)
