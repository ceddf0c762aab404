"""`python -m render.sheet`: pictures to be looked at (16)."""

from __future__ import annotations

from PIL import Image

from locales import words
from render import sheet
from render.moments import lessons, played, shots


def test_a_sheet_holds_each_picture_whole_and_at_the_width_of_a_phone(tmp_path, capsys):
    asked = ["--languages", "en,he", "--games", "kamisado", "--most", "1", "--plies", "12", "--played", "1"]
    assert sheet.main([str(tmp_path), *asked]) == 0
    for language in ("en", "he"):
        whole = sorted((tmp_path / "kamisado" / language).glob("*.png"))
        small = sorted((tmp_path / "kamisado" / language / "400").glob("*.png"))
        assert [file.name for file in whole] == [file.name for file in small]
        kinds = {file.name.split("-")[1] for file in whole}
        assert {"board", "step", "prompt", "confirm", "since", "lesson"} <= kinds
        for one in small:
            with Image.open(one) as image:
                assert image.width == 400
        assert (tmp_path / "kamisado" / f"contact-{language}-1.png").exists()
    page = (tmp_path / "index.html").read_text("utf-8")
    assert page.count("<figure>") == 2 * len(whole)
    assert "0 with faults" in capsys.readouterr().out


def test_a_picture_that_is_too_heavy_is_named_and_fails_the_sheet(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sheet, "MOST_BYTES", 1_000)
    asked = ["--languages", "en", "--games", "kamisado", "--most", "1", "--plies", "2", "--played", "1"]
    assert sheet.main([str(tmp_path), *asked]) == 1
    assert " kB</i>" in (tmp_path / "index.html").read_text("utf-8")
    assert "0 with faults" not in capsys.readouterr().out


def test_the_same_moments_come_again():
    first, again = (
        [shot.name for shot in shots("rokumon", played("rokumon", 0, 15), words("en"))] for _ in "12"
    )
    assert first == again
    assert len({*first}) == len(first)


def test_every_page_of_the_rules_has_its_moment():
    assert len(list(lessons("shogun", words("en")))) > 5
