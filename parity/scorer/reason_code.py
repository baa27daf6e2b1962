"""Derive a reason code, which tells why a job has no score, from an error message. Rules: `reason-code/*`.

The code depends on the words in the message, not on the exception's class: a message with the same meaning but other
words has no code. Source: sections 1.4 and 5 of the scoring description; no wheel implements it.
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
"""The code for each word. The first of these words, in this order, that is in the message determines the code."""


def reason_code(text: str | None) -> str | None:
    """Return the reason code of an error message, or None if it has none.

    The message is converted with `str.lower` and searched for the words, also as parts of other words. Only a message
    that contains "reward" has a code.

    The description's last condition is `("parse" in lowered or "malformed")`, which is always true in Python. It is
    implemented here with `"malformed" in lowered`, which the table in the description implies.
    """
    # Rules: reason-code/no-text, reason-code/lower-case
    lowered = "" if text is None else text.lower()
    # Rule: reason-code/needs-reward
    if "reward" not in lowered:
        return None
    # Rules: reason-code/substring, reason-code/otherwise-none, reason-code/not-found
    return next((code for word, code in _CODE_OF_WORD.items() if word in lowered), None)
