"""An error's text to the code that says why a job has no score. Rules: `reason-code/*`.

Codes are given by words that the text contains, whatever the error's class, so a message that says the same
in other words gets none. Source: the scoring description, sections 1.4 and 5; no wheel implements it.
"""

# Rule: reason-code/code
REWARD_MISSING = "harbor_reward_missing"
REWARD_EMPTY = "harbor_reward_empty"
REWARD_PARSE_ERROR = "harbor_reward_parse_error"
RESULT_MISSING = "harbor_result_missing"
RESULT_MALFORMED = "harbor_result_malformed"

REASON_CODES = (REWARD_MISSING, REWARD_EMPTY, REWARD_PARSE_ERROR, RESULT_MISSING, RESULT_MALFORMED)
"""Every code that the scoring description names."""

# Rule: reason-code/first-word
_CODE_OF_WORD = {
    "missing": REWARD_MISSING,
    "empty": REWARD_EMPTY,
    # Rule: reason-code/parse-error
    "parse": REWARD_PARSE_ERROR,
    "malformed": REWARD_PARSE_ERROR,
}
"""The words that decide; the first one that the text contains, in this order."""


def reason_code(text: str | None) -> str | None:
    """The code of an error's text, or None where it has none.

    The text is lowered as `str.lower` does, and searched for words without regard to what stands around them.
    It gets a code only if it contains "reward".

    The description prints its last condition as `("parse" in lowered or "malformed")`, which Python takes as true
    whatever the text is. It is read here as `"malformed" in lowered`, which the table below it implies.
    """
    # Rules: reason-code/no-text, reason-code/lower-case
    lowered = "" if text is None else text.lower()
    # Rule: reason-code/needs-reward
    if "reward" not in lowered:
        return None
    # Rules: reason-code/substring, reason-code/otherwise-none, reason-code/not-found
    return next((code for word, code in _CODE_OF_WORD.items() if word in lowered), None)
