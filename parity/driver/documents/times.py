"""Times as Harbor's documents spell them."""

from datetime import datetime


def time_text(moment: datetime) -> str:
    """Microseconds only where there are any; Z for UTC, and nothing where the time is local and says no zone."""
    # Rules: run-trial/time-format, run-job/time-format
    text = moment.isoformat()
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text


def optional_time(moment: datetime | None) -> str | None:
    """The same, or null."""
    return None if moment is None else time_text(moment)
