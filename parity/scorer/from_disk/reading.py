"""Readers of JSON documents, as Harbor's models take them: what fits is made uniform, anything else is a `Misfit`.

Fields without a value get their default, and fields that no model has are dropped. Numbers may be written as strings,
and truth values in any of pydantic's ways; times and UUIDs have to be spelled as Harbor writes them.
"""

import math
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from parity.scorer.errors import ValidationError
from parity.scorer.from_disk.files import LIMIT, FolderError, parse_object, read_text, type_name
from parity.scorer.number_text import lax_number, lax_truth, lax_whole
from parity.scorer.reward_file import validate_rewards

type DocumentReader = Callable[[object, str], object]
"""From a value and its place in the document to the value in its uniform form."""

type Fields = dict[str, tuple[DocumentReader, object]]
"""Members that may be left out: how each is read, and what stands for it."""

_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{6})?(Z|[+-][0-9]{2}:[0-9]{2})?")
_SURE_TIME = re.compile(
    r"(19[89][0-9]|2[0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
    r"(\.[0-9]{6})?Z?"
)
"""Times that need no calendar; most are."""

_SURE_PATH = re.compile(r"/?[^/.][^/]*(/[^/.][^/]*)*")
"""Paths in which every part says something."""

_UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")


class Misfit(ValueError):
    """A value that Harbor's model does not take; the message names its place and what it should be."""


def _wrong(value: object, place: str, wanted: str) -> Misfit:
    return Misfit(f"{place or 'it'} must be {wanted}, not {type_name(value)}")


def anything(value: object, place: str) -> object:
    """Any value."""
    return value


def text(value: object, place: str) -> str:
    """A string."""
    if isinstance(value, str):
        return value
    raise _wrong(value, place, "a string")


def path(value: object, place: str) -> str:
    """A path, without what says nothing in it."""
    written = text(value, place)
    return written if _SURE_PATH.fullmatch(written) else str(PurePosixPath(written))


def whole(value: object, place: str) -> int:
    """An integer, which may be written as a truth value, a whole float or a string."""
    if (read := lax_whole(value)) is None:
        raise _wrong(value, place, "an integer")
    return read


def number(value: object, place: str) -> float:
    """A number of double precision."""
    read = lax_number(value) if isinstance(value, str) else value
    if isinstance(read, int | float):
        try:
            return float(read)
        except OverflowError:
            return math.copysign(math.inf, read)
    raise _wrong(value, place, "a number")


def rewards(value: object, place: str) -> object:
    """Rewards, which none that was nan or infinite is: such a one was written as null."""
    try:
        # Rule: run-job/resume-not-finite
        return validate_rewards(mapping(anything)(value, place))
    except ValidationError as error:
        raise Misfit(f"{place}: {error}") from None


def truth(value: object, place: str) -> bool:
    """A truth value."""
    if (read := lax_truth(value)) is None:
        raise _wrong(value, place, "true or false")
    return read


def time(value: object, place: str) -> str:
    """A time, with or without a zone."""
    if isinstance(value, str) and _SURE_TIME.fullmatch(value):
        return value
    try:
        seconds(str(value))
    except (ValueError, OverflowError, OSError):
        raise _misspelt(value, place, "a time as Harbor writes it") from None
    return str(value)


def seconds(time: str) -> float:
    """Seconds since 1970 of a time as Harbor writes it; without a zone it is local.

    Raises:
        ValueError, OverflowError, OSError: it is no such time.
    """
    if not _TIME.fullmatch(time):
        raise ValueError(time)
    return datetime.fromisoformat(time).timestamp()


def identifier(value: object, place: str) -> str:
    """A UUID."""
    if isinstance(value, str) and _UUID.fullmatch(value):
        return value.lower()
    raise _misspelt(value, place, "a UUID")


def _misspelt(value: object, place: str, wanted: str) -> Misfit:
    shown = repr(value[:40]) if isinstance(value, str) else type_name(value)
    return Misfit(f"{place} must be {wanted}, not {shown}")


def one_of(*names: str) -> DocumentReader:
    """One of these words."""

    def read(value: object, place: str) -> object:
        if isinstance(value, str) and value in names:
            return value
        raise _misspelt(value, place, f"one of {', '.join(names)}")

    return read


def maybe(reader: DocumentReader) -> DocumentReader:
    """The same, or null."""
    return lambda value, place: None if value is None else reader(value, place)


def optional(**readers: DocumentReader) -> Fields:
    """Members that may be null, and are unless they are given."""
    return {name: (maybe(reader), None) for name, reader in readers.items()}


def items(reader: DocumentReader) -> DocumentReader:
    """An array of these."""

    def read(value: object, place: str) -> object:
        if not isinstance(value, list):
            raise _wrong(value, place, "an array")
        return [reader(item, f"{place}.{number}") for number, item in enumerate(value)]

    return read


def names(value: object, place: str) -> object:
    """A set of strings, sorted."""
    read = items(text)(value, place)
    assert isinstance(read, list)
    return sorted(set(read))


def mapping(reader: DocumentReader) -> Callable[[object, str], dict[str, Any]]:
    """An object with any members, each of which is one of these."""

    def read(value: object, place: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _wrong(value, place, "an object")
        return {name: reader(item, f"{place}.{name}") for name, item in value.items()}

    return read


class Model:
    """An object with known members.

    Args:
        needed: members that have to be there.
        given: the others, and what stands for each where it is left out.
    """

    def __init__(self, needed: Mapping[str, DocumentReader], given: Fields) -> None:
        self._needed, self._given = needed, given

    def __call__(self, value: object, place: str = "") -> dict[str, Any]:
        """The object in its uniform form.

        Raises:
            Misfit: it does not fit.
        """
        if not isinstance(value, dict):
            raise _wrong(value, place, "an object")
        read: dict[str, object] = {}
        above = f"{place}." if place else ""
        for name, reader in self._needed.items():
            if name not in value:
                raise Misfit(f"{above}{name} is missing")
            read[name] = reader(value[name], above + name)
        # Rule: run-job/resume-otherwise
        for name, (reader, default) in self._given.items():
            read[name] = reader(value[name], above + name) if name in value else default
        return read


def read_document(path: Path | str, model: Model, text: str | None = None, *, limit: int = LIMIT) -> dict[str, Any]:
    """A file's object in its uniform form.

    Args:
        path: the file.
        model: what it should be.
        text: what is in the file, where that has been read.
        limit: bytes that the file may have.

    Raises:
        FolderError: it cannot be read, or does not fit.
    """
    document = parse_object(path, read_text(path, limit=limit) if text is None else text)
    try:
        return model(document)
    except Misfit as error:
        raise FolderError(path, str(error)) from None
