"""Tests that a document is written completely or not at all."""

import os
from pathlib import Path

import pytest

from parity.driver.documents.writing import write_document
from parity.scorer.result_text import Tree


def test_document_replaces_an_existing_one(tmp_path: Path) -> None:
    """A document replaces an existing one, with the mode of a new file, and nothing else is left in the directory."""
    (tmp_path / "result.json").write_text("old")
    mode = (tmp_path / "result.json").stat().st_mode

    write_document(tmp_path / "result.json", {"a": "né"})

    assert (tmp_path / "result.json").read_bytes() == '{\n    "a": "né"\n}'.encode()
    assert (tmp_path / "result.json").stat().st_mode == mode
    assert os.listdir(tmp_path) == ["result.json"]


@pytest.mark.parametrize(("document", "error"), [({}, OSError), (["\ud800"], UnicodeEncodeError)])
def test_old_document_is_kept_until_the_new_one_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, document: Tree, error: type[Exception]
) -> None:
    """If a document cannot be encoded or moved into place, the old one is kept, and no hidden draft is left."""
    drafts: list[Path] = []

    def refuse(draft: Path, path: Path) -> None:
        drafts.append(Path(draft))
        raise OSError("no")

    (tmp_path / "result.json").write_text("old")
    monkeypatch.setattr(os, "replace", refuse)

    with pytest.raises(error):
        write_document(tmp_path / "result.json", document)

    assert (tmp_path / "result.json").read_text() == "old"
    assert os.listdir(tmp_path) == ["result.json"]
    assert [(draft.parent, draft.name[0]) for draft in drafts] == [(tmp_path, ".")] * (error is OSError)
