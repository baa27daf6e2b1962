"""Write times as Harbor's documents do."""

from datetime import datetime


def time_text(moment: datetime | None) -> str | None:
    """Return a time in ISO format, or None for None.

    Microseconds are written only if they are not zero; UTC is written as Z, and a local time without a zone.
    """
    # Rules: run-trial/time-format, run-job/time-format
    text = None if moment is None else moment.isoformat()
    return text.removesuffix("+00:00") + "Z" if text and text.endswith("+00:00") else text
