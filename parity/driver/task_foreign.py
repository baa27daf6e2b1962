"""Tables of task.toml for what this driver does not offer, which Harbor refuses where they are wrong."""

import re
from collections.abc import Mapping
from typing import Any

from parity.driver.task_table import Member, Place, Shape, array, choice, text

_TPU_AXIS = re.compile(r"[1-9]\d*")
_WEB_TRANSPORTS = ("sse", "streamable-http")


def _tpu_topology(place: Place, value: Any) -> str:
    shape = text(place, value).strip()
    axes = shape.split("x")
    if len(axes) < 2 or not all(map(_TPU_AXIS.fullmatch, axes)):
        raise place.invalid(f"is {value!r}; write it as 2x4")
    return shape


def _tpu_type(place: Place, value: Any) -> str:
    if not (name := text(place, value)):
        raise place.invalid("is empty; write the type of a TPU")
    return name


TPU = Shape(
    lambda name: name,
    {"type": Member(_tpu_type, "name", required=True), "topology": Member(_tpu_topology, required=True)},
)


def _transport(place: Place, value: Any) -> str:
    return _WEB_TRANSPORTS[1] if value == "http" else choice("stdio", *_WEB_TRANSPORTS)(place, value)


def _check_transport(place: Place, values: Mapping[str, Any]) -> None:
    needed = "url" if values.get("transport", "sse") in _WEB_TRANSPORTS else "command"
    if not values.get(needed):
        raise place.at(needed).invalid("is missing, and the transport needs it; add it")


MCP_SERVER = Shape(
    lambda name: name,
    {
        "name": Member(text, "name", required=True),
        "transport": Member(_transport),
        "url": Member(text),
        "command": Member(text),
        "args": Member(array(text)),
    },
    check=_check_transport,
)
