"""The Japanese of every catalogue by its guide, `docs/words.md` (15.4)."""

import re
import unicodedata
from collections.abc import Callable

import pytest

from render.text import drawable
from tests.locales.catalogue import read
from tests.locales.test_style import RELATIVE, is_button

JAPANESE = read("ja")
TEXTS = [(key, text) for key, texts in JAPANESE.items() for text in texts]

KANA_OR_KANJI = r"[\u3041-\u30ff\u4e00-\u9fff々]"
MOST_ON_A_BUTTON = 20  # half-width: ten characters of Japanese

# Parameters that count things; what follows has to be a counter.
COUNTS = {
    "armies", "attackers", "bag", "blocks", "cards", "chests", "count", "cubes", "days", "defenders",
    "due", "extra_farmers", "farmers", "games", "handed", "have", "inside", "least", "left", "lobbies",
    "most", "n", "own", "placed", "provinces", "resigned", "running", "server", "supply",
    "theirs", "unfed", "won",
}  # fmt: skip
COUNTERS = (
    "部隊", "か国", "か所", "文字", "ページ", "スタック", "シャード", "時間", "番", "個", "枚", "人", "点",
    "箱", "卓", "席", "戦", "手", "件", "歩", "回", "通り", "日", "分", "秒", "勝", "本", "マス",
)  # fmt: skip
# Where a number counts nothing: an index, a score, a time in words, a measure, a number in a picture.
NO_COUNTS = {
    "button.all", "button.done", "error.bad-limit", "error.record-too-big", "info.clock", "info.clock-runs",
    "panel.pick", "panel.pick-exactly", "panel.pick-up-to",
    "kamisado.picture.fill", "rokumon.picture.battle", "sekigahara.choice.bid", "shogun.picture.threw",
    "sekigahara.about.deploy-best", "sekigahara.about.deploy-by", "sekigahara.about.deploy-free",
    "sekigahara.about.deploy-pair",
    "sekigahara.about.deploy-led", "sekigahara.about.deploy-one", "sekigahara.about.deploy-two",
    "shogun.count.left", "shogun.foresight.rice", "shogun.sheet.chest-card",
}  # fmt: skip
UNITLESS = r"(?:[+/−:]|米|不満|打撃力|打撃力は)\Z"  # before a number: a bonus, a share, a measure

POLITE = re.compile(r"(?:です|ます|ました|ません|でした|ましょう|ください)")
PARTICLES = "から|まで|より|には|に|を|は|が|の|へ|で"


def shown(text: str) -> str:
    """A message without its parameters and typed words."""
    return re.sub(r"`[^`]*`", "", re.sub(r"\{[^{}]*\}", "", text))


def uncounted(key: str, text: str) -> list[str]:
    """Numbers without a counter."""
    found, bare = [], re.sub(r"`[^`]*`", "", text)
    for match in re.finditer(r"\{(\w+)\}", bare):
        name = match[1]
        before, after = bare[: match.start()], bare[match.end() :]
        if name not in COUNTS or re.search(UNITLESS, before):
            continue
        if after.startswith(("/", "〜", "%", ":")):
            continue
        if not after.startswith(COUNTERS):
            found.append(name)
    return found


def half_width(_key: str, text: str) -> list[str]:
    """Half-width punctuation beside Japanese."""
    return re.findall(rf"{KANA_OR_KANJI}[,;:?!()]|[,;?!()]{KANA_OR_KANJI}", shown(text))


def plain(_key: str, text: str) -> list[str]:
    """A sentence that ends in the plain style."""
    ends = r"(?:だ|である|った|した|ない)。\Z"
    return [s for s in re.findall(r"[^。\n]*。", shown(text)) if re.search(ends, s) and not POLITE.search(s)]


def straight(_key: str, text: str) -> list[str]:
    """Quotes of another language."""
    return re.findall(r"[\"“”„]|(?<!\w)'|'(?!\w)", re.sub(r"`[^`]*`", "", text))


def dots(_key: str, text: str) -> list[str]:
    """Three full stops in place of an ellipsis."""
    return re.findall(r"\.\.\.|。。+|・・・", text)


