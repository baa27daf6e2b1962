"""The verifier's folder: which of the two files exist, and as what."""

from hypothesis import strategies as st

from parity.operations import ABSENT, FileState, RewardFolder
from parity.strategies.json_files import json_files
from parity.strategies.numbers import choose
from parity.strategies.text_files import text_files


def _states(contents: st.SearchStrategy[bytes]) -> st.SearchStrategy[FileState]:
    special = st.sampled_from(
        [ABSENT, ABSENT, *map(FileState, ("dangling-link", "looping-link", "directory", "fifo"))]  # type: ignore[arg-type]
    )
    with_content = st.builds(FileState, st.sampled_from(["file", "file", "file", "link", "unreadable"]), contents)
    return choose(with_content, special)


_plain_json = st.sampled_from([b'{"reward": 1}', b'{"reward": 0.5}', b"{}", b"null", b"", b" ", b"{", b"[]"])
_plain_text = st.sampled_from([b"1", b"0", b"0.25", b"", b" ", b"pass"])

reward_folders: st.SearchStrategy[RewardFolder] = st.builds(
    RewardFolder,
    _states(choose(_plain_json, json_files)),
    _states(choose(_plain_text, text_files)),
    st.sampled_from(["folder"] * 12 + ["absent", "file", "unsearchable"]),
)
"""Both files in every state, with contents of both grammars."""
