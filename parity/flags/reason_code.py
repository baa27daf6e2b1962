"""Flags of `reason_code`: why a case is hard."""

FLAGS = {
    "no-text": "there is no text",
    "empty-text": "the text is empty",
    "no-reward": "the text has one of the other words, but not `reward`",
    "reward-alone": "the text has `reward` and none of the other words",
    "not-found": "Harbor's message of a missing reward file, which does not say `missing`",
    "missing-word": "the text has `reward` and `missing`",
    "empty-word": "the text has `reward` and `empty`",
    "parse-word": "the text has `reward` and `parse`",
    "malformed-word": "the text has `reward` and `malformed`",
    "several-words": "the text has more than one of the words that decide",
    "upper-case": "one of the words is not in lower case",
    "inside-a-word": "one of the words is part of a longer one, or of a path",
    "word-first": "the word that decides stands before `reward`",
    "far-word": "one of the words stands beyond the first 300 characters",
    "look-alike": "other case mappings than `str.lower` find a word, or another one",
    "broken-word": "one of the words is found only if white space and hyphens are dropped",
}
