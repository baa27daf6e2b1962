"""Rules of `reason_code`: the words in an error's text that give it a code."""

from parity.operations.rule import Rule, rules

_SOURCE = "scoring description, section 1.4"

_WORDS = rules(
    "reason_code",
    ("reason-code/no-text", _SOURCE, "", "A text that is absent or empty MUST have no code."),
    ("reason-code/lower-case", _SOURCE, "", "Words MUST count in any case, as `str.lower` maps it: `ſ` is not s, `ẞ` is not ss, and `İ` is not i."),
    ("reason-code/not-found", _SOURCE, "", "Harbor's message of a missing reward file, `No reward file found`, does not hold `missing`, and MUST have no code."),
    ("reason-code/needs-reward", _SOURCE, "", "Without `reward`, there MUST be no code, whatever other words there are."),
    ("reason-code/substring", _SOURCE, "", "A word MUST count anywhere, as long as it is unbroken: inside longer words, in paths, before `reward`, after long text."),
    ("reason-code/first-word", _SOURCE, "", "`missing` MUST take precedence over `empty`, and `empty` over `parse` and `malformed`."),
    ("reason-code/parse-error", _SOURCE, "", "`parse` or `malformed` MUST give harbor_reward_parse_error."),
    ("reason-code/otherwise-none", _SOURCE, "", "`reward` without any of the other words MUST have no code."),
    ("reason-code/code", _SOURCE, "", "The codes MUST be harbor_reward_missing, harbor_reward_empty and harbor_reward_parse_error."),
)  # fmt: skip

RULES: list[Rule] = [*_WORDS]
