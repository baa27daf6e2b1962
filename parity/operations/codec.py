"""Encodes cases as plain JSON and decodes them again, based on the types of their fields. pydantic does the decoding.

`parity.operations.wire` defines the wire form of numbers and bytes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache, cached_property
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypeAliasType,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import (
    AfterValidator,
    ConfigDict,
    PlainValidator,
    StrictBool,
    StrictStr,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
    with_config,
)

from parity.operations.printable import printable
from parity.operations.wire import Json, WireError, decode, decode_bytes, encode, encode_bytes


def _number(*kinds: type, words: str) -> Any:
    """Return a type with which pydantic decodes numbers of these kinds; `words` describes the kinds in messages."""

    def read(value: Any) -> Any:
        number = decode(value)
        if type(number) not in kinds:
            raise WireError(f"must be {words}, not {value!r:.60}")
        return number

    return Annotated[Any, PlainValidator(read), _defined(*("integer" if kind is int else "double" for kind in kinds))]


def _defined(*names: str) -> WithJsonSchema:
    """Return a JSON Schema that refers to these definitions, because pydantic does not add such references itself."""
    return WithJsonSchema({"anyOf": [{"$ref": f"#/$defs/{name}"} for name in names]})


def _int_key(key: str) -> int:
    if not key.isdecimal() or key != str(int(key)):
        raise WireError(f"must have non-negative integers as keys, not {key!r:.60}")
    return int(key)


READ_AS: dict[Any, Any] = {
    str: StrictStr,
    bool: StrictBool,
    int: _number(int, words="an int"),
    float: _number(float, words="a float"),
    bytes: Annotated[Any, PlainValidator(decode_bytes), _defined("bytes")],
}
"""For each scalar type, the type with which pydantic decodes its wire form."""

_NUMBER = _number(int, float, words="a number")
_INT_KEY = Annotated[StrictStr, AfterValidator(_int_key)]
_SCALARS = frozenset({str, int, float, bool, type(None)})


@dataclass(frozen=True)
class Form:
    """Details of a dataclass's wire form that cannot be derived from its fields."""

    optional: frozenset[str] = frozenset()
    """Fields that are omitted if their value is the default."""

    names: Mapping[str, str] = field(default_factory=dict)
    """Wire names of fields. The fields listed here come first, in this order; all further fields keep their names.

    The underscore at the end of a field that is named after a Python keyword is omitted on the wire.
    """

    check: Callable[[Any], object] = lambda value: None
    """A function that raises a WireError if the decoded value is not allowed."""

    by_hand: tuple[Callable[[Any], Json], Callable[[Json], Any], dict[str, Json]] | None = None
    """Encoder, decoder and JSON Schema for the whole value, if the types of its fields are not sufficient."""

    def members(self, kind: Any) -> dict[str, str]:
        """Return the wire name of each field."""
        return {**self.names, **{name: name.removesuffix("_") for name in _defaults(kind) if name not in self.names}}


