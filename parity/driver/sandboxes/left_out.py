"""What a transfer does not carry over without failing: links that lead out, devices, and the like."""

import logging
from dataclasses import dataclass

LOGGER = logging.getLogger("parity.driver")


@dataclass(frozen=True)
class LeftOut:
    """A member of an archive that was not written."""

    name: str
    reason: str


def log(source: str, left_out: list[LeftOut]) -> None:
    """Log what was left out, which explains a file that is missing later."""
    for member in left_out[:20]:
        LOGGER.warning("%s: left out %.200r: %s", source, member.name, member.reason)
    if len(left_out) > 20:
        LOGGER.warning("%s: left out %d more", source, len(left_out) - 20)
