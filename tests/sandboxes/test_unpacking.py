"""Tests that the unpacker survives hostile tar streams."""

import gzip
import io
import os
import stat
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from parity.driver.sandbox import TransferError
from parity.driver.sandboxes.tar import LeftOut, unpack, unpack_compressed, unpack_file
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


@pytest.mark.parametrize(
    ("name", "link", "is_kept"),
    [
        ("link", "../outside/file", True),
        ("a/link", "../../outside", True),
        ("link", "../outside/../secret", False),
        ("link", "../other/file", False),
        ("link", "../../outside/file", False),
        ("a/link", "../../../outside", False),
        ("link", "..", False),
    ],
)
def test_symlink_to_a_named_sibling_is_kept(target: Path, name: str, link: str, is_kept: bool) -> None:
    """A symlink may lead into a directory beside the target if the caller names that directory."""
    left_out = unpack(_archive(_symlink(name, link)), target, siblings={"outside"})

    assert (target / name).is_symlink() == is_kept
    assert len(left_out) == (not is_kept)


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


def _record(key: str, value: str) -> bytes:
    """Return a record of a PAX header. It begins with its own length, always with eight digits."""
    rest = f" {key}={value}\n".encode()
    return b"%08d" % (len(rest) + 8) + rest


def _pax(*records: bytes) -> bytes:
    content = b"".join(records)
    return _header("header", tarfile.XHDTYPE, len(content)) + content + bytes(-len(content) % 512)


@pytest.mark.parametrize(
    "header",
    [
        _pax(_record("GNU.sparse.map", "0,1"), _record("GNU.sparse.size", "1")) + _header("file"),
        _pax(_record("GNU.sparse.size", "1"), _record("GNU.sparse.numblocks", "1")) + _header("file"),
        _pax(_record("GNU.sparse.major", "1"), _record("GNU.sparse.minor", "0")) + _header("file", size=1 << 30),
        _header("file", tarfile.GNUTYPE_SPARSE, 1 << 30),
    ],
    ids=["0.1", "0.0", "1.0", "old GNU"],
)
def test_sparse_file_is_refused_before_its_map_is_read(target: Path, header: bytes) -> None:
    """An archive with a sparse file of any format is refused, and nothing after its header is read."""
    stream = io.BytesIO(header + bytes(1 << 20))

    with pytest.raises(TransferError, match=r"^the archive has a sparse file$"):
        unpack(stream, target)
    assert stream.tell() <= len(header)


@pytest.mark.parametrize(
    "content",
    [
        b"7 size=1\n",
        b"nonsense",
        b"00000012 size=1\n",
        b"99999999 a=b\n",
        _record("size", "-1"),
        b"0 a=b\n",
    ],
)
def test_broken_pax_header_is_an_error(target: Path, content: bytes) -> None:
    """A PAX header whose records have a wrong length, or whose size is no number, is an error."""
    archive = _header("header", tarfile.XHDTYPE, len(content)) + content + bytes(-len(content) % 512)

    with pytest.raises(TransferError, match=r"^not a whole tar archive: bad PAX header$"):
        unpack(io.BytesIO(archive + _header("file") + bytes(1024)), target)
    assert _paths(target) == []


@pytest.mark.parametrize("tar_format", ["gnu", "pax", "ustar", "oldgnu"])
def test_archives_of_tar_are_unpacked(target: Path, tmp_path: Path, tar_format: str) -> None:
    """Long names, long links and names that are not UTF-8 arrive from each format of tar as they were."""
    source = tmp_path / "source"
    deep = source / ("d" * 90) / ("e" * 90)
    deep.mkdir(parents=True)
    (deep / "file").write_bytes(bytes(70_000))
    os.link(deep / "file", source / "hard")
    (source / "é\udcff").write_text("1")
    if tar_format != "ustar":
        (deep / ("n" * 150)).write_text("2")
        (source / "link").symlink_to("l" * 150)

    packed = subprocess.run(["tar", "-C", source, f"--format={tar_format}", "-c", "."], capture_output=True, check=True)
    left_out = unpack(io.BytesIO(packed.stdout), target)

    assert left_out == []
    assert _paths(target) == _paths(source)
    assert (target / deep.relative_to(source) / "file").read_bytes() == bytes(70_000)
    assert tar_format == "ustar" or os.readlink(target / "link") == "l" * 150


def _compressed(path: Path, *parts: bytes) -> Path:
    path.write_bytes(b"".join(map(gzip.compress, parts)))
    return path


def test_parts_of_gzip_are_one_archive(target: Path, tmp_path: Path) -> None:
    """An archive that is compressed in several parts, with zeros between them, is unpacked as a whole."""
    content = _archive(_member("file", b"1" * 3000)).read()
    parts = [gzip.compress(content[at : at + 1000]) + bytes(at % 3) for at in range(0, len(content), 1000)]
    (tmp_path / "a.tar.gz").write_bytes(b"".join(parts))

    unpack_compressed(tmp_path / "a.tar.gz", target)

    assert (target / "file").read_text() == "1" * 3000


@pytest.mark.parametrize(
    ("limits", "parts", "complaint"),
    [
        (Limits(members=10), [b""] * 11, "the compressed archive has more parts than it may have files"),
        (Limits(size=1, members=1), [os.urandom(1_100_000)], "the compressed archive is longer than its files may be"),
    ],
    ids=["parts", "bytes"],
)
def test_compressed_bytes_are_limited(
    target: Path, tmp_path: Path, limits: Limits, parts: list[bytes], complaint: str
) -> None:
    """An archive with too many parts or too many compressed bytes is refused, even if they contain nothing."""
    archive = _compressed(tmp_path / "a.tar.gz", *parts)
    # An empty block of zlib adds compressed bytes without content.
    if len(parts) == 1:
        archive.write_bytes(gzip.compress(b"")[:10] + b"\x00\x00\x00\xff\xff" * 250_000)

    with pytest.raises(TransferError, match=f"^{complaint}$"):
        unpack_compressed(archive, target, limits)


def test_unpacking_ends_when_it_is_stopped(target: Path, tmp_path: Path) -> None:
    """Unpacking asks again and again whether to stop, and then ends with an error."""
    archive = _compressed(tmp_path / "a.tar.gz", _archive(_member("file", os.urandom(1_000_000))).read())
    answers = iter([False, False, True])

    with pytest.raises(TransferError, match=r"^was stopped$"):
        unpack_compressed(archive, target, is_stopped=lambda: next(answers))


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
