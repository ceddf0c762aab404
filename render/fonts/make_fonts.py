"""Make the fonts beside this file from unpacked npm packages.

Needs fonttools, brotli and skia-pathops; the bot does not.

See README.md for how to run it. Static instances are cut from the variable fonts (they open faster and,
unlike a variable font object, have no state that threads could disturb) and merged over the scripts that
names are written in. Their letters are of shapes that do not overlap: FreeType draws letters that may overlap
at four times the size and reduces them, which takes three times as long.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from unicodedata import category

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.removeOverlaps import removeOverlaps
from fontTools.ttLib.tables._g_l_y_f import OVERLAP_COMPOUND, flagOverlapSimple
from fontTools.varLib.instancer import instantiateVariableFont

HERE = Path(__file__).parent
SCRIPTS = ("latin", "latin-ext", "vietnamese", "cyrillic", "cyrillic-ext", "greek")

CUTS = {  # name of the file: (weight, width) of the design space
    "words": (700, 92),
    "quiet": (550, 92),
    "narrow": (700, 74),
    "map": (620, 74),
}

BESIDES = " ～𠮷鷗" + "".join(map(chr, range(0xFF61, 0xFFA0)))  # beyond JIS: blank, half-width kana

NOT_FROM_FONTS = (  # arrows, circled figures: drawn by us, so that no text can depend on a font having them
    set(range(0x2190, 0x2200)) | set(range(0x2460, 0x2500)) | set(range(0x2776, 0x2794))
)

SEALS = (  # kanji of crests and seals
    "〇一二三四五六七八九十百千万大吉小中上下左右東西南北天地人年月日春夏秋冬朝夜"
    "山川田石木林森火水風雷土金銀銅米塩茶酒馬牛鳥虎龍竜鬼神仏寺社城宮門橋道路国州郡村町港海島"
    "武士将軍兵侍忍者弓矢刀剣槍鉄砲盾旗陣軍戦勝負敗乱和平忠義勇名誉仁礼智信孝愛"
    "真田六文銭徳川家康秀吉豊臣羽柴石三成毛利輝元上杉景謙信武田玄織田信長伊達政宗前島津"
    "小早川宇喜多兒児黒白加藤福島井伊本多細浅野池森直榊原立花長宗我部最蒲生結城"
    "関ヶ原大坂江戸京都尾張三河美濃近信濃甲斐越後越中加賀能登若狭丹波播磨備前備中安芸周防"
    "令書印札箱税収穫建築植市場移動攻撃守備援軍神風雪雨晴一揆飢饉平安新古前後先終始引分番"
)


def main(packages: Path) -> None:
    """Write every font from the npm packages unpacked below `packages`, one folder each."""
    for name, (weight, width) in CUTS.items():
        wanted = {"wght": weight, "wdth": width}
        files = [packages / f"noto-sans/files/noto-sans-{s}-standard-normal.woff2" for s in SCRIPTS]
        files.append(packages / "noto-sans-hebrew/files/noto-sans-hebrew-hebrew-standard-normal.woff2")
        write(merged(cut(file, wanted) for file in files), f"noto-sans-{name}.ttf")
    wanted_kanji = {*common_japanese(), *map(ord, BESIDES)}
    japanese = pieces(packages / "noto-sans-jp/files", "noto-sans-jp", 700, wanted_kanji)
    write(merged(japanese), "noto-sans-jp-words.ttf")
    kanji = pieces(packages / "shippori-mincho/files", "shippori-mincho", 800, {ord(c) for c in SEALS})
    write(merged(kanji), "shippori-mincho-seals.ttf")
    for package in ("noto-sans", "noto-sans-hebrew", "noto-sans-jp", "shippori-mincho"):
        text = (packages / package / "LICENSE").read_text(encoding="utf-8")
        (HERE / f"OFL-{package}.txt").write_text(text, encoding="utf-8")


def cut(path: Path, place: dict[str, int]) -> TTFont:
    """A static instance of a variable font, without arrows and circled figures, no shape over another."""
    font = TTFont(path)
    instance = instantiateVariableFont(font, {axis: v for axis, v in place.items() if axis in axes(font)})
    found = subset(instance, set(instance.getBestCmap()) - NOT_FROM_FONTS, layout=True)
    apart(found)
    return found


def apart(font: TTFont) -> None:
    """Join the shapes of a letter that overlap, and say of no letter that they may."""
    removeOverlaps(font)
    glyphs = font["glyf"]
    for glyph in map(glyphs.__getitem__, glyphs.keys()):
        if glyph.isComposite():
            for component in glyph.components:
                component.flags &= ~OVERLAP_COMPOUND
        elif glyph.numberOfContours:
            glyph.flags[0] &= ~flagOverlapSimple


def axes(font: TTFont) -> set[str]:
    """The tags of a variable font's axes."""
    return {axis.axisTag for axis in font["fvar"].axes}


def pieces(folder: Path, name: str, weight: int, wanted: set[int]) -> Iterator[TTFont]:
    """The subsets of a big font that hold any of the wanted characters, each reduced to them."""
    missing = set(wanted)
    for path in sorted(folder.glob(f"{name}-[0-9]*-{weight}-normal.woff2")):
        font = TTFont(path)
        here = missing & set(font.getBestCmap())
        if here:
            missing -= here
            yield subset(font, here, layout=False)
    sys.stdout.write(f"{name}: {len(missing)} characters not there\n")


def subset(font: TTFont, characters: set[int], *, layout: bool) -> TTFont:
    """The font reduced to these characters, without hinting and vertical metrics."""
    options = Options()
    options.hinting = False
    options.layout_features = ["*"] if layout else []
    options.drop_tables += ["vhea", "vmtx", "VORG", "BASE", "STAT", "MVAR", "DSIG", "gasp", "meta"]
    options.drop_tables += [] if layout else ["GSUB", "GPOS", "GDEF"]
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.notdef_outline = True
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    font.flavor = None
    return font


def merged(fonts: Iterable[TTFont]) -> TTFont:
    """One font of several with the same measures."""
    with TemporaryDirectory() as folder:
        files = []
        for number, font in enumerate(fonts):
            files.append(str(Path(folder) / f"{number:03}.ttf"))
            font.save(files[-1])
        return Merger().merge(files)


def common_japanese() -> Iterator[int]:
    """Kana, punctuation, full-width forms and the 6,355 kanji of JIS levels 1 and 2."""
    for row in (1, 3, 4, 5, *range(16, 85)):
        for cell in range(1, 95):
            try:
                character = bytes((0xA0 + row, 0xA0 + cell)).decode("euc_jp")
            except UnicodeDecodeError:
                continue
            if ord(character) not in NOT_FROM_FONTS:
                yield ord(character)
    yield from names_kanji()


def names_kanji() -> Iterator[int]:
    """The 360 kanji that Windows has beside JIS, most of them from people's names (髙, 﨑, 德)."""
    for row in (0xFA, 0xFB, 0xFC):
        for cell in range(0x40, 0xFD):
            character = bytes((row, cell)).decode("cp932", errors="ignore")
            if len(character) == 1 and category(character) == "Lo":
                yield ord(character)


def write(font: TTFont, name: str) -> None:
    """Save without the time of making, so that the same input gives the same file."""
    font.recalcTimestamp = False
    font["head"].created = font["head"].modified = 0
    font.save(HERE / name)
    sys.stdout.write(f"{name}: {(HERE / name).stat().st_size} bytes, {len(font.getBestCmap())} characters\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
