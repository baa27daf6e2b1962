"""Rules of `reason_code`: the words in an error's text that give it a code."""

from parity.operations.rule import Rule, rules

_SOURCE = "scoring description, section 1.4"

_WORDS = rules(
    "reason_code",
    ("reason-code/no-text", _SOURCE, "no-text empty-text", "A text that is absent or empty MUST have no code."),
    ("reason-code/lower-case", _SOURCE, "look-alike upper-case", "Words MUST count in any case, as `str.lower` maps it: `ſ` is not s, `ẞ` is not ss, and `İ` is not i.", "type fault"),
    ("reason-code/not-found", _SOURCE, "not-found", "Harbor's message of a missing reward file, `No reward file found`, does not hold `missing`, and MUST have no code."),
    ("reason-code/needs-reward", _SOURCE, "no-reward", "Without `reward`, there MUST be no code, whatever other words there are.", "type"),
    ("reason-code/substring", _SOURCE, "inside-a-word word-first broken-word far-word", "A word MUST count anywhere, as long as it is unbroken: inside longer words, in paths, before `reward`, after long text.", "type fault"),
    ("reason-code/first-word", _SOURCE, "several-words", "`missing` MUST take precedence over `empty`, and `empty` over `parse` and `malformed`.", "text"),
    ("reason-code/parse-error", _SOURCE, "parse-word malformed-word", "`parse` or `malformed` MUST give harbor_reward_parse_error.", "type"),
    ("reason-code/otherwise-none", _SOURCE, "reward-alone", "`reward` without any of the other words MUST have no code.", "type"),
    ("reason-code/code", _SOURCE, "", "The codes MUST be harbor_reward_missing, harbor_reward_empty and harbor_reward_parse_error."),
)  # fmt: skip

RULES: list[Rule] = [*_WORDS]