def wide(text: str) -> int:
    """Half-width columns."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WFA" else 1 for sign in text)


def too_long(key: str, text: str) -> list[str]:
    """A button that does not fit a phone."""
    if not is_button(key):
        return []
    counted = text.replace("{n}", "12")
    return [text] if "{" not in counted and wide(counted) > MOST_ON_A_BUTTON else []


def particle(key: str, text: str) -> list[str]:
    """A particle behind "in 2 days", "2 days ago"."""
    name = RELATIVE.get(key)
    return re.findall(rf"\{{{name}\}}(?:{PARTICLES})", text) if name else []


def honorific(_key: str, text: str) -> list[str]:
    """Names stand without san."""
    return re.findall(r"\}さん|:who\}様", text)


def tilde(_key: str, text: str) -> list[str]:
    """A range has 〜, not the full-width ～ that looks alike."""
    return re.findall(r"\d～|～\d|\}～", text)


def another_name(key: str, text: str) -> list[str]:
    """A second name for a game, a record, an overrun, a Fight or a movement; a number in letters."""
    names = "対局|棋譜|蹂躙|[一二三四]つ|の移動$" + ("|戦闘" if key.startswith("rokumon.") else "")
    return re.findall(names, shown(text))


def typed_name(key: str, text: str) -> list[str]:
    """A command by another name than the one that every text calls it by."""
    return re.findall(r"[^a-z-]", text) if re.fullmatch(r"(?:command|option)\..*\.name", key) else []


def set_apart(_key: str, text: str) -> list[str]:
    """A blank between a command and the Japanese behind it."""
    return re.findall(rf"/[a-z][a-z-]*`? {KANA_OR_KANJI}", text)


Check = Callable[[str, str], list[str]]
CHECKS: dict[Check, tuple[str, str, str]] = {  # key and text that it must catch, text that it must let pass
    uncounted: ("shogun.event.bid", "{chests}を払いました。", "{chests}箱を払いました。"),
    half_width: ("answer.kept", "何も変わりません,続きます。", "何も変わりません、続きます。"),
    plain: ("shogun.told.held", "国を守った。", "国を守りました。"),
    straight: ("answer.kept", 'これは"城"です。', "これは「城」です。"),
    dots: ("panel.pick", "選択...", "選択…"),
    too_long: ("button.yes", "直前のアクションを取り消す", "取り消す"),
    particle: ("answer.later", "{until}に知らせます。", "次のお知らせ：{until}"),
    honorific: ("line.away", "{seat:who}さんは休暇中です。", "{seat:who}は休暇中です。"),
    another_name: ("rokumon.why.fights", "{at}での戦闘です。", "{at}での攻撃です。"),
    typed_name: ("command.play.name", "遊ぶ", "play"),
    set_apart: ("form.action-how", "/move と同じです。", "/moveと同じです。"),
    tilde: ("shogun.plan.bids-province", "1～4の後", "1〜4の後"),
}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_no_japanese_message_has_the_fault(check):
    excused = NO_COUNTS if check is uncounted else set()
    assert {key: found for key, text in TEXTS if (found := check(key, text)) and key not in excused} == {}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_fault_is_found_where_it_is(check):
    key, faulty, good = CHECKS[check]
    assert check(key, faulty) != []
    assert check(key, good) == []


def test_the_relative_times_are_in_the_catalogue():
    """A renamed message would make the check of particles look at nothing."""
    assert all(f"{{{name}}}" in JAPANESE[key][0] for key, name in RELATIVE.items())


def test_nothing_is_excused_that_needs_no_excuse():
    assert {key for key in NO_COUNTS if not uncounted(key, JAPANESE[key][0])} == set()


def test_every_sign_of_a_picture_has_a_glyph():
    """The arrow → has none."""
    drawn = re.compile(r"\.(?:picture|sheet|score|hand|term)\.")
    signs = {sign for key, text in TEXTS if drawn.search(key) for sign in shown(text) if not sign.isspace()}
    assert len(signs) > 300
    assert {sign for sign in signs if not drawable(sign)} == set()
    assert not drawable("→")


def test_stars_close_where_every_reader_of_markdown_sees_them():  # 17: on photographs they stood as stars
    wrong = []
    for key, text in TEXTS:
        parts = text.split("**")
        for bold, after in zip(parts[1::2], parts[2::2], strict=False):
            if bold and after and bold[-1] in "。？！" and not re.match(r"[\s.,。、]", after):
                wrong.append(key)
    assert not wrong
