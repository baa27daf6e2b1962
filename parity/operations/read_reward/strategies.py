"""Hypothesis strategies for verifier directories with reward files of all kinds and contents."""

from hypothesis import strategies as st

from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.files.json_strategies import json_files
from parity.operations.files.number_strategies import choose
from parity.operations.files.text_strategies import text_files
from parity.operations.read_reward.case import RewardDirectory

# An empty file comes before the kinds that are treated like an empty file, so that cases shrink to the empty file.
_SPECIAL = ("dangling-link", "looping-link", "directory", "fifo", "link-to-directory", "device", "socket")


def _states(contents: st.SearchStrategy[bytes]) -> st.SearchStrategy[FileState]:
    special = st.sampled_from(
        [ABSENT, ABSENT, FileState("file"), *map(FileState, _SPECIAL)]  # type: ignore[arg-type]
    )
    with_content = st.builds(FileState, st.sampled_from(["file", "file", "file", "link", "unreadable"]), contents)
    return choose(with_content, special)


_plain_json = st.sampled_from([b'{"reward": 1}', b'{"reward": 0.5}', b"{}", b"null", b"", b" ", b"{", b"[]"])
_plain_text = st.sampled_from([b"1", b"0", b"0.25", b"", b" ", b"pass"])

_MEBIBYTE = b" " * (1 << 20)
_large_files = st.sampled_from(
    [
        RewardDirectory(ABSENT, FileState("file", b"0.5" + _MEBIBYTE + b"x")),
        RewardDirectory(ABSENT, FileState("file", _MEBIBYTE + b"0.5")),
        RewardDirectory(FileState("file", b'{"reward": 0.5' + _MEBIBYTE + b"}"), ABSENT),
    ]
)

_NEARLY = [
    *("Reward.JSON", "REWARD.TXT", "reward.json.tmp", "reward.txt~", ".reward.json.swp", "reward.json ", " reward.txt"),
    *(
        "rewards.json", "reward.jsonl", "reward.yaml", "reward", "score.txt", "result.json", "metrics.json",
        "reward.txt\n",
    ),
    *("#reward.json#", "reward.json.1", "\uff52eward.txt", "ctrf.json", "test-stdout.txt"),
    *("notes/reward.json", "../reward.json", "../reward.txt"),
]  # fmt: skip
_others = st.one_of(
    *[st.just({})] * 4,
    st.dictionaries(st.sampled_from(_NEARLY), st.sampled_from([b'{"reward": 0.125}', b"0.125", b""]), max_size=3),
)
_NAMES = [
    *(
        "with blank", " ", "it's", '"quoted"', "two\nlines", "\t", "d\u00e9j\u00e0-vu", "e\u0301", "\u65e5\u672c",
        "\U0001f600",
    ),
    *(
        "$HOME", "`id`", "*", "a?b", "[ab]", "{0}", "%s%20", "back\\slash", "~", "#", ";", "&", "-rf", "...", "a:b",
        "x" * 200,
    ),
]  # fmt: skip
_within = st.one_of(
    *[st.just("")] * 6,
    st.sampled_from(_NAMES),
    st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=8).filter(
        lambda name: name not in (".", "..")
    ),
)

_directories = st.builds(
    RewardDirectory,
    _states(choose(_plain_json, json_files)),
    _states(choose(_plain_text, text_files)),
    st.sampled_from(["folder"] * 12 + ["link", "absent", "file", "unsearchable"]),
    _others,
    _within,
)
reward_directories: st.SearchStrategy[RewardDirectory] = st.integers(0, 99).flatmap(
    lambda number: _large_files if number == 99 else _directories
)
"""Directories with any path, with reward.json and reward.txt in any state with any content, and other files."""
