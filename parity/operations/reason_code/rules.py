"""Rules for `reason_code`: the words in an error's text that determine the code."""

from parity.operations.rule import Rule

_SENTENCES = {
    "reason-code/no-text": "A text that is absent or empty MUST have no code.",
    "reason-code/lower-case": (
        "Words MUST count in any case, as `str.lower` maps it: `ſ` is not s, `ẞ` is not ss, and `İ` is not i."
    ),
    "reason-code/not-found": (
        "Harbor's message of a missing reward file, `No reward file found`, does not hold `missing`, and MUST"
        " have no code."
    ),
    "reason-code/needs-reward": "Without `reward`, there MUST be no code, whatever other words there are.",
    "reason-code/substring": (
        "A word MUST count anywhere, as long as it is unbroken: inside longer words, in paths, before "
        "`reward`, after long text."
    ),
    "reason-code/first-word": "`missing` MUST take precedence over `empty`, and `empty` over `parse` and `malformed`.",
    "reason-code/parse-error": "`parse` or `malformed` MUST give harbor_reward_parse_error.",
    "reason-code/otherwise-none": "`reward` without any of the other words MUST have no code.",
    "reason-code/code": "The codes MUST be harbor_reward_missing, harbor_reward_empty and harbor_reward_parse_error.",
}

RULES = [Rule(slug, sentence, source="scoring description, section 1.4") for slug, sentence in _SENTENCES.items()]
