"""Documents are written as a whole or not at all."""

import os
from pathlib import Path

import pytest

from parity.driver.documents.writing import write_document


def test_a_document_replaces_another(tmp_path: Path) -> None:
    """A document replaces another one, and nothing else is left in the folder."""
    (tmp_path / "result.json").write_text("old")

    write_document(tmp_path / "result.json", {"a": "né"})

    assert (tmp_path / "result.json").read_bytes() == '{\n    "a": "né"\n}'.encode()
    assert os.listdir(tmp_path) == ["result.json"]


def test_the_old_text_stays_until_the_new_one_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the new text cannot be put in place, the old one stays, and no draft is left."""
    (tmp_path / "result.json").write_text("old")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("no")))

    with pytest.raises(OSError, match="no"):
        write_document(tmp_path / "result.json", {})

    assert (tmp_path / "result.json").read_text() == "old"
    assert os.listdir(tmp_path) == ["result.json"]


def test_the_new_text_waits_under_a_hidden_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new text is first written under a hidden name in the same folder, and then replaces the old one."""
    drafts: list[Path] = []
    monkeypatch.setattr(os, "replace", lambda draft, path: drafts.append(draft))

    write_document(tmp_path / "result.json", {})

    assert [draft.parent for draft in drafts] == [tmp_path]
    assert drafts[0].name.startswith(".")


def test_others_may_read_what_they_may_read_of_any_file(tmp_path: Path) -> None:
    """The file has the mode of any new file."""
    (tmp_path / "other").write_text("")

    write_document(tmp_path / "result.json", {})

    assert (tmp_path / "result.json").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    """A text with half of a surrogate pair cannot be encoded, and leaves no file."""
    with pytest.raises(UnicodeEncodeError):
        write_document(tmp_path / "result.json", ["\ud800"])

    assert os.listdir(tmp_path) == []
