"""Tests that the unpacker survives hostile tar streams."""

import io
import os
import stat
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from parity.driver.sandbox import TransferError
from parity.driver.sandboxes.tar import LeftOut, unpack, unpack_file
from parity.driver.sandboxes.tar_members import Limits


def _member(name: str, content: bytes = b"", **fields: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, content


def _symlink(name: str, target: str) -> tuple[tarfile.TarInfo, bytes]:
    return _member(name, type=tarfile.SYMTYPE, linkname=target)


def _archive(*members: tuple[tarfile.TarInfo, bytes], tar_format: int = tarfile.GNU_FORMAT) -> io.BytesIO:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w|", format=tar_format) as archive:
        for info, content in members:
            archive.addfile(info, io.BytesIO(content))
    stream.seek(0)
    return stream


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Return a directory beside another directory, which must stay unchanged."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_text("untouched")
    directory = tmp_path / "target"
    directory.mkdir()
    return directory


def _paths(directory: Path) -> list[str]:
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*"))


@pytest.mark.parametrize("name", ["../outside/file", "a/../../outside/file", "/outside/file", "//outside/file", ".."])
def test_member_with_a_name_outside_is_left_out(target: Path, name: str) -> None:
    """A member is left out if its name leads out of the directory."""
    left_out = unpack(_archive(_member(name, b"evil"), _member("good", b"1")), target)

    assert [member.name for member in left_out] == [name]
    assert _paths(target.parent) == ["outside", "outside/file", "target", "target/good"]
    assert (target.parent / "outside" / "file").read_text() == "untouched"


@pytest.mark.parametrize("link", ["../outside", "/etc", "a/../../outside", "b/../..", "..", ""])
def test_symlink_to_the_outside_is_left_out(target: Path, link: str) -> None:
    """A symlink that leads out of the directory is left out."""
    unpack(_archive(_symlink("link", link)), target)

    assert not (target / "link").is_symlink()


def test_symlink_to_the_inside_is_kept(target: Path) -> None:
    """A symlink that stays inside the directory is kept unchanged."""
    left_out = unpack(
        _archive(_member("a/file", b"1"), _symlink("a/b/link", "../file"), _symlink("loop", "loop")), target
    )

    assert left_out == []
    assert (target / "a" / "b" / "link").read_text() == "1"


def test_combined_symlinks_do_not_lead_out(target: Path) -> None:
    """Several symlinks that are harmless on their own do not lead out together."""
    unpack(_archive(_symlink("d/x", "a/../.."), _symlink("d/a", "..")), target)

    assert all(path.resolve().is_relative_to(target) for path in target.rglob("*"))


def test_nothing_is_written_through_a_symlink_in_the_archive(target: Path) -> None:
    """Nothing is written through a symlink in the archive, even if the symlink stays inside."""
    members = _member("real/file", b"old"), _symlink("link", "real"), _member("link/file", b"new")

    left_out = unpack(_archive(*members), target)

    assert left_out == [LeftOut("link/file", "is below a link or a file")]
    assert (target / "real" / "file").read_text() == "old"


@pytest.mark.parametrize(
    ("members", "written"),
    [
        ([_member("file", b"new")], "file"),
        ([_member("link/file", b"evil")], None),
        ([_member("link", type=tarfile.DIRTYPE), _member("link/file", b"new")], "link/file"),
    ],
    ids=["to a file", "to a directory", "named as a directory"],
)
def test_nothing_is_written_through_an_existing_symlink(
    target: Path, members: list[tuple[tarfile.TarInfo, bytes]], written: str | None
) -> None:
    """An existing symlink in the place of a file or directory in the archive is replaced, and not followed."""
    (target / "file").symlink_to("../outside/file")
    (target / "link").symlink_to("../outside")

    unpack(_archive(*members), target)

    assert written is None or (target / written).read_text() == "new"
    assert (target.parent / "outside" / "file").read_text() == "untouched"


def test_hard_links_lead_only_to_files_in_the_archive(target: Path) -> None:
    """A hard link is made only to a preceding member of the archive."""
    (target / "host").write_text("host's")
    members = [
        _member("file", b"1"),
        *(
            _member(f"to-{number}", type=tarfile.LNKTYPE, linkname=name)
            for number, name in enumerate(["./file", "host", "../outside/file", "/etc/passwd"])
        ),
    ]

    left_out = unpack(_archive(*members), target)

    assert [member.name for member in left_out] == ["to-1", "to-2", "to-3"]
    assert (target / "to-0").read_text() == "1"


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, b"s", b"Z"])
def test_only_files_directories_and_links_are_created(target: Path, kind: bytes) -> None:
    """Devices, pipes and unknown types of members are left out."""
    left_out = unpack(_archive(_member("thing", type=kind, devmajor=1, devminor=3)), target)

    assert _paths(target) == []
    assert len(left_out) == 1


