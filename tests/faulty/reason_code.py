"""Faults in giving an error's text a reason code."""

import re

from parity.scorer import REASON_CODES
from tests.faulty.fault import Fault

_MISSING, _EMPTY, _PARSE_ERROR = REASON_CODES[:3]


class _CodeFault(Fault):
    seen_by = "test_error_texts"


class NoTextIsMalformed(_CodeFault):
    """Gives an error without text a code."""

    breaks = "reason-code/no-text"

    def reason_code(self, text: str | None) -> str | None:
        return super().reason_code(text) if text else _PARSE_ERROR


class ExactCase(_CodeFault):
    """Looks for the words in lower case only."""

    breaks = "reason-code/lower-case"

    def reason_code(self, text: str | None) -> str | None:
        return super().reason_code(text and re.sub("[A-Z]", "?", text))


class FoldsCase(_CodeFault):
    """Uses `str.casefold`, for which `ſ` is an s."""

    breaks = "reason-code/lower-case"

    def reason_code(self, text: str | None) -> str | None:
        return super().reason_code(text and text.casefold())


class LowersLetterByLetter(_CodeFault):
    """Maps every letter to one letter, as Go does, so that `İ` becomes i."""

    breaks = "reason-code/lower-case"

    def reason_code(self, text: str | None) -> str | None:
        return super().reason_code(text and "".join(letter.lower()[0] for letter in text))


class NotFoundIsMissing(_CodeFault):
    """Knows Harbor's message of a missing reward file, as the document's table has it."""

    breaks = "reason-code/not-found"

    def reason_code(self, text: str | None) -> str | None:
        found = "no reward file found" in (text or "").lower()
        return _MISSING if found else super().reason_code(text)


class AnythingMissing(_CodeFault):
    """Does not ask for `reward`."""

    breaks = "reason-code/needs-reward"

    def reason_code(self, text: str | None) -> str | None:
        return super().reason_code(text and f"reward {text}")


class WholeWords(_CodeFault):
    """Looks for whole words."""

    breaks = "reason-code/substring"

    def reason_code(self, text: str | None) -> str | None:
        words = re.findall(r"\w+", text or "")
        wanted = {"reward", "missing", "empty", "parse", "malformed"}
        return super().reason_code(" ".join(word for word in words if word.lower() in wanted))


class RewardFirst(_CodeFault):
    """Looks for the word that decides after `reward`."""

    breaks = "reason-code/substring"

    def reason_code(self, text: str | None) -> str | None:
        place = (text or "").lower().find("reward")
        return super().reason_code(text and text[place:]) if place >= 0 else None


class JoinsWords(_CodeFault):
    """Drops hyphens and white space first."""

    breaks = "reason-code/substring"

    def reason_code(self, text: str | None) -> str | None:
        return super().reason_code(text and re.sub(r"[\s-]+", "", text))


class EmptyBeforeMissing(_CodeFault):
    """Asks for `empty` first."""

    breaks = "reason-code/first-word"

    def reason_code(self, text: str | None) -> str | None:
        code = super().reason_code(text)
        return _EMPTY if code and "empty" in (text or "").lower() else code


class ParseOnly(_CodeFault):
    """Does not know `malformed`."""

    breaks = "reason-code/parse-error"

    def reason_code(self, text: str | None) -> str | None:
        return super().reason_code(text and re.sub("malformed", "", text, flags=re.IGNORECASE))


class LiteralCondition(_CodeFault):
    """Takes the document's last condition as it is printed, which is always true."""

    breaks = "reason-code/otherwise-none"

    def reason_code(self, text: str | None) -> str | None:
        code = super().reason_code(text)
        return _PARSE_ERROR if code is None and "reward" in (text or "").lower() else code


class ShortCodes(_CodeFault):
    """Leaves out the codes' prefix."""

    breaks = "reason-code/code"

    def reason_code(self, text: str | None) -> str | None:
        code = super().reason_code(text)
        return code and code.removeprefix("harbor_")


class ReadsThreeHundredCharacters(Fault):
    """Looks for words in the first 300 characters of an error's text."""

    breaks = "reason-code/substring"
    seen_by = "test_error_texts"

    def reason_code(self, text: str | None) -> str | None:
        return super().reason_code(text and text[:300])
