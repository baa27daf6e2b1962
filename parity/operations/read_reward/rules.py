"""Rules of `read_reward`: which file counts, and which rewards it gives."""

from parity.operations.rule import Rule, rules

_FILES = rules(
    "read_reward",
    ("reward-file/other-files", "harbor.verifier.verifier.Verifier.verify", "other-files", "A file whose name is not exactly `reward.json` or `reward.txt` MUST be ignored."),
    ("reward-file/any-path", "pathlib.Path.exists", "odd-folder-name linked-folder", "The path of the folder MAY hold any character, and MAY be a link."),
    ("reward-file/device-is-empty", "harbor.verifier.verifier.Verifier._parse_reward_json and harbor.verifier.verifier.Verifier._parse_reward_text", "device socket", "A device or a socket has size zero: it MUST count as an empty reward file, and MUST NOT be opened."),
    ("reward-file/fifo-is-empty", "harbor.verifier.verifier.Verifier._parse_reward_json and harbor.verifier.verifier.Verifier._parse_reward_text", "fifo", "A FIFO has size zero: it MUST count as an empty reward file, and MUST NOT be opened."),
    ("reward-file/dangling-link-is-absent", "pathlib.Path.exists", "dangling-link looping-link", "A link to nothing, or into a loop of links, MUST count as a file that does not exist."),
    ("reward-file/link-is-followed", "pathlib.Path.exists and pathlib.Path.stat", "symlink", "A link to a file or a folder elsewhere MUST count as that file or folder."),
    ("reward-file/json-wins", "harbor.verifier.verifier.Verifier.verify", "json-over-txt", "If reward.json exists, it MUST decide, even if it is empty or malformed; reward.txt MUST then be ignored."),
    ("reward-file/directory-is-an-error", "pathlib.Path.read_text", "directory", "A directory in place of the file that counts MUST raise IsADirectoryError, unless the file system gives it the size 0."),
    ("reward-file/unreadable-is-an-error", "pathlib.Path.read_text", "unreadable", "A file that may not be read and is not of zero bytes MUST raise PermissionError, not a parse error."),
    ("reward-file/unsearchable-folder", "pathlib.Path.exists", "unsearchable-folder", "A folder that may not be searched MUST raise PermissionError on Python 3.12 and 3.13; from 3.14 on, its files MUST count as missing."),
    ("reward-file/missing", "harbor.verifier.verifier.Verifier.verify", "no-reward-file missing-folder file-as-folder", "If there is no file, or no folder, RewardFileNotFoundError MUST be raised."),
    ("reward-file/any-size", "pathlib.Path.read_text", "large-file", "A file MUST be read to its end, however large it is."),
    ("reward-file/empty-is-zero-bytes", "harbor.verifier.verifier.Verifier._parse_reward_json and harbor.verifier.verifier.Verifier._parse_reward_text", "empty-file", "A file of zero bytes MUST raise RewardFileEmptyError."),
    ("reward-file/white-space-is-not-empty", "harbor.verifier.verifier.Verifier._parse_reward_json and harbor.verifier.verifier.Verifier._parse_reward_text", "whitespace-only", "A file of white space only MUST NOT count as empty: it is a parse error."),
    ("reward-file/undecodable-is-a-parse-error", "pathlib.Path.read_text, harbor.verifier.verifier.Verifier._parse_reward_json and harbor.verifier.verifier.Verifier._parse_reward_text", "invalid-utf8", "Bytes that are not valid in the locale's encoding, which is UTF-8 here, MUST be a parse error."),
    ("reward-file/byte-order-mark-is-a-parse-error", "json.loads and builtins.float", "byte-order-mark", "A byte order mark MUST NOT be skipped: it is a parse error."),
)  # fmt: skip

_JSON = rules(
    "read_reward",
    ("reward-json/nesting", "json.loads", "deep-nesting", "JSON nested beyond the interpreter's stack MUST raise RecursionError, which is not a parse error."),
    ("reward-json/nesting-held", "json.loads", "nested-hundreds", "JSON nested up to 1300 levels deep MUST be read like any other."),
    ("reward-json/digit-limit", "json.loads", "many-digits", "An integer of more than 4300 digits MUST be a parse error."),
    ("reward-json/malformed", "json.loads", "json-malformed", "Text that is not JSON MUST be a parse error: no comments, single quotes, trailing commas or trailing text."),
)  # fmt: skip

