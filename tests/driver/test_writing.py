"""A document is there as a whole or not at all."""

import os
from pathlib import Path

import pytest

from parity.driver.documents.writing import write_text


def test_a_text_replaces_another(tmp_path: Path) -> None:
    """Nothing else is left in the folder."""
    (tmp_path / "result.json").write_text("old")

    write_text(tmp_path / "result.json", "né\r\n")

    assert (tmp_path / "result.json").read_bytes() == "né\r\n".encode()
    assert os.listdir(tmp_path) == ["result.json"]


def test_the_old_text_stays_until_the_new_one_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the new one cannot take its place."""
    (tmp_path / "result.json").write_text("old")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("no")))

    with pytest.raises(OSError, match="no"):
        write_text(tmp_path / "result.json", "new")

    assert (tmp_path / "result.json").read_text() == "old"
    assert os.listdir(tmp_path) == ["result.json"]


def test_the_new_text_waits_under_a_hidden_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same folder, so that it is put in place at once."""
    drafts: list[Path] = []
    monkeypatch.setattr(os, "replace", lambda draft, path: drafts.append(draft))

    write_text(tmp_path / "result.json", "new")

    assert [draft.parent for draft in drafts] == [tmp_path]
    assert drafts[0].name.startswith(".")


def test_others_may_read_what_they_may_read_of_any_file(tmp_path: Path) -> None:
    """The mode is that of any new file."""
    (tmp_path / "other").write_text("")

    write_text(tmp_path / "result.json", "new")

    assert (tmp_path / "result.json").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    """Half of a surrogate pair has no bytes in UTF-8."""
    with pytest.raises(UnicodeEncodeError):
        write_text(tmp_path / "result.json", "\ud800")

    assert os.listdir(tmp_path) == []
