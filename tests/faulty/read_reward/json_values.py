"""Faults in reading reward.json and in what its values become."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from parity.operations.wire import int_from_text
from parity.scorer import Rewards, ValidationError, VerifierOutputParseError
from parity.scorer.number_text import lax_number
from tests.faulty.fault import Fault, read_bytes
from tests.faulty.read_reward.fault import changed


class _JsonFault(Fault):
    seen_by = "test_reward_json"

    def document(self, directory: Path, **options: Any) -> Any:
        """The document of reward.json, or an ellipsis where there is none."""
        content = read_bytes(directory, "reward.json")
        try:
            return ... if content is None else json.loads(content.decode(), **options)
        except (ValueError, RecursionError):
            return ...

    def change_values(self, directory: Path, change: Callable[[Any], Any]) -> Rewards | None:
        """The right rewards with every value of reward.json changed."""
        rewards = super().read_reward(directory)
        return changed(rewards, change) if read_bytes(directory, "reward.json") is not None else rewards

    def change_strings(self, directory: Path, change: Callable[[str, Any], Any]) -> Rewards | None:
        """The right rewards, but what reward.json has as a string changed; given the string and the right reward."""
        document = self.document(directory)
        rewards = super().read_reward(directory)
        if not rewards or not isinstance(document, dict):
            return rewards
        strings = {key: value for key, value in document.items() if isinstance(value, str)}
        return {**rewards, **{key: change(value, rewards[key]) for key, value in strings.items()}}


class DeepNestingIsParseError(_JsonFault):
    """Reports nesting beyond the stack as malformed JSON."""

    breaks = "reward-json/nesting"
    seen_by = "test_almost_json"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except RecursionError as error:
            raise VerifierOutputParseError from error


class AnyNumberOfDigits(_JsonFault):
    """Reads integers of any length."""

    breaks = "reward-json/digit-limit"
    seen_by = "test_almost_json"

    def read_reward(self, directory: Path) -> Rewards | None:
        match self.document(directory, parse_int=int_from_text):
            case {"reward": int(number)} if number > 10**4300:
                return {"reward": number}
        return super().read_reward(directory)


class TrailingCommas(_JsonFault):
    """Allows a comma after the last member, as JSON5 does."""

    breaks = "reward-json/malformed"
    seen_by = "test_almost_json"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except VerifierOutputParseError:
            content = read_bytes(directory, "reward.json") or b""
            relaxed = re.sub(rb",(\s*})", rb"\1", content)
            if relaxed == content:
                raise
            with TemporaryDirectory() as folder:
                (Path(folder) / "reward.json").write_bytes(relaxed)
                return super().read_reward(Path(folder))


class NullIsEmpty(_JsonFault):
    """Gives no keys where the document is null."""

    breaks = "reward-json/null-is-none"

    def read_reward(self, directory: Path) -> Rewards | None:
        return super().read_reward(directory) or {}


class BareNumbers(_JsonFault):
    """Takes a bare number for the reward."""

    breaks = "reward-json/object-only"

    def read_reward(self, directory: Path) -> Rewards | None:
        document = self.document(directory)
        if isinstance(document, int | float):
            return {"reward": document}
        return super().read_reward(directory)


class EmptyObjectIsNull(_JsonFault):
    """Gives null where the document has no keys."""

    breaks = "reward-json/empty-object"

    def read_reward(self, directory: Path) -> Rewards | None:
        return super().read_reward(directory) or None


class DropsBadValues(_JsonFault):
    """Leaves out values that are no numbers."""

    breaks = "reward-json/bad-value"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except ValidationError:
            document = self.document(directory)
            if not isinstance(document, dict):
                raise
            return {key: value for key, value in document.items() if isinstance(value, int | float)}


class FloatGrammarOnly(_JsonFault):
    """Reads strings as floats only."""

    breaks = "reward-json/integer-string"
    seen_by = "test_numeric_strings"

    def read_reward(self, directory: Path) -> Rewards | None:
        document = self.document(directory)
        if isinstance(document, dict):
            for value in document.values():
                if isinstance(value, str) and isinstance(lax_number(value), int):
                    raise ValidationError(value)
        return super().read_reward(directory)


class PythonFloatStrings(_JsonFault):
    """Reads strings with Python's `float`, whose grammar is another."""

    breaks = "reward-json/number-string"
    seen_by = "test_numeric_strings"

    def read_reward(self, directory: Path) -> Rewards | None:
        def as_python(text: str, right: Any) -> Any:
            return float(text) if isinstance(right, float) else right

        return self.change_strings(directory, as_python)


