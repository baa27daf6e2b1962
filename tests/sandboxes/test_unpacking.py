"""Hostile tar streams, given directly to the unpacker."""

import io
import os
import stat
import tarfile
from pathlib import Path

import pytest

from parity.driver.sandbox import TransferError
from parity.driver.sandboxes.tar import LeftOut, Limits, unpack, unpack_file


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
    """Return a folder beside another one, which must stay unchanged."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_text("untouched")
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


def _paths(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize("name", ["../outside/file", "a/../../outside/file", "/outside/file", "//outside/file", ".."])
def test_names_do_not_lead_out(target: Path, name: str) -> None:
    """A member whose name leads out of the folder is left out."""
    left_out = unpack(_archive(_member(name, b"evil"), _member("good", b"1")), target)

    assert [member.name for member in left_out] == [name]
    assert _paths(target.parent) == ["outside", "outside/file", "target", "target/good"]
    assert (target.parent / "outside" / "file").read_text() == "untouched"


@pytest.mark.parametrize("link", ["../outside", "/etc", "a/../../outside", "b/../..", "..", ""])
def test_links_do_not_lead_out(target: Path, link: str) -> None:
    """A link that leads out of the folder is left out."""
    unpack(_archive(_symlink("link", link)), target)

    assert not (target / "link").is_symlink()


def test_links_that_stay_inside_are_kept(target: Path) -> None:
    """A link that stays inside the folder is kept unchanged."""
    left_out = unpack(
        _archive(_member("a/file", b"1"), _symlink("a/b/link", "../file"), _symlink("loop", "loop")), target
    )

    assert left_out == []
    assert (target / "a" / "b" / "link").read_text() == "1"


def test_links_that_are_harmless_alone_do_not_lead_out_together(target: Path) -> None:
    """Links that are harmless alone do not lead out together."""
    unpack(_archive(_symlink("d/x", "a/../.."), _symlink("d/a", "..")), target)

    assert all(path.resolve().is_relative_to(target) for path in target.rglob("*"))


def test_nothing_is_written_through_a_link_of_the_archive(target: Path) -> None:
    """Nothing is written through a link of the archive, even if it stays inside."""
    members = _member("real/file", b"old"), _symlink("link", "real"), _member("link/file", b"new")

    left_out = unpack(_archive(*members), target)

    assert left_out == [LeftOut("link/file", "lies behind a link or a file")]
    assert (target / "real" / "file").read_text() == "old"


def test_nothing_is_written_through_an_existing_link(target: Path) -> None:
    """A link in the place of a file is replaced, and nothing is written through a link to a folder."""
    (target / "file").symlink_to("../outside/file")
    (target / "folder").symlink_to("../outside")

    unpack(_archive(_member("file", b"new"), _member("folder/file", b"evil")), target)

    assert (target / "file").read_text() == "new"
    assert (target.parent / "outside" / "file").read_text() == "untouched"


def test_link_is_replaced_by_the_folder_of_the_archive(target: Path) -> None:
    """A link in the place of a folder that the archive names is replaced by a folder."""
    (target / "folder").symlink_to("../outside")

    unpack(_archive(_member("folder", type=tarfile.DIRTYPE), _member("folder/file", b"new")), target)

    assert (target / "folder" / "file").read_text() == "new"
    assert (target.parent / "outside" / "file").read_text() == "untouched"


def test_hard_links_lead_only_to_files_of_the_archive(target: Path) -> None:
    """Hard links are made only to earlier members of the archive."""
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
def test_only_files_folders_and_links_are_made(target: Path, kind: bytes) -> None:
    """Devices, pipes and unknown members are left out."""
    left_out = unpack(_archive(_member("thing", type=kind, devmajor=1, devminor=3)), target)

    assert _paths(target) == []
    assert len(left_out) == 1


def test_modes_lose_rights_of_others(target: Path) -> None:
    """Modes lose setuid and write access for others, and get read access for the owner."""
    unpack(_archive(_member("setuid", b"x", mode=0o6777), _member("closed", b"x", mode=0)), target)

    assert stat.S_IMODE((target / "setuid").stat().st_mode) == 0o755
    assert stat.S_IMODE((target / "closed").stat().st_mode) == 0o600


def test_existing_file_is_replaced(target: Path) -> None:
    """An existing file is replaced, not written into, because it may have other names."""
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
def test_limits_are_reported(target: Path, members: list[tuple[tarfile.TarInfo, bytes]], complaint: str) -> None:
    """An archive that exceeds a limit raises an error of one line."""
    limits = Limits(size=1000, members=10, path=100, depth=8)

    with pytest.raises(TransferError) as caught:
        unpack(_archive(*members), target, limits)

    assert str(caught.value).startswith(complaint)
    assert "\n" not in str(caught.value)


def test_large_claim_is_refused_before_it_is_read(target: Path) -> None:
    """A member that claims too many bytes is refused before it is read."""
    info = tarfile.TarInfo("reward.txt")
    info.size = 5 << 30

    with pytest.raises(TransferError, match=r"^more than 268,435,456 bytes, reached with 'reward.txt'$"):
        unpack(io.BytesIO(info.tobuf()), target)
    assert _paths(target) == []


def test_a_global_header_is_refused(target: Path) -> None:
    """A global header is refused, because it would stay in memory."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT, pax_headers={"comment": "x"}) as archive:
        archive.addfile(tarfile.TarInfo("file"))
    stream.seek(0)

    with pytest.raises(TransferError, match="global header"):
        unpack(stream, target)


