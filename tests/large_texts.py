"""Gives each reader of the clean room texts of 1 MiB. Run as a program, it ends early if a reader needs hours.

The limit is on the time of the processor, so that a busy machine changes nothing. In linear time, all texts together
need seconds.
"""

import gzip
import io
import json
import resource
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from parity.driver.documents.templates import missing_variables, resolve, templatize
from parity.driver.reward_limits import read_rewards
from parity.driver.sandboxes.tar import unpack, unpack_compressed
from parity.driver.task import without_canary
from parity.driver.task_file import read_toml
from parity.formats.configuration import TrialConfiguration
from parity.formats.trial_result import TrialResult
from parity.harbor_env.scoring import documented_score
from parity.scorer.job_directory.documents import document_of
from parity.scorer.number_text import lax_number, python_float, python_int
from parity.scorer.outcome import outcome
from parity.scorer.printable import printable
from parity.scorer.reason_code import reason_code
from parity.scorer.series import Series
from parity.scorer.values import Number

_SIZE = (1 << 20) - 100
_SECONDS = 600

_REPEATED = (
    "1",
    " ",
    "[",
    '"',
    "\\",
    "_",
    "1_",
    "a.",
    ".",
    "0",
    "\n",
    "canary",
    "${",
    '"a":1,',
    '{"a":',
    "1,",
    "missing",
)


def _texts() -> Iterator[str]:
    """Yield the texts. The last character keeps a reader from accepting a whole text."""
    for unit in _REPEATED:
        text = unit * (_SIZE // len(unit))
        yield from (text, text + "x", text + ".0x")


def _read_file(name: str, read: Callable[[Path], object], text: str) -> None:
    with tempfile.TemporaryDirectory() as directory:
        (Path(directory) / name).write_text(text)
        read(Path(directory))


def _rewards(directory: Path) -> object:
    return read_rewards(directory, Series.PY312)


def _result(text: str) -> object:
    model = TrialResult[TrialConfiguration, Number | None]
    return document_of("result.json", model, f'{{"id": {json.dumps(text)}, {text}: 1}}'.encode())


def _templates(text: str) -> None:
    env = {"KEY": text, "A": f"${{{text}}}", "B": f"${{{text}:-{text}}}"}
    missing_variables(env, {})
    templatize(env, {})
    resolve(env, {})


READERS: dict[str, Callable[[str], object]] = {
    "numbers as pydantic reads them": lax_number,
    "float()": lambda text: python_float(text, Series.PY314),
    "int()": lambda text: python_int(text, Series.PY314),
    "reward.txt": lambda text: _read_file("reward.txt", _rewards, text),
    "reward.json": lambda text: _read_file("reward.json", _rewards, text),
    "a string in reward.json": lambda text: _read_file("reward.json", _rewards, json.dumps({"reward": text})),
    "a key in reward.json": lambda text: _read_file("reward.json", _rewards, json.dumps({text: 1})),
    "a job's result.json": lambda text: _read_file(
        "result.json", lambda path: outcome(path / "result.json"), json.dumps({"n_total_trials": text})
    ),
    "a trial's result.json": _result,
    "task.toml": read_toml,
    "a key in task.toml": lambda text: read_toml(f"{text}a = 1"),
    "a value in task.toml": lambda text: read_toml(f"a = {text}"),
    "a table in task.toml": lambda text: read_toml(f"[{text}a]"),
    "an instruction": without_canary,
    "a comment in an instruction": lambda text: without_canary(f"<!--{text}"),
    "templates": _templates,
    "reason codes": lambda text: reason_code(f"reward{text}"),
    "lines to print": lambda text: printable(text, 100),
    "the documented reward file": documented_score,
}
"""The readers of text, by what they read."""


def _header(name: str, kind: bytes = tarfile.REGTYPE, size: int = 0) -> bytes:
    member = tarfile.TarInfo(name)
    member.type, member.size = kind, size
    return member.tobuf(tarfile.GNU_FORMAT)


def _record(key: str, value: str) -> bytes:
    """Return a record of a PAX header. It begins with its own length, always with eight digits."""
    rest = f" {key}={value}\n".encode()
    return b"%08d" % (len(rest) + 8) + rest


def _pax(*records: bytes) -> bytes:
    content = b"".join(records)
    return _header("header", tarfile.XHDTYPE, len(content)) + content + bytes(-len(content) % 512)


def _archives() -> Iterator[tuple[str, bytes]]:
    """Yield archives, with what is special about each."""
    yield "many members", b"".join(_header(f"file-{number}") for number in range(2000))
    long = _pax(_record("comment", "1" * 60_000))
    yield "long headers", b"".join(long + _header(f"file-{number}") for number in range(16))
    yield "a chain of headers", _pax(_record("path", "a")) * 1000 + _header("file")
    name = _header("name", tarfile.GNUTYPE_LONGNAME, 512) + b"n" * 512
    yield "a chain of long names", name * 1000 + _header("file")
    yield "a long number", _pax(_record("size", "1" * 60_000)) + _header("file")
    sparse = _pax(_record("GNU.sparse.major", "1"), _record("GNU.sparse.minor", "0"))
    yield "a sparse map", sparse + _header("file", size=1 << 20) + b"400000\n" + b"0\n" * 500_000
    digits = _pax(_record("GNU.sparse.size", "1" * 60_000))
    yield "a sparse size", b"".join(digits + _header(f"file-{number}") for number in range(16))


def _unpack_archives() -> Iterator[tuple[str, Callable[[Path], object]]]:
    for name, content in _archives():
        yield name, partial(unpack, io.BytesIO(content + bytes(1024)))
    content = _header("file", size=1 << 15) + bytes(1 << 15) + bytes(1024)
    parts = b"".join(gzip.compress(content[at : at + 1]) for at in range(len(content)))
    for name, archive in (("parts of one byte", parts), ("empty parts", gzip.compress(b"") * 50_000)):

        def unpack_archive(target: Path, archive: bytes = archive) -> None:
            (target.parent / "archive.tar.gz").write_bytes(archive)
            unpack_compressed(target.parent / "archive.tar.gz", target)

        yield name, unpack_archive


def main() -> None:
    """Call each reader with each text, and print what is read."""
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    for name, read in READERS.items():
        print(name, flush=True)
        for text in _texts():
            with suppress(Exception):
                read(text)
    for name, unpack_into in _unpack_archives():
        print(f"an archive with {name}", flush=True)
        with tempfile.TemporaryDirectory() as directory:
            (target := Path(directory) / "target").mkdir()
            with suppress(Exception):
                unpack_into(target)
    print("end", flush=True)


if __name__ == "__main__":
    main()
