"""Times as Harbor's documents spell them."""

from datetime import datetime


def time_text(moment: datetime | None) -> str | None:
    """Microseconds only where there are any; Z for UTC, and nothing where the time is local and says no zone.

    Where there is no time, there is no text.
    """
    # Rules: run-trial/time-format, run-job/time-format
    text = None if moment is None else moment.isoformat()
    return text.removesuffix("+00:00") + "Z" if text and text.endswith("+00:00") else text