class IntegerLikeStrings(_JsonFault):
    """Makes an int of a string that looks like one."""

    breaks = "reward-json/number-string"
    seen_by = "test_numeric_strings"

    def read_reward(self, directory: Path) -> Rewards | None:
        def as_int(text: str, right: Any) -> Any:
            return int(text) if re.fullmatch("[0-9]{1,9}", text) else right

        return self.change_strings(directory, as_int)


class BoolsStay(_JsonFault):
    """Keeps true and false as they are, and so lets a bool out."""

    breaks = "reward-json/bool-is-float"

    def read_reward(self, directory: Path) -> Rewards | None:
        document = self.document(directory)
        rewards = super().read_reward(directory)
        if rewards and isinstance(document, dict):
            rewards.update({key: value for key, value in document.items() if isinstance(value, bool)})
        return rewards


class BoolsAreRefused(_JsonFault):
    """Insists on numbers."""

    breaks = "reward-json/bool-is-float"

    def read_reward(self, directory: Path) -> Rewards | None:
        document = self.document(directory)
        if isinstance(document, dict) and any(isinstance(value, bool) for value in document.values()):
            raise ValidationError
        return super().read_reward(directory)


class StrictConstants(_JsonFault):
    """Refuses NaN and Infinity, which the JSON standard does not have."""

    breaks = "reward-json/constants"

    def read_reward(self, directory: Path) -> Rewards | None:
        constants: list[str] = []
        document = self.document(directory, parse_constant=constants.append)
        if constants and document is not ...:
            raise VerifierOutputParseError(constants[0])
        return super().read_reward(directory)


class FirstDuplicateWins(_JsonFault):
    """Keeps the first value of a key that is named twice."""

    breaks = "reward-json/duplicate-key"

    def read_reward(self, directory: Path) -> Rewards | None:
        rewards = super().read_reward(directory)
        document = self.document(directory, object_pairs_hook=lambda pairs: dict(reversed(pairs)))
        if rewards and isinstance(document, dict):
            firsts = {key: document[key] for key in rewards if type(document[key]) in (int, float)}
            rewards.update(firsts)
        return rewards


class SortsKeys(_JsonFault):
    """Writes the keys in sorted order."""

    breaks = "reward-json/key-order"

    def read_reward(self, directory: Path) -> Rewards | None:
        rewards = super().read_reward(directory)
        return dict(sorted(rewards.items())) if rewards else rewards


class IntegerKeysFirst(_JsonFault):
    """Holds the rewards in a JavaScript object, where keys that look like integers come first."""

    breaks = "reward-json/key-order"

    def read_reward(self, directory: Path) -> Rewards | None:
        rewards = super().read_reward(directory)
        if not rewards:
            return rewards
        numeric = sorted((key for key in rewards if key.isascii() and key.isdigit() and str(int(key)) == key), key=int)
        return {key: rewards[key] for key in [*numeric, *(key for key in rewards if key not in numeric)]}


class OnlyTheRewardKey(_JsonFault):
    """Knows one reward key, and wants it."""

    breaks = "reward-json/keys-are-verbatim"

    def read_reward(self, directory: Path) -> Rewards | None:
        rewards = super().read_reward(directory)
        return {"reward": rewards["reward"]} if rewards else rewards


class BigIntegersThroughDoubles(_JsonFault):
    """Reads every number as a double, as JavaScript does."""

    breaks = "reward-json/big-integers"

    def read_reward(self, directory: Path) -> Rewards | None:
        def rounded(number: Any) -> Any:
            return int(float(number)) if isinstance(number, int) and abs(number) < 10**300 else number

        return self.change_values(directory, rounded)


class IntegersBecomeFloats(_JsonFault):
    """Makes a float of every number."""

    breaks = "reward-json/int-stays-int"

    def read_reward(self, directory: Path) -> Rewards | None:
        def floated(number: Any) -> Any:
            return float(number) if abs(number) < 10**300 else number

        return self.change_values(directory, floated)


class WholeFloatsBecomeIntegers(_JsonFault):
    """Writes 1.0 as 1."""

    breaks = "reward-json/float"

    def read_reward(self, directory: Path) -> Rewards | None:
        def narrowed(number: Any) -> Any:
            return int(number) if isinstance(number, float) and number.is_integer() else number

        return self.change_values(directory, narrowed)
