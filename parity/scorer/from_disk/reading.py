"""Readers of JSON documents, as Harbor's models take them: what fits is made uniform, anything else is a `Misfit`.

Fields without a value get their default, and fields that no model has are dropped. Numbers may be written as strings,
and truth values in any of pydantic's ways; times and UUIDs have to be spelled as Harbor writes them.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from parity.scorer.errors import ValidationError
from parity.scorer.from_disk.files import LIMIT, FolderError, parse_object, read_text, type_name
from parity.scorer.number_text import lax_number, lax_truth, lax_whole
from parity.scorer.reward_file import validate_rewards

type DocumentReader = Callable[[object], object]
"""From a value in a document to the value in its uniform form."""

type ObjectReader = Callable[[object], dict[str, Any]]
"""The same for an object. A `Model` is one."""

type Fields = dict[str, tuple[DocumentReader, object]]
"""Members that may be left out: how each is read, and what stands for it. If None does, so may null."""

_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{6})?(Z|[+-][0-9]{2}:[0-9]{2})?")
SURE_TIME = re.compile(
    r"(?:19[89][0-9]|2[0-9]{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
    r"(?:\.[0-9]{6})?Z?"
)
"""Times that need no calendar; most are."""

_SURE_PATH = re.compile(r"/?[^/.][^/]*(/[^/.][^/]*)*")
"""Paths in which every part says something."""

_ENCODER = json.JSONEncoder(sort_keys=True)
_UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")


class Misfit(ValueError):
    """A value that Harbor's model does not take.

    Args:
        problem: what it should be.
        place: names and numbers that lead to it in the document.
    """

    def __init__(self, problem: str, *place: object) -> None:
        super().__init__(f"{'.'.join(map(str, place)) or 'it'} {problem}")
        self._problem, self._place = problem, place

    def within(self, name: object) -> "Misfit":
        """The same in a member or item of this name or number."""
        return Misfit(self._problem, name, *self._place)


def _wrong(value: object, wanted: str) -> Misfit:
    return Misfit(f"must be {wanted}, not {type_name(value)}")


def text(value: object) -> str:
    """A string."""
    if isinstance(value, str):
        return value
    raise _wrong(value, "a string")


def path(value: object) -> str:
    """A path, without what says nothing in it."""
    written = text(value)
    return written if _SURE_PATH.fullmatch(written) else str(PurePosixPath(written))


def whole(value: object) -> int:
    """An integer, which may be written as a truth value, a whole float or a string."""
    if (read := lax_whole(value)) is None:
        raise _wrong(value, "an integer")
    return read


def number(value: object) -> float:
    """A number of double precision."""
    read = lax_number(value) if isinstance(value, str) else value
    if isinstance(read, int | float):
        try:
            return float(read)
        except OverflowError:
            return math.copysign(math.inf, read)
    raise _wrong(value, "a number")


def rewards(value: object) -> object:
    """Rewards, which none that was nan or infinite is: such a one was written as null."""
    try:
        # Rule: run-job/resume-not-finite
        return validate_rewards(table(value))
    except ValidationError as error:
        raise Misfit(f"are wrong: {error}") from None


class AgentText(str):
    """An agent's configuration as text: the same for two that differ only in order and in what is null."""


def agent(value: object) -> AgentText:
    """An agent's configuration; one that has been read before stays as it is."""
    if isinstance(value, AgentText):
        return value
    try:
        return AgentText(_ENCODER.encode(without_nulls(table(value))))
    except RecursionError:
        raise Misfit("is nested too deeply") from None


def without_nulls(value: Any) -> Any:
    """A document without the members that are null, however deep."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    return value


def truth(value: object) -> bool:
    """A truth value."""
    if (read := lax_truth(value)) is None:
        raise _wrong(value, "true or false")
    return read


def time(value: object) -> str:
    """A time, with or without a zone."""
    if isinstance(value, str):
        if SURE_TIME.fullmatch(value):
            return value
        with suppress(ValueError, OverflowError, OSError):
            if _TIME.fullmatch(value):
                seconds(value)
                return value
    raise _misspelt(value, "a time as Harbor writes it")


def seconds(time: str) -> float:
    """Seconds since 1970 of a time that has been read; without a zone it is local."""
    return datetime.fromisoformat(time).timestamp()


def identifier(value: object) -> str:
    """A UUID."""
    if isinstance(value, str) and _UUID.fullmatch(value):
        return value.lower()
    raise _misspelt(value, "a UUID")


def _misspelt(value: object, wanted: str) -> Misfit:
    shown = repr(value[:40]) if isinstance(value, str) else type_name(value)
    return Misfit(f"must be {wanted}, not {shown}")


def one_of(*names: str) -> DocumentReader:
    """One of these words."""

    def read(value: object) -> object:
        if isinstance(value, str) and value in names:
            return value
        raise _misspelt(value, f"one of {', '.join(names)}")

    return read


def maybe(reader: DocumentReader) -> DocumentReader:
    """The same, or null."""
    return lambda value: None if value is None else reader(value)


def optional(**readers: DocumentReader) -> Fields:
    """Members that may be null, and are unless they are given."""
    return {name: (reader, None) for name, reader in readers.items()}


def items(reader: DocumentReader) -> Callable[[object], list[Any]]:
    """An array of these."""

    def read(value: object) -> list[object]:
        if not isinstance(value, list):
            raise _wrong(value, "an array")
        return list(_members(reader, enumerate(value)).values())

    return read


def names(value: object) -> object:
    """A set of strings, sorted."""
    return sorted(set(items(text)(value)))


def table(value: object) -> dict[str, Any]:
    """An object with any members."""
    if isinstance(value, dict):
        return value
    raise _wrong(value, "an object")


def mapping(reader: DocumentReader) -> DocumentReader:
    """An object with any names, and one of these under each."""
    return lambda value: _members(reader, table(value).items())


def _members[Name](reader: DocumentReader, members: Iterable[tuple[Name, object]]) -> dict[Name, object]:
    read = {}
    for name, value in members:
        try:
            read[name] = reader(value)
        except Misfit as error:
            raise error.within(name) from None
    return read


_NOTHING = object()
"""What stands for members that are not there."""


class Model:
    """An object with known members.

    Args:
        needed: members that have to be there.
        given: the others, and what stands for each where it is left out.
    """

    def __init__(self, needed: Mapping[str, DocumentReader], given: Fields) -> None:
        self._given = given
        members = {name: (reader, _NOTHING) for name, reader in needed.items()} | given
        self._members = [
            (name, reader, None if default is None else _NOTHING, default)
            for name, (reader, default) in members.items()
        ]

    def __call__(self, value: object) -> dict[str, Any]:
        """The object in its uniform form.

        Raises:
            Misfit: it does not fit.
        """
        found = table(value).get
        read: dict[str, object] = {}
        name = ""
        try:
            # Rule: run-job/resume-otherwise
            for name, reader, nothing, default in self._members:
                if (member := found(name, nothing)) is not nothing:
                    read[name] = reader(member)
                elif default is _NOTHING:
                    raise Misfit("is missing")
                else:
                    read[name] = default
        except Misfit as error:
            raise error.within(name) from None
        return read


def read_document(
    path: Path | str, model: ObjectReader, text: str | None = None, *, limit: int = LIMIT
) -> dict[str, Any]:
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