@dataclass(frozen=True)
class Codec[T]:
    """Encodes and decodes the values of one dataclass."""

    kind: type[T]
    title: str
    """The name for a value of this dataclass in messages."""

    forms: Mapping[type, Form] = field(default_factory=dict)
    """The wire forms of `kind` and of the dataclasses that occur in its fields."""

    unknown: Literal["forbid", "ignore"] = "forbid"
    """Whether unknown keys are refused or ignored."""

    read_as: Mapping[Any, Any] = field(default_factory=lambda: READ_AS)
    write_scalar: Callable[[Any], Json] = encode
    """The function that encodes a scalar value; `read_as` contains the types that decode such values."""

    def encode(self, value: T) -> Json:
        """Encode a value as plain JSON."""
        return self._encoded(value)

    def decode(self, value: Any) -> T:
        """Decode a value from plain JSON.

        Raises:
            WireError: the JSON does not encode such a value; the message contains the place of the mistake.
        """
        try:
            decoded: T = self.adapter.validate_python(value)
        except ValidationError as error:
            raise WireError(first_problem(error, self.title)) from None
        return decoded

    def _encoded(self, value: Any) -> Json:
        if type(value) in _SCALARS:
            return self.write_scalar(value)
        if is_dataclass(value):
            kind: Any = type(value)
            form = self.forms.get(kind, Form())
            if form.by_hand:
                return form.by_hand[0](value)
            return {
                member: self._encoded(part)
                for name, member in form.members(kind).items()
                if (part := getattr(value, name)) != _defaults(kind)[name] or name not in form.optional
            }
        if isinstance(value, bytes):
            return encode_bytes(value)
        if isinstance(value, list | tuple | frozenset):
            return [self._encoded(item) for item in (sorted(value) if isinstance(value, frozenset) else value)]
        if isinstance(value, Mapping):
            return {str(key): self._encoded(item) for key, item in value.items()}
        return self.write_scalar(value)

    @cached_property
    def adapter(self) -> TypeAdapter[Any]:
        """The pydantic decoder. Its JSON Schema refers to the definitions `integer`, `double` and `bytes`."""
        return TypeAdapter(self._read_as(self.kind))

    def _read_as(self, kind: Any) -> Any:
        """Return the type with which pydantic decodes the wire form of a type."""
        if kind in self.read_as:
            return self.read_as[kind]
        if isinstance(kind, TypeAliasType):
            return self._read_as(kind.__value__)
        if is_dataclass(kind):
            return self._object(kind)
        origin, inner = get_origin(kind), get_args(kind)
        if origin in (None, Literal, Annotated):
            return kind
        if origin in (UnionType, Union):
            if {int, float} <= {*inner}:
                inner = (_NUMBER, *(each for each in inner if each not in (int, float)))
            return Union[*map(self._read_as, inner)]
        if origin in (dict, Mapping):
            origin, inner = dict, (_INT_KEY if inner[0] is int else StrictStr, inner[1])
        if origin is Sequence:
            origin, inner = tuple, (*inner, ...)
        return origin[*map(self._read_as, inner)]

    def _object(self, kind: Any) -> Any:
        form, hints = self.forms.get(kind, Form()), get_type_hints(kind)
        if form.by_hand:
            return Annotated[Any, PlainValidator(form.by_hand[1]), WithJsonSchema(form.by_hand[2])]
        names = {member: name for name, member in form.members(kind).items()}
        members = {
            member: NotRequired[self._read_as(hints[name])] if name in form.optional else self._read_as(hints[name])
            for member, name in names.items()
        }
        typed: Any = TypedDict  # mypy allows a TypedDict to be created only from a literal dict
        read = with_config(ConfigDict(extra=self.unknown))(typed(kind.__name__, members))
        read.__doc__ = kind.__doc__

        def build(values: dict[str, Any]) -> Any:
            value = kind(**{names[member]: each for member, each in values.items()})
            form.check(value)
            return value

        return Annotated[read, AfterValidator(build)]


@cache
def _defaults(kind: Any) -> dict[str, Any]:
    return {
        each.name: each.default if each.default_factory is MISSING else each.default_factory() for each in fields(kind)
    }


_PROBLEMS = {
    "missing": "is missing",
    "extra_forbidden": "is unknown; remove it",
    "unexpected_keyword_argument": "is unknown; remove it",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "greater_than_equal": "must be at least {ge}",
    "string_type": "must be a string",
    "string_unicode": "has a key that is not a string",
    "bool_type": "must be true or false",
    "tuple_type": "must be an array",
    "frozen_set_type": "must be an array",
    "dict_type": "must be an object",
    "dataclass_type": "must be an object",
    "literal_error": "must be one of {expected}",
    "string_pattern_mismatch": "must have the form {pattern}",
}
"""Problem descriptions by pydantic's error type, worded to follow the place of a value."""


def first_problem(error: ValidationError, title: str = "") -> str:
    """Describe the first problem and its place in one line. The place begins with the title."""
    first = error.errors(include_url=False, include_input=False)[0]
    context = first.get("ctx", {})
    # If several types are allowed for a value, pydantic's path also has the type that it tried, like dict[str,…].
    place = ".".join(str(part) for part in first["loc"] if not str(part).endswith("]"))
    problem = context.get("error") or _PROBLEMS.get(first["type"], "{}").format(first["msg"], **context)
    where = ": ".join(filter(None, (title, place))) or "the document"
    return printable(f"{where} {problem}")
