"""Rules for `read_reward`: the choice of the reward file, and the rewards that are read from it."""

from parity.operations.read_reward import conditions, equivalents
from parity.operations.read_reward.conditions import in_content, in_json, in_number_text, in_object, in_text, in_value
from parity.operations.rule import Rule, aspects, at_the_top, either, in_floats, in_order, in_values

_PARSE = "harbor.verifier.verifier.Verifier._parse_reward_json and harbor.verifier.verifier.Verifier._parse_reward_text"
_VERIFY = "harbor.verifier.verifier.Verifier.verify"
_RESULT = "harbor.models.verifier.result.VerifierResult"
_FLOAT_OR_JSON = "builtins.float and json.loads"

RULES: list[Rule] = [
    Rule(
        "reward-file/fifo-is-empty",
        "A FIFO has size zero: it MUST count as an empty reward file, and MUST NOT be opened.",
        source=_PARSE,
        when=conditions.has_fifo,
        same=equivalents.empty_for("fifo"),
    ),
    Rule(
        "reward-file/device-is-empty",
        "A device or a socket has size zero: it MUST count as an empty reward file, and MUST NOT be opened.",
        source=_PARSE,
        when=conditions.has("device", "socket"),
        same=equivalents.empty_for("device", "socket"),
    ),
    Rule(
        "reward-file/other-files",
        "A file whose name is not exactly `reward.json` or `reward.txt` MUST be ignored.",
        source=_VERIFY,
        when=conditions.has_other_files,
        same=equivalents.without_others,
    ),
    Rule(
        "reward-file/any-path",
        "The path of the directory MAY hold any character, and MAY be a link.",
        source="pathlib.Path.exists",
        when=conditions.has_unusual_path,
        same=equivalents.at_a_plain_path,
    ),
    Rule(
        "reward-file/dangling-link-is-absent",
        "A link to nothing, or into a loop of links, MUST count as a file that does not exist.",
        source="pathlib.Path.exists",
        when=conditions.has("dangling-link", "looping-link"),
        same=equivalents.dangling_absent,
    ),
    Rule(
        "reward-file/link-is-followed",
        "A link to a file or a directory elsewhere MUST count as that file or directory.",
        source="pathlib.Path.exists and pathlib.Path.stat",
        when=conditions.has("link", "link-to-directory"),
        same=equivalents.links_followed,
    ),
    Rule(
        "reward-file/json-wins",
        "If reward.json exists, it MUST decide, even if it is empty or malformed; reward.txt MUST then be ignored.",
        source=_VERIFY,
        when=conditions.has_both_files,
        same=equivalents.json_alone,
    ),
    Rule(
        "reward-file/directory-is-an-error",
        "A directory in place of the file that counts MUST raise IsADirectoryError, unless the file system gives it "
        "the size 0.",
        source="pathlib.Path.read_text",
        when=conditions.has("directory", "link-to-directory"),
    ),
    Rule(
        "reward-file/unreadable-is-an-error",
        "A file that may not be read and is not of zero bytes MUST raise PermissionError, not a parse error.",
        source="pathlib.Path.read_text",
        when=conditions.has("unreadable"),
    ),
    Rule(
        "reward-file/unsearchable-folder",
        "A directory that may not be searched MUST raise PermissionError on Python 3.12 and 3.13; from 3.14 on, its "
        "files MUST count as missing.",
        source="pathlib.Path.exists",
        when=conditions.has_unsearchable_directory,
    ),
    Rule(
        "reward-file/missing",
        "If there is no file, or no directory, RewardFileNotFoundError MUST be raised.",
        source=_VERIFY,
        when=conditions.has_no_file,
    ),
    Rule(
        "reward-file/any-size",
        "A file MUST be read to its end, however large it is.",
        source="pathlib.Path.read_text",
        when=in_content(conditions.is_large),
        same=equivalents.small,
    ),
    Rule(
        "reward-file/empty-is-zero-bytes",
        "A file of zero bytes MUST raise RewardFileEmptyError.",
        source=_PARSE,
        when=in_content(conditions.is_empty),
    ),
    Rule(
        "reward-file/white-space-is-not-empty",
        "A file of white space only MUST NOT count as empty: it is a parse error.",
        source=_PARSE,
        when=in_content(conditions.is_white_space),
    ),
    Rule(
        "reward-file/undecodable-is-a-parse-error",
        "Bytes that are not valid in the locale's encoding, which is UTF-8 here, MUST be a parse error.",
        source=(
            "pathlib.Path.read_text, "
            "harbor.verifier.verifier.Verifier._parse_reward_json"
            " and harbor.verifier.verifier.Verifier._parse_reward_text"
        ),
        when=in_content(conditions.is_undecodable),
    ),
    Rule(
        "reward-file/byte-order-mark-is-a-parse-error",
        "A byte order mark MUST NOT be skipped: it is a parse error.",
        source="json.loads and builtins.float",
        when=in_content(conditions.has_byte_order_mark),
        same=equivalents.marks_as_text,
    ),
    Rule(
        "reward-json/nesting",
        "JSON nested beyond the interpreter's stack MUST raise RecursionError, which is not a parse error.",
        source="json.loads",
        when=in_json(conditions.is_too_deep),
    ),
    Rule(
        "reward-json/nesting-held",
        "JSON nested up to 1300 levels deep MUST be read like any other.",
        source="json.loads",
        when=in_json(conditions.is_hundreds_deep),
        same=equivalents.flat,
    ),
    Rule(
        "reward-json/digit-limit",
        "An integer of more than 4300 digits MUST be a parse error.",
        source="json.loads",
        when=in_json(conditions.has_too_many_digits),
    ),
    Rule(
        "reward-json/malformed",
        "Text that is not JSON MUST be a parse error: no comments, single quotes, trailing commas or trailing text.",
        source="json.loads",
        when=in_json(conditions.is_malformed),
    ),
    Rule(
        "reward-json/null-is-none",
        "The document `null` MUST give no rewards and no error.",
        source=_RESULT,
        when=in_json(conditions.is_null),
    ),
    Rule(
        "reward-json/object-only",
        "A document that is neither an object nor null MUST raise ValidationError.",
        source=_RESULT,
        when=in_json(conditions.is_not_an_object),
    ),
    Rule(
        "reward-json/empty-object",
        "`{}` MUST give rewards without keys: neither an error nor null.",
        source=_RESULT,
        when=in_object(conditions.has_no_key),
    ),
    Rule(
        "reward-json/duplicate-key",
        "If a key occurs twice, its last value MUST count, at the place of the first.",
        source="json.loads",
        when=in_json(conditions.has_duplicate_key),
        same=equivalents.without_duplicates,
    ),
    Rule(
        "reward-json/key-order",
        "Keys MUST keep the order of the file.",
        source="json.loads",
        when=in_object(conditions.has_several_keys),
        where=in_order,
    ),
    Rule(
        "reward-json/bad-value",
        "A value that is not a number, and cannot be read as one, MUST raise ValidationError, whatever the other "
        "keys hold.",
        source=_RESULT,
        when=in_value(conditions.is_no_number),
    ),
    Rule(
        "reward-json/integer-string",
        "A string that pydantic cannot read as a float, but can read as an int, such as ` 1_0`, MUST give that int.",
        source="pydantic_core.core_schema.int_schema",
        when=in_value(conditions.is_integer_string),
        same=equivalents.numbers_for_strings(int),
    ),
    Rule(
        "reward-json/number-string",
        "A string that pydantic can read as a float MUST give that float, even if it looks like an int.",
        source="pydantic_core.core_schema.float_schema",
        when=in_value(conditions.is_number_string),
        same=equivalents.numbers_for_strings(float),
    ),
    Rule(
        "reward-json/bool-is-float",
        "true MUST be 1.0, and false MUST be 0.0.",
        source="pydantic_core.core_schema.float_schema",
        when=in_value(conditions.is_bool),
        same=equivalents.floats_for_bools,
    ),
    Rule(
        "reward-json/keys-are-verbatim",
        "Keys MUST be kept unchanged, even if empty or with half of a surrogate pair, and no key is required.",
        source=_RESULT,
        when=in_object(conditions.has_unusual_key),
        where=either(aspects("keys", "fault"), at_the_top),
    ),
    Rule(
        "reward-json/constants",
        "NaN, Infinity and -Infinity MUST be numbers.",
        source="json.loads",
        when=in_json(conditions.has_constant),
        where=either(in_floats, aspects("fault", "keys"), at_the_top),
    ),
    Rule(
        "reward-json/big-integers",
        "An int of any size up to 4300 digits MUST be kept exactly.",
        source=_RESULT,
        when=in_value(conditions.is_inexact_int),
        where=aspects("value", "fault"),
    ),
    Rule(
        "reward-json/int-stays-int",
        "An integer MUST stay an int, and `1.0` a float; `-0` is the int 0.",
        source=_RESULT,
        when=in_value(conditions.is_int),
    ),
    Rule(
        "reward-text/digits",
        "Every decimal digit of the interpreter's Unicode version MUST count as a digit.",
        source="builtins.float",
        when=in_text(conditions.has_unicode_digits),
        same=equivalents.with_plain_digits,
    ),
    Rule(
        "reward-text/separators",
        "U+001C to U+001F around a number MUST be a parse error, although `str.strip` removes them.",
        source="builtins.float",
        when=in_text(conditions.has_separators),
    ),
    Rule(
        "reward-text/unicode-padding",
        "Unicode white space around the number MUST be skipped.",
        source="builtins.float",
        when=in_number_text(conditions.has_unicode_padding),
        same=equivalents.without_unicode_padding,
    ),
    Rule(
        "reward-text/padding",
        "ASCII white space and line ends around the number MUST be skipped.",
        source="builtins.float",
        when=in_text(conditions.has_padding),
        same=equivalents.without_padding,
    ),
    Rule(
        "reward-text/malformed",
        "Text that is not exactly one number MUST be a parse error: no fraction, percentage, comma, hex or second "
        "number.",
        source="builtins.float",
        when=in_text(conditions.is_no_number_text),
    ),
    Rule(
        "reward-text/underscore",
        "One underscore between two digits MUST be allowed.",
        source="builtins.float",
        when=in_number_text(conditions.has_underscore),
        same=equivalents.without_underscores,
    ),
    Rule(
        "reward-number/non-finite",
        "nan, inf and infinity in reward.txt MUST be numbers, in any mixture of lower and upper case; in either file "
        "a number that is too large MUST become an infinity of its sign.",
        source=_FLOAT_OR_JSON,
        when=conditions.has_not_finite,
        where=in_values,
    ),
    Rule(
        "reward-number/rounding",
        "A decimal MUST be rounded to the nearest double, ties to even, however long it is.",
        source=_FLOAT_OR_JSON,
        when=conditions.needs_rounding,
        where=in_values,
    ),
    Rule(
        "reward-number/sign-of-zero",
        "`-0` in reward.txt, and `-0.0` and what is rounded to zero from below in either file, MUST be -0.0.",
        source=_FLOAT_OR_JSON,
        when=conditions.has_negative_zero,
        where=in_values,
    ),
    Rule(
        "reward-number/unit-interval",
        "A reward MAY be negative or above 1; it MUST NOT be clipped.",
        source=_VERIFY,
        when=conditions.has_reward_outside_unit_interval,
        where=aspects("bits", "fault"),
    ),
    Rule(
        "reward-text/spelling",
        "Exponents, a plus sign, `.5` and `5.` MUST be allowed.",
        source="builtins.float",
        when=in_number_text(conditions.has_unusual_spelling),
        same=equivalents.spelled_plainly,
    ),
    Rule(
        "reward-json/float",
        "A JSON number with a fraction or an exponent MUST be a float.",
        source="json.loads",
        when=in_value(conditions.is_float),
    ),
    Rule(
        "reward-text/float",
        "reward.txt MUST give one float under the key `reward`, even if the text is an integer.",
        source="harbor.verifier.verifier.Verifier._parse_reward_text",
    ),
]
