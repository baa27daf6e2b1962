"""The table of releases in `parity/reference/README.md`."""

import re
from pathlib import Path

from parity import reference

README = Path(reference.__file__).with_name("README.md")


def documented_gaps() -> dict[str, set[str]]:
    """Return every release in the table, with the operations that it does not answer."""
    section = README.read_text(encoding="utf-8").partition("## Releases\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\d[\d., ]*) \| ?(.*?) ?\|$", section, re.MULTILINE)
    return {release: set(re.findall(r"`(\w+)`", gaps)) for releases, gaps in rows for release in releases.split(", ")}
