"""Faults in parsing reward.json, and in the conversion of its values."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from parity.operations.wire import int_from_text
from parity.runners import CleanRoom
from parity.scorer import Rewards, ValidationError, VerifierOutputParseError
from parity.scorer.number_text import lax_number
from tests.faulty.fault import breaks, json_document, read_bytes
from tests.faulty.read_reward.fault import each_string, each_value, in_rewards


@breaks("reward-json/nesting", seen_by="test_almost_json")
def DeepNestingIsParseError(right: CleanRoom, directory: Path) -> Rewards | None:
    """Reports JSON that is nested too deeply for the interpreter as malformed."""
    try:
        return right.read_reward(directory)
    except RecursionError as error:
        raise VerifierOutputParseError from error


@breaks("reward-json/digit-limit", seen_by="test_almost_json")
def AnyNumberOfDigits(right: CleanRoom, directory: Path) -> Rewards | None:
    """Reads ints with any number of digits."""
    match json_document(directory / "reward.json", parse_int=int_from_text):
        case {"reward": int(number)} if number > 10**4300:
            return {"reward": number}
    return right.read_reward(directory)


@breaks("reward-json/malformed", seen_by="test_almost_json")
def TrailingCommas(right: CleanRoom, directory: Path) -> Rewards | None:
    """Allows a comma after the last item, as JSON5 does."""
    try:
        return right.read_reward(directory)
    except VerifierOutputParseError:
        content = read_bytes(directory, "reward.json") or b""
        relaxed = re.sub(rb",(\s*})", rb"\1", content)
        if relaxed == content:
            raise
        with TemporaryDirectory() as folder:
            (Path(folder) / "reward.json").write_bytes(relaxed)
            return right.read_reward(Path(folder))


@breaks("reward-json/null-is-none", seen_by="test_reward_json")
def NullIsEmpty(right: CleanRoom, directory: Path) -> Rewards | None:
    """Returns `{}` if the document is null."""
    return right.read_reward(directory) or {}


@breaks("reward-json/object-only", seen_by="test_reward_json")
def BareNumbers(right: CleanRoom, directory: Path) -> Rewards | None:
    """Accepts a document that is a bare number as the reward."""
    document = json_document(directory / "reward.json")
    if isinstance(document, int | float):
        return {"reward": document}
    return right.read_reward(directory)


@breaks("reward-json/empty-object", seen_by="test_reward_json")
def EmptyObjectIsNull(right: CleanRoom, directory: Path) -> Rewards | None:
    """Returns None if the document is `{}`."""
    return right.read_reward(directory) or None


@breaks("reward-json/bad-value", seen_by="test_reward_json")
def DropsBadValues(right: CleanRoom, directory: Path) -> Rewards | None:
    """Leaves out values that are not numbers instead of refusing the file."""
    try:
        return right.read_reward(directory)
    except ValidationError:
        document = json_document(directory / "reward.json")
        if not isinstance(document, dict):
            raise
        return {key: value for key, value in document.items() if isinstance(value, int | float)}


@breaks("reward-json/integer-string", seen_by="test_numeric_strings")
def FloatGrammarOnly(right: CleanRoom, directory: Path) -> Rewards | None:
    """Reads strings by the grammar of floats only, not by that of ints."""
    document = json_document(directory / "reward.json")
    if isinstance(document, dict):
        for value in document.values():
            if isinstance(value, str) and isinstance(lax_number(value), int):
                raise ValidationError(value)
    return right.read_reward(directory)


@breaks("reward-json/number-string", seen_by="test_numeric_strings")
@each_string
def PythonFloatStrings(text: str, right: Any) -> Any:
    """Reads strings with Python's `float`, whose grammar differs from pydantic's."""
    return float(text) if isinstance(right, float) else right


@breaks("reward-json/bool-is-float", seen_by="test_reward_json")
def BoolsStay(right: CleanRoom, directory: Path) -> Rewards | None:
    """Returns true and false as bools instead of floats."""
    document = json_document(directory / "reward.json")
    rewards = right.read_reward(directory)
    if rewards and isinstance(document, dict):
        rewards.update({key: value for key, value in document.items() if isinstance(value, bool)})
    return rewards


@breaks("reward-json/constants", seen_by="test_reward_json")
def StrictConstants(right: CleanRoom, directory: Path) -> Rewards | None:
    """Refuses NaN and Infinity, which the JSON standard does not allow."""
    constants: list[str] = []
    document = json_document(directory / "reward.json", parse_constant=constants.append)
    if constants and document is not ...:
        raise VerifierOutputParseError(constants[0])
    return right.read_reward(directory)


@breaks("reward-json/duplicate-key", seen_by="test_reward_json")
def FirstDuplicateWins(right: CleanRoom, directory: Path) -> Rewards | None:
    """Uses the first value of a key that occurs twice."""
    rewards = right.read_reward(directory)
    document = json_document(directory / "reward.json", object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    if rewards and isinstance(document, dict):
        firsts = {key: document[key] for key in rewards if type(document[key]) in (int, float)}
        rewards.update(firsts)
    return rewards


@breaks("reward-json/key-order", seen_by="test_reward_json")
@in_rewards
def SortsKeys(rewards: Rewards) -> Rewards:
    """Returns the keys in sorted order."""
    return dict(sorted(rewards.items()))


@breaks("reward-json/key-order", seen_by="test_reward_json")
@in_rewards
def IntegerKeysFirst(rewards: Rewards) -> Rewards:
    """Returns keys that look like integers first, as a JavaScript object does."""
    numeric = sorted((key for key in rewards if key.isascii() and key.isdigit() and str(int(key)) == key), key=int)
    return {key: rewards[key] for key in [*numeric, *(key for key in rewards if key not in numeric)]}


@breaks("reward-json/keys-are-verbatim", seen_by="test_reward_json")
@in_rewards
def OnlyTheRewardKey(rewards: Rewards) -> Rewards:
    """Requires the key `reward`, and ignores all other keys."""
    return {"reward": rewards["reward"]}


@breaks("reward-json/big-integers", seen_by="test_reward_json")
@each_value
def BigIntegersThroughDoubles(number: Any) -> Any:
    """Reads every number as a double, as JavaScript does."""
    return int(float(number)) if isinstance(number, int) and abs(number) < 10**300 else number


@breaks("reward-json/int-stays-int", seen_by="test_reward_json")
@each_value
def IntegersBecomeFloats(number: Any) -> Any:
    """Converts every int to a float."""
    return float(number) if abs(number) < 10**300 else number


@breaks("reward-json/float", seen_by="test_reward_json")
@each_value
def WholeFloatsBecomeIntegers(number: Any) -> Any:
    """Converts whole floats to ints, such as 1.0 to 1."""
    return int(number) if isinstance(number, float) and number.is_integer() else number
