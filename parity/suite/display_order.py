"""The place of a broken rule in the one order of terminal, page and Markdown; `parity.suite.run` sorts by it."""

import re
from functools import cache

from parity.operations.goldens import golden_directory
from parity.operations.rules import RULES
from parity.suite.harm import Harm, rank

type Place = tuple[int, bool, int, int]
"""A sort key of rules."""

_THROUGHOUT = 0.9
"""Share of a rule's vectors from which on the rule counts as broken throughout.

Of 0.5 to 1, and of the exact share, this showed most wrong runners' broken rules first (`python -m tests.shown`).
"""


def place_of(rule: str, harm: Harm, divergent: int, answered: int) -> Place:
    """Return a rule's place: the worst harm first, then rules that are broken throughout, then by number of vectors.

    Of a rule that is broken itself, nearly all vectors diverge, and of other rules those that meet the mistake. A
    runner with several mistakes breaks many rules throughout. Then the number of vectors decides, because rules about
    what test scripts really leave have more of them than rules about oddities, such as devices. `SPEC.md`, which begins
    with the former, has the order of the others.

    Args:
        rule: the rule's slug.
        harm: the worst harm.
        divergent: the number of golden vectors that show it, also of other rules.
        answered: the number of the rule's golden vectors that the runner answered.
    """
    throughout = bool(answered) and divergent >= _THROUGHOUT * answered
    return rank(harm), not throughout, -divergent, _places().get(rule, len(RULES))


@cache
def _places() -> dict[str, int]:
    """Return the place of each rule in SPEC.md; an empty dict if it cannot be read."""
    try:
        text = (golden_directory() / "SPEC.md").read_text(encoding="utf-8")
    except (OSError, ValueError):  # no verdict depends on the order
        return {}
    return {slug: place for place, slug in enumerate(re.findall(r'<a id="([^"]+)"></a>', text))}
