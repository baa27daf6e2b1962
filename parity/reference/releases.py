"""The releases of `verifiers` that the adapter is tested with, and where each departs from what it documents.

The first releases with the class ran the tests without a limit and told no errors; from 0.1.10 on a reward file that is
JSON without a number raises instead of being worth nothing.
"""

RELEASES = ("0.1.9.post3", "0.1.12", "0.1.14", "0.2.1", "0.3.1")

_FIRST = frozenset({"tests-take-long", "call-fails"})
_LATER = frozenset({"unforeseen-document"})


def departures(release: str, flags: frozenset[str]) -> frozenset[str]:
    """Those of a case's flags for which a release does not do what the documentation says."""
    return flags & (_FIRST if release.startswith("0.1.9") else _LATER)