def test_modes_are_restricted(target: Path) -> None:
    """Modes lose setuid and write access for others, and gain read access for the owner."""
    unpack(_archive(_member("setuid", b"x", mode=0o6777), _member("closed", b"x", mode=0)), target)

    assert stat.S_IMODE((target / "setuid").stat().st_mode) == 0o755
    assert stat.S_IMODE((target / "closed").stat().st_mode) == 0o600


def test_existing_file_is_replaced(target: Path) -> None:
    """An existing file is replaced and not overwritten, because other hard links may lead to it."""
    (target / "file").write_text("old")
    os.link(target / "file", target / "other")

    unpack(_archive(_member("file", b"new")), target)

    assert (target / "file").read_text() == "new"
    assert (target / "other").read_text() == "old"


@pytest.mark.parametrize(
    ("members", "complaint"),
    [
        ([_member("a", b"x" * 600), _member("b", b"x" * 600)], "more than 1,000 bytes, reached with 'b'"),
        ([_member(f"{number}") for number in range(11)], "more than 10 files"),
        ([_member("x" * 300)], "a path of more than 100 bytes"),
        ([_member("/".join("a" * 20))], "a path of more than 8 directories"),
    ],
)
def test_archive_beyond_a_limit_is_an_error(
    target: Path, members: list[tuple[tarfile.TarInfo, bytes]], complaint: str
) -> None:
    """An archive that exceeds a limit raises an error with a message of one line."""
    limits = Limits(size=1000, members=10, path=100, depth=8)

    with pytest.raises(TransferError) as caught:
        unpack(_archive(*members), target, limits)

    assert str(caught.value).startswith(complaint)
    assert "\n" not in str(caught.value)


def _header(name: str, kind: bytes = tarfile.REGTYPE, size: int = 0) -> bytes:
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    return info.tobuf(tarfile.GNU_FORMAT)


def _long_headers() -> bytes:
    """Return an archive of members whose headers are longer than necessary."""
    comment = b"60015 comment=" + bytes(60000) + b"\n"
    one = _header("header", tarfile.XHDTYPE, len(comment)) + comment + bytes(-len(comment) % 512)
    number = (_LIMITS.members * 4096 + (1 << 20)) // len(one)
    return (one + _header("file")) * 5 + one * number + _header("file") + bytes(1024)


def _global_header() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT, pax_headers={"comment": "x"}) as archive:
        archive.addfile(tarfile.TarInfo("file"))
    return stream.getvalue()


_LIMITS = Limits(members=10)
_TOO_LONG = "a header of the archive has 1,073,741,824 bytes"


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: _header("reward.txt", size=5 << 30), "more than 268,435,456 bytes, reached with 'reward.txt'"),
        (_global_header, "the archive has a global header"),
        (_long_headers, "the headers of the archive are longer"),
        (lambda: _header("header", tarfile.XHDTYPE, 1 << 30), _TOO_LONG),
        (lambda: _header("header", tarfile.GNUTYPE_LONGNAME, 1 << 30), _TOO_LONG),
        (lambda: _header("header", tarfile.GNUTYPE_LONGLINK, 1 << 30), _TOO_LONG),
        (lambda: _header("header", tarfile.XHDTYPE) * 5000, ""),
    ],
    ids=["large claim", "global", "together", "extended", "long name", "long link", "without end"],
)
def test_size_of_headers_is_limited(target: Path, make: Callable[[], bytes], complaint: str) -> None:
    """A header is refused before it is read if it claims too many bytes or would stay in memory."""
    with pytest.raises(TransferError, match=f"^{complaint}"):
        unpack(io.BytesIO(make()), target, _LIMITS)
    assert not (target / "reward.txt").exists()


@pytest.mark.parametrize(
    "content", [b"", b"no archive", b"x" * 2048, _archive(_member("file", b"x" * 5000)).read()[:1024]]
)
def test_broken_archive_is_an_error(target: Path, content: bytes) -> None:
    """A broken archive raises an error, and no partial file is left."""
    with pytest.raises(TransferError):
        unpack(io.BytesIO(content), target)
    assert _paths(target) == []


def test_one_file_is_written_to_its_path(target: Path) -> None:
    """A single file is written to the path, whatever its name in the archive, and replaces a symlink."""
    (target / "reward.txt").symlink_to("../outside/file")

    unpack_file(_archive(_member("../other", b"1")), target / "reward.txt")

    assert (target / "reward.txt").read_text() == "1"
    assert (target.parent / "outside" / "file").read_text() == "untouched"


@pytest.mark.parametrize("members", [[], [_symlink("a", "b")], [_member("a", type=tarfile.DIRTYPE)]])
def test_link_or_directory_is_not_written_as_a_file(target: Path, members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
    """An archive that does not begin with a regular file is refused."""
    with pytest.raises(TransferError):
        unpack_file(_archive(*members), target / "reward.txt")
    assert _paths(target) == []
