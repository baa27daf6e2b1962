"""The reason code of an error's message, which says why a job has no score. Rules: `reason-code/*`.

The words of the message decide, not the error's class: the same meaning in other words has no code. Source:
the scoring description, sections 1.4 and 5; no wheel implements it.
"""

# Rule: reason-code/code
REWARD_MISSING = "harbor_reward_missing"
REWARD_EMPTY = "harbor_reward_empty"
REWARD_PARSE_ERROR = "harbor_reward_parse_error"
RESULT_MISSING = "harbor_result_missing"
RESULT_MALFORMED = "harbor_result_malformed"

REASON_CODES = (REWARD_MISSING, REWARD_EMPTY, REWARD_PARSE_ERROR, RESULT_MISSING, RESULT_MALFORMED)
"""All reason codes of the scoring description."""

# Rule: reason-code/first-word
_CODE_OF_WORD = {
    "missing": REWARD_MISSING,
    "empty": REWARD_EMPTY,
    # Rule: reason-code/parse-error
    "parse": REWARD_PARSE_ERROR,
    "malformed": REWARD_PARSE_ERROR,
}
"""The code of each word. The first of these words, in this order, that the message contains decides."""


def reason_code(text: str | None) -> str | None:
    """Return the code of an error's message, or None if it has none.

    The message is lowered with `str.lower` and searched for the words, even inside other words. Only a message that
    contains "reward" has a code.

    The description prints its last condition as `("parse" in lowered or "malformed")`, which is always true in Python.
    It is read here as `"malformed" in lowered`, which the table below it implies.
    """
    # Rules: reason-code/no-text, reason-code/lower-case
    lowered = "" if text is None else text.lower()
    # Rule: reason-code/needs-reward
    if "reward" not in lowered:
        return None
    # Rules: reason-code/substring, reason-code/otherwise-none, reason-code/not-found
    return next((code for word, code in _CODE_OF_WORD.items() if word in lowered), None)