_VALIDATION = rules(
    "read_reward",
    ("reward-json/null-is-none", "harbor.models.verifier.result.VerifierResult", "null-document", "The document `null` MUST give no rewards and no error."),
    ("reward-json/object-only", "harbor.models.verifier.result.VerifierResult", "json-not-object", "A document that is neither an object nor null MUST raise ValidationError."),
    ("reward-json/empty-object", "harbor.models.verifier.result.VerifierResult", "empty-object", "`{}` MUST give rewards without keys: neither an error nor null."),
    ("reward-json/duplicate-key", "json.loads", "duplicate-key", "If a key occurs twice, its last value MUST count, at the place of the first."),
    ("reward-json/key-order", "json.loads", "several-keys", "Keys MUST keep the order of the file.", "order"),
    ("reward-json/bad-value", "harbor.models.verifier.result.VerifierResult", "null-value nested-value bad-string", "A value that is not a number, and cannot be read as one, MUST raise ValidationError, whatever the other keys hold."),
    ("reward-json/integer-string", "pydantic_core.core_schema.int_schema", "integer-string", "A string that pydantic cannot read as a float, but can read as an int, such as ` 1_0`, MUST give that int."),
    ("reward-json/number-string", "pydantic_core.core_schema.float_schema", "number-string", "A string that pydantic can read as a float MUST give that float, even if it looks like an int."),
    ("reward-json/keys-are-verbatim", "harbor.models.verifier.result.VerifierResult", "unusual-key lone-surrogate", "Keys MUST be kept unchanged, even if empty or with half of a surrogate pair, and no key is required.", "keys fault"),
    ("reward-json/bool-is-float", "pydantic_core.core_schema.float_schema", "bool-value", "true MUST be 1.0, and false MUST be 0.0."),
    ("reward-json/constants", "json.loads", "json-constant", "NaN, Infinity and -Infinity MUST be numbers.", "float fault keys"),
    ("reward-json/big-integers", "harbor.models.verifier.result.VerifierResult", "int-beyond-2**53", "An int of any size up to 4300 digits MUST be kept exactly.", "value fault"),
    ("reward-json/int-stays-int", "harbor.models.verifier.result.VerifierResult", "int-value", "An integer MUST stay an int, and `1.0` a float; `-0` is the int 0."),
)  # fmt: skip

_TEXT = rules(
    "read_reward",
    ("reward-text/digits", "builtins.float", "unicode-digits", "Every decimal digit of the interpreter's Unicode version MUST count as a digit."),
    ("reward-text/separators", "builtins.float", "separator-control", "U+001C to U+001F around a number MUST be a parse error, although `str.strip` removes them."),
    ("reward-text/unicode-padding", "builtins.float", "text-unicode-padding", "Unicode white space around the number MUST be skipped."),
    ("reward-text/padding", "builtins.float", "text-padding", "ASCII white space and line ends around the number MUST be skipped."),
    ("reward-text/malformed", "builtins.float", "text-malformed nul-character", "Text that is not exactly one number MUST be a parse error: no fraction, percentage, comma, hex or second number."),
    ("reward-text/underscore", "builtins.float", "text-underscore", "One underscore between two digits MUST be allowed."),
    ("reward-number/non-finite", "builtins.float and json.loads", "non-finite", "nan, inf and infinity in reward.txt MUST be numbers, in any mixture of lower and upper case; in either file a number that is too large MUST become an infinity of its sign."),
    ("reward-number/rounding", "builtins.float and json.loads", "long-decimal subnormal-value", "A decimal MUST be rounded to the nearest double, ties to even, however long it is."),
    ("reward-number/sign-of-zero", "builtins.float and json.loads", "negative-zero", "`-0` in reward.txt, and `-0.0` and what is rounded to zero from below in either file, MUST be -0.0."),
    ("reward-number/unit-interval", "harbor.verifier.verifier.Verifier.verify", "outside-unit-interval", "A reward MAY be negative or above 1; it MUST NOT be clipped.", "bits fault"),
    ("reward-text/spelling", "builtins.float", "text-exponent text-bare-point text-plus", "Exponents, a plus sign, `.5` and `5.` MUST be allowed."),
    ("reward-json/float", "json.loads", "float-value", "A JSON number with a fraction or an exponent MUST be a float."),
    ("reward-text/float", "harbor.verifier.verifier.Verifier._parse_reward_text", "", "reward.txt MUST give one float under the key `reward`, even if the text is an integer."),
)  # fmt: skip

RULES: list[Rule] = [
    *_FILES,
    *_JSON,
    *_VALIDATION,
    *_TEXT,
]