def test_headers_are_bounded_together(target: Path) -> None:
    """The total size of headers is limited."""
    comment = b"60015 comment=" + bytes(60000) + b"\n"
    long = tarfile.TarInfo("header")
    long.type, long.size = tarfile.XHDTYPE, len(comment)
    one = long.tobuf(tarfile.GNU_FORMAT) + comment + bytes(-len(comment) % 512)
    member = tarfile.TarInfo("file").tobuf(tarfile.GNU_FORMAT)
    limits = Limits(members=10)
    headers = (limits.members * 4096 + (1 << 20)) // len(one)

    with pytest.raises(TransferError, match="headers of the archive are longer"):
        unpack(io.BytesIO((one + member) * 5 + one * headers + member + bytes(1024)), target, limits)


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK])
def test_long_headers_are_refused(target: Path, kind: bytes) -> None:
    """Long headers are refused, because they would be read into memory."""
    info = tarfile.TarInfo("header")
    info.type, info.size = kind, 1 << 30

    with pytest.raises(TransferError, match="a header of the archive has 1,073,741,824 bytes"):
        unpack(io.BytesIO(info.tobuf()), target)


def test_headers_without_end_are_refused(target: Path) -> None:
    """Headers without end are refused."""
    info = tarfile.TarInfo("header")
    info.type, info.size = tarfile.XHDTYPE, 0

    with pytest.raises(TransferError):
        unpack(io.BytesIO(info.tobuf() * 5000), target)


@pytest.mark.parametrize(
    "content", [b"", b"no archive", b"x" * 2048, _archive(_member("file", b"x" * 5000)).read()[:1024]]
)
def test_broken_archives_are_reported(target: Path, content: bytes) -> None:
    """A broken archive raises an error, and leaves no part of a file."""
    with pytest.raises(TransferError):
        unpack(io.BytesIO(content), target)
    assert _paths(target) == []


def test_one_file_is_written_to_its_path(target: Path) -> None:
    """A single file is written to its path, whatever its name in the archive, and replaces a link."""
    (target / "reward.txt").symlink_to("../outside/file")

    unpack_file(_archive(_member("../other", b"1")), target / "reward.txt")

    assert (target / "reward.txt").read_text() == "1"
    assert (target.parent / "outside" / "file").read_text() == "untouched"


@pytest.mark.parametrize("members", [[], [_symlink("a", "b")], [_member("a", type=tarfile.DIRTYPE)]])
def test_link_or_folder_is_not_written_as_a_file(target: Path, members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
    """An archive that does not begin with a regular file is refused."""
    with pytest.raises(TransferError):
        unpack_file(_archive(*members), target / "reward.txt")
    assert _paths(target) == []
