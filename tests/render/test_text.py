"""Lines of words in every script that a name may have."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from struct import unpack_from

import pytest
from PIL import Image, ImageDraw

from render import text
from render.shogun.wrap import pieces, wrapped
from render.text import ELLIPSIS, fit, has, ordered, runs, showable, width, write, write_centred
from render.theme import LEAST_SIZE, Type

WORDS = Type("words", 30)


def test_a_line_that_fits_is_left_alone():
    assert fit("Mariko", WORDS, 400) == ("Mariko", WORDS)


def test_a_long_line_shrinks_then_is_set_narrow_then_is_cut():
    line = "Wolfeschlegelsteinhausen"
    full = width(line, WORDS)
    shrunk, style = fit(line, WORDS, full * 0.9)
    assert (shrunk, style.cut) == (line, "words")
    assert LEAST_SIZE <= style.size < 30
    narrow, style = fit(line, WORDS, full * 0.8)
    assert (narrow, style.cut) == (line, "narrow")
    cut, style = fit(line, WORDS, full * 0.4)
    assert cut.endswith(ELLIPSIS)
    assert style == Type("narrow", LEAST_SIZE)
    assert width(cut, style) <= full * 0.4


@pytest.mark.parametrize("room", [0, 5, 40, 200])
def test_nothing_is_ever_wider_than_its_room_or_smaller_than_allowed(room):
    line, style = fit("Hosszú név, nagyon-nagyon hosszú", WORDS, room)
    assert style.size >= LEAST_SIZE
    assert width(line, style) <= room or line == ELLIPSIS


@pytest.mark.parametrize(
    "name",
    [
        "Őrült Írnok Ű",
        "Ольга",
        "Γιώργος",
        "Nguyễn",
        "מריקו",
        "まりこ",
        "真田幸村",
        "カナ",
        "田中 太郎",
        "Ann　花子",
        "髙﨑 齋藤 邊 鷗 𠮷",  # JIS level 2, and names' own (13.C22)
        "ｶﾅ",
    ],
)
@pytest.mark.parametrize("cut", ["words", "quiet", "narrow", "map"])
def test_every_script_has_its_letters(name, cut):
    assert "".join(piece for _, piece in runs(name, cut)) == name
    for file, piece in runs(name, cut):
        assert all(has(file, letter) for letter in piece)


def test_what_no_font_can_show_is_left_out():
    assert showable("🐉 Bence 🐉") == "Bence"
    assert showable("🐉") == ""
    assert showable("a\u200fb\x07c\ufe0f") in {"abc", "a\u200fbc"}


@pytest.mark.parametrize("sign", ["→", "←", "↑", "⇒", "①", "⑫", "❶"])
def test_arrows_and_circled_figures_do_not_come_from_a_font(sign):
    assert showable(sign) == ""


def test_hebrew_runs_from_right_to_left():
    def ink(line):
        image = Image.new("L", (200, 60))
        write(image, 10, 40, line, WORDS, "white")
        return image.tobytes()

    assert ink("אב") != ink("בא")
    mixed = runs("דן Dan", "words")
    assert len(mixed) == 1  # one shaping run orders the whole line


def test_anchors_put_a_line_left_of_its_point_right_of_it_or_in_the_middle():
    image = Image.new("L", (300, 60))
    length = width("Act 4", WORDS)
    assert write(image, 150, 40, "Act 4", WORDS, "white")[1] == pytest.approx(150 + length)
    assert write(image, 150, 40, "Act 4", WORDS, "white", "r")[1] == pytest.approx(150)
    assert write(image, 150, 40, "Act 4", WORDS, "white", "m")[0] == pytest.approx(150 - length / 2)


@pytest.mark.parametrize("figure", ["1", "4", "7", "14", "+1"])
def test_a_figure_is_centred_by_its_own_box(figure):
    image = Image.new("L", (120, 120))
    write_centred(image, 60, 60, figure, Type("words", 54), "white")
    left, top, right, bottom = image.point(lambda v: 255 * (v > 100)).getbbox() or (0, 0, 0, 0)
    assert abs((left + right) / 2 - 60) <= 1.5
    assert abs((top + bottom) / 2 - 60) <= 1.5


def test_a_halo_is_the_colour_of_its_ground():
    plain, halo = Image.new("RGB", (200, 60), "#00FF00"), Image.new("RGB", (200, 60), "#00FF00")
    write(plain, 20, 40, "Kai", WORDS, "#000000")
    write(halo, 20, 40, "Kai", WORDS, "#000000", halo="#FF0000")
    count = {colour: n for n, colour in (halo.getcolors(1 << 16) or [])}
    assert count[255, 0, 0] > 100
    assert (255, 0, 0) not in {colour for _, colour in (plain.getcolors(1 << 16) or [])}


def test_fonts_and_their_licences_are_there():
    for files in text.FILES.values():
        for file in files:
            assert (text.FONTS / f"{file}.ttf").exists()
    licences = sorted(path.name for path in text.FONTS.glob("OFL-*.txt"))
    assert len(licences) == 4
    assert all("SIL OPEN FONT LICENSE" in (text.FONTS / name).read_text("utf-8").upper() for name in licences)
    assert sum(path.stat().st_size for path in text.FONTS.glob("*.ttf")) < 3_600_000


EDGES = [n / 128 for n in (0, 1, 47, 63, 64, 65, 66, 127)]  # where a letter's place changes, and beside it


@pytest.mark.parametrize("at", [(20.37, 40.5), (19.99, 39.25), *((20 + e, 40 + e) for e in EDGES)])
@pytest.mark.parametrize("piece", ["Sagami", "jÁÿ", " ", "12", "8", "勝利", "לבן"])
@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_words_from_the_cache_are_the_pixels_that_pillow_draws(at, piece, mode):
    ours, theirs = Image.new(mode, (160, 70), "navy"), Image.new(mode, (160, 70), "navy")
    for _ in range(2):  # the second time from the cache
        text.put(ours, at[0], at[1], ("noto-sans-words", 30, piece), "#F7F0E1")
        ImageDraw.Draw(theirs).text(at, piece, "#F7F0E1", text.font("noto-sans-words", 30), anchor="ls")
    assert ours.tobytes() == theirs.tobytes()


def test_a_figure_is_drawn_once_wherever_it_is_put():
    text.stencil.cache_clear()
    image = Image.new("L", (200, 60))
    for step in range(16):
        write_centred(image, 40 + step / 16, 30 + step / 7, "7", WORDS, "white")
        write(image, 40, 30 + step / 7, "Sagami", WORDS, "white")
    assert text.stencil.cache_info().misses == 2


def test_the_cache_of_words_is_bounded_and_several_threads_may_draw():
    most = text.stencil.cache_info().maxsize

    def draw(first):
        image = Image.new("L", (200, 60))
        for number in range(first, first + most):
            write(image, 10, 40, str(number), WORDS, "white")
        return image.tobytes()

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(draw, (0, 100, 0, 100)))
    assert together == [draw(0), draw(100)] * 2
    assert text.stencil.cache_info().currsize == most


SENTENCES = [
    "Mariko attacks Kyoto with four armies and conquers it, and two of her armies are lost in the tower.",
    "Mariko négy sereggel támadja Kiotót és beveszi, de két serege elvész a toronyban az őszi csatában.",
    "\u2068מריקו\u2069 תוקפת את קיוטו בארבעה צבאות וכובשת אותה, שני צבאות נשארים במגדל עד סוף השנה.",
    "\u2068花子\u2069は四つの軍で京都を攻めて、占領しました。二つの軍が塔に残っています。次の季節に続きます。",
]


@pytest.mark.parametrize("text_", SENTENCES)
def test_sentences_break_where_the_whole_line_would_not_fit_and_few_are_measured_whole(text_, monkeypatch):
    measured = list[str]()

    def noted(line: str, style: Type) -> float:
        measured.append(line)
        return width(line, style)

    monkeypatch.setattr(text, "width", noted)
    alone = {part for piece in pieces(text_) for part in (piece, piece.rstrip())}
    for room in range(150, 900, 7):
        measured.clear()
        lines = wrapped(text_, WORDS, room)
        assert sum(line not in alone for line in measured) <= 3 * len(lines)
        assert all(width(line, WORDS) <= room for line in lines)
        for line, after in pairwise(lines):
            more = pieces(after)[0].rstrip()
            joined = f"{line} {more}" if f"{line} {more}" in text_ else line + more
            assert width(joined, WORDS) > room


def test_marks_of_direction_are_not_seen():
    assert width("\u200f\u2068d8\u2069\u2066+1\u2069", WORDS) == width("d8+1", WORDS)
    assert len(runs("まり\u2069こ", "words")) == 1


def test_runs_stand_from_right_to_left_where_the_line_does():
    line = "\u2068まりこ\u2069: מגדל"
    assert ordered(line, "words") == runs(line, "words")[::-1]
    assert ordered("Bence: まりこ מגדל", "words") == runs("Bence: まりこ מגדל", "words")


def test_what_says_a_direction_stays_with_its_line():
    line = "דן \u2066+3\u2069 אב"
    assert "".join(piece for _, piece in runs(line, "words")) == line
    assert "".join(piece for _, piece in runs("\u2066-7\u2069", "quiet")) == "\u2066-7\u2069"


@pytest.mark.parametrize("file", sorted({file for files in text.FILES.values() for file in files}))
def test_no_letter_is_said_to_overlap_itself(file):
    """FreeType draws such a letter at four times its size: a sentence took three times as long."""
    font = (text.FONTS / f"{file}.ttf").read_bytes()
    tables = {font[at : at + 4]: unpack_from(">2I", font, at + 8) for at in range(12, 12 + 16 * font[5], 16)}
    long = unpack_from(">h", font, tables[b"head"][0] + 50)[0]
    (start, size), (glyphs, _) = tables[b"loca"], tables[b"glyf"]
    places = unpack_from(f">{size // (4 if long else 2)}{'I' if long else 'H'}", font, start)
    seen = 0
    for begin, end in pairwise(places):
        at = glyphs + begin * (1 if long else 2)
        shapes = unpack_from(">h", font, at)[0]
        if begin == end or not shapes:
            continue
        if shapes > 0:
            at += 10 + 2 * shapes
            assert not font[at + 2 + unpack_from(">H", font, at)[0]] & 0x40
        else:
            assert not unpack_from(">H", font, at + 10)[0] & 0x400
        seen += 1
    assert seen > 200
