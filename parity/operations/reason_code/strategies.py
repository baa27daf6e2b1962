"""Texts of errors: Harbor's own messages, and the words that decide, in many spellings."""

from hypothesis import strategies as st

from parity.operations.files.number_strategies import choose
from parity.operations.files.text_strategies import mutated

_DECIDING = ["missing", "empty", "parse", "malformed"]
_plain = st.sampled_from(["reward", "reward", "reward", *_DECIDING])
_joined = st.sampled_from(
    ["rewarded", "emptymissing", "parser", "unparsed", "dismissing", "rewardmissing", "malformedness", "Reward_Empty"]
)
_cases = st.sampled_from([str.lower, str.upper, str.title, str.swapcase, str.capitalize])
_cased = st.builds(lambda word, case: case(word), choose(_plain, _joined), _cases)
_LOOK_ALIKES = str.maketrans({"s": "\u017f", "i": "\u0130", "k": "\u212a", "e": "\u0435", "a": "\uff41"})
_disguised = st.builds(
    lambda word, letter: word.replace(letter, letter.translate(_LOOK_ALIKES)),
    _plain,
    st.sampled_from("sssiiea"),
)
_sharp = st.sampled_from(
    ["mi\u1e9eing", "MI\u1e9eING", "mi\u00dfing", "m\u0130ssing", "M\u0130SS\u0130NG", "\u212aeyword"]
)
_broken = st.sampled_from(["re ward", "mis-sing", "mis\nsing", "emp ty", "mal-formed", "par se", "re\u00adward"])
_filler = st.sampled_from(
    [
        "file", "no", "found", "at", "is", "error:", "/logs/verifier/reward.txt", "jobs/missing-files__x/verifier",
        "1", "é",
    ]
)  # fmt: skip
_words = choose(_plain, _plain, _cased, _cased, _joined, _disguised, _sharp, _broken, _filler)
_between = st.sampled_from([" ", " ", " ", "", "\n", "-", "/", "."])
_assembled = st.builds(lambda words, blank: blank.join(words), st.lists(_words, min_size=1, max_size=5), _between)
_rewarded = st.builds("{} {}".format, choose(st.just("reward"), _cased), _assembled)

_FOLDERS = ["/logs/verifier", "jobs/2026-01-01/hello-world__abc/verifier", "jobs/j/missing-files__x/verifier", "empty"]
_MESSAGES = [
    "No reward file found at {0}/reward.txt or {0}/reward.json",
    "No reward file found at {0}/reward.txt or {0}/reward.json",
    "Reward file is empty at {0}/reward.txt",
    "Failed to parse rewards from text file {0}/reward.txt",
    "Failed to parse rewards from JSON file {0}/reward.json",
    "Failed to add tests directory to environment.",
    "Failed to download verifier directory from environment",
    "Verifier execution timed out after 900.0 seconds",
    "Agent execution timed out after 900.0 seconds",
    "No test script found in: {0} (target OS: linux)",
    "[Errno 21] Is a directory: '{0}/reward.json'",
    "1 validation error for VerifierResult\nrewards.reward.float\n  Input should be a valid number, unable to parse "
    "string as a number",
]
_messages = st.builds(
    lambda message, folder, kind: kind + message.format(folder),
    st.sampled_from(_MESSAGES),
    st.sampled_from(_FOLDERS),
    st.sampled_from(["", "", "RewardFileNotFoundError: ", "VerifierOutputParseError: ", "RewardFileEmptyError: "]),
)

_long = st.builds(
    lambda filler, times, text: filler * times + text,
    st.sampled_from(["a ", "Traceback:\n", "\u00e9", "x" * 100]),
    st.one_of(st.integers(0, 40), st.integers(40, 2000)),
    choose(_rewarded, _messages),
)

error_texts: st.SearchStrategy[str | None] = choose(
    _assembled,
    _long,
    _rewarded,
    _rewarded,
    _rewarded,
    mutated(_rewarded, " sSeE-"),
    _messages,
    _messages,
    choose(st.sampled_from(["", "reward", "missing", "harbor_reward_missing", None]), st.text(max_size=8)),
)
"""Texts of errors, or None."""
