"""Flags of `reason_code`: why a case is hard."""

import re

from parity.operations.reason_code.case import ErrorText
from parity.operations.rule import carried

FLAGS = {
    "no-text": "there is no text",
    "empty-text": "the text is empty",
    "no-reward": "the text has one of the other words, but not `reward`",
    "reward-alone": "the text has `reward` and none of the other words",
    "not-found": "the text has Harbor's message of a missing reward file, which does not hold the word `missing`",
    "missing-word": "the text has `reward` and `missing`",
    "empty-word": "the text has `reward` and `empty`",
    "parse-word": "the text has `reward` and `parse`",
    "malformed-word": "the text has `reward` and `malformed`",
    "several-words": "the text has more than one of the words that decide",
    "upper-case": "one of the words is not in lower case",
    "inside-a-word": "one of the words is part of a longer one, or of a path",
    "word-first": "the word that decides stands before `reward`",
    "far-word": "one of the words stands beyond the first 300 characters",
    "look-alike": "other case mappings than `str.lower` find other words",
    "broken-word": "one of the words is found only if white space and hyphens are removed",
}

_DECIDING = ("missing", "empty", "parse", "malformed")

_WORDS = ("reward", *_DECIDING)

_FAR = 300


def flags_of(case: ErrorText) -> frozenset[str]:
    """Return the flags that a case carries."""
    if not case.text:
        return frozenset({"no-text" if case.text is None else "empty-text"})
    lowered = case.text.lower()
    found = _found(lowered)
    deciding = [word for word in _DECIDING if word in found]
    rewarded = "reward" in found
    alone = rewarded and not deciding
    harbors = "no reward file found" in lowered
    return frozenset(
        carried(
            {
                "look-alike": any(set(_found(other)) != set(found) for other in _other_mappings(case.text)),
                "broken-word": set(_found(re.sub(r"[\s-]+", "", lowered))) > set(found),
                "upper-case": any(word not in case.text for word in found),
                "inside-a-word": any(not re.search(rf"(?<![\w/.-]){word}(?![\w/.-])", lowered) for word in found),
                "far-word": any(word not in lowered[:_FAR] for word in found),
                "no-reward": deciding and not rewarded,
                **{f"{word}-word": rewarded for word in deciding},
                "not-found": alone and harbors,
                "reward-alone": alone and not harbors,
                "several-words": rewarded and len(deciding) > 1,
                "word-first": rewarded and any(lowered.index(word) < lowered.index("reward") for word in deciding),
            }
        )
    )


def _found(text: str) -> list[str]:
    return [word for word in _WORDS if word in text]


def _other_mappings(text: str) -> list[str]:
    """Return the text under other case mappings: full folding, by way of upper case, and letter by letter."""
    return [text.casefold(), text.upper().lower(), "".join(character.lower()[0] for character in text)]
