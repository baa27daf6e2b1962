"""The one order in which broken rules are shown, in the terminal, on a page and in Markdown."""

import re
from functools import cache

from parity.operations.goldens import golden_directory
from parity.operations.rules import RULES
from parity.suite.harm import Harm, rank

type Place = tuple[int, float, int, int]
"""A sort key of rules."""


def place_of(rule: str, harm: Harm, divergent: int, asked: int) -> Place:
    """Return a rule's place: the worst harm first, then the largest share of diverging vectors, then their number.

    Vectors of a rule that is broken itself nearly all diverge, and those of other rules only where they meet it. Many
    rules are broken throughout by a runner with several mistakes. Then the number of vectors decides, because rules
    about what test scripts really leave have more of them than rules about oddities, such as devices. `SPEC.md`, which
    begins with the former, has the order of the others.

    Args:
        rule: the rule's slug.
        harm: the worst harm.
        divergent: the number of golden vectors that show it, also of other rules.
        asked: the number of the rule's golden vectors that the runner answered.
    """
    share = min(1.0, divergent / asked) if asked else 0.0
    return rank(harm), -share, -divergent, _places().get(rule, len(RULES))


@cache
def _places() -> dict[str, int]:
    """Return the place of each rule in SPEC.md; an empty dict if it cannot be read."""
    try:
        text = (golden_directory() / "SPEC.md").read_text(encoding="utf-8")
    except (OSError, ValueError):  # no verdict depends on the order
        return {}
    return {slug: place for place, slug in enumerate(re.findall(r'<a id="([^"]+)"></a>', text))}
