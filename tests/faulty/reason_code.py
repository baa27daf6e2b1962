"""Faults in giving an error's text a reason code."""

import re

from parity.runners import CleanRoom
from parity.scorer import REASON_CODES
from tests.faulty.fault import breaks

_MISSING, _EMPTY, _PARSE_ERROR = REASON_CODES[:3]


@breaks("reason-code/no-text", seen_by="test_golden")
def NoTextIsMalformed(right: CleanRoom, text: str | None) -> str | None:
    """Gives an error without text a code."""
    return right.reason_code(text) if text else _PARSE_ERROR


@breaks("reason-code/lower-case", seen_by="test_golden")
def ExactCase(right: CleanRoom, text: str | None) -> str | None:
    """Looks for the words in lower case only."""
    return right.reason_code(text and re.sub("[A-Z]", "?", text))


@breaks("reason-code/lower-case", seen_by="test_golden")
def FoldsCase(right: CleanRoom, text: str | None) -> str | None:
    """Uses `str.casefold`, for which `ſ` is an s."""
    return right.reason_code(text and text.casefold())


@breaks("reason-code/not-found", seen_by="test_golden")
def NotFoundIsMissing(right: CleanRoom, text: str | None) -> str | None:
    """Knows Harbor's message of a missing reward file, as the document's table has it."""
    found = "no reward file found" in (text or "").lower()
    return _MISSING if found else right.reason_code(text)


@breaks("reason-code/needs-reward", seen_by="test_golden")
def AnythingMissing(right: CleanRoom, text: str | None) -> str | None:
    """Does not ask for `reward`."""
    return right.reason_code(text and f"reward {text}")


@breaks("reason-code/substring", seen_by="test_golden")
def WholeWords(right: CleanRoom, text: str | None) -> str | None:
    """Looks for whole words."""
    words = re.findall(r"\w+", text or "")
    wanted = {"reward", "missing", "empty", "parse", "malformed"}
    return right.reason_code(" ".join(word for word in words if word.lower() in wanted))


@breaks("reason-code/first-word", seen_by="test_golden")
def EmptyBeforeMissing(right: CleanRoom, text: str | None) -> str | None:
    """Asks for `empty` first."""
    code = right.reason_code(text)
    return _EMPTY if code and "empty" in (text or "").lower() else code


@breaks("reason-code/parse-error", seen_by="test_golden")
def ParseOnly(right: CleanRoom, text: str | None) -> str | None:
    """Does not know `malformed`."""
    return right.reason_code(text and re.sub("malformed", "", text, flags=re.IGNORECASE))


@breaks("reason-code/otherwise-none", seen_by="test_golden")
def LiteralCondition(right: CleanRoom, text: str | None) -> str | None:
    """Takes the document's last condition as it is printed, which is always true."""
    code = right.reason_code(text)
    return _PARSE_ERROR if code is None and "reward" in (text or "").lower() else code


@breaks("reason-code/code", seen_by="test_golden")
def ShortCodes(right: CleanRoom, text: str | None) -> str | None:
    """Leaves out the codes' prefix."""
    code = right.reason_code(text)
    return code and code.removeprefix("harbor_")
