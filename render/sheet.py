"""`python -m render.sheet FOLDER`: every kind of picture in every stage of a game and language.

Each picture is written whole and at the width of a phone; a contact sheet a game and language and an
`index.html` show them together, with what is too heavy, too tall or told at too great length.
"""

from __future__ import annotations

import argparse
import html
import io
import sys
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw

from engines.registry import GAMES
from locales import LANGUAGES, words
from render import drawing
from render.moments import Ply, Shot, lessons, limited, played, shots
from render.scene import Picture
from render.text import font
from render.theme import MOST_BYTES, TALLEST

PHONE = 400  # pixels
THUMB, COLUMNS, ROWS, ROOM = 216, 6, 5, 26
MOST_ALT = 1_000
LABELS = "noto-sans-quiet"
GAMES_PLAYED, MOST_PLIES = 2, 400


class Drawn(NamedTuple):
    """A picture that was written, and what is wrong with it."""

    shot: Shot
    file: str
    picture: Picture
    faults: tuple[str, ...]


def faults_of(picture: Picture) -> tuple[str, ...]:
    """What breaks a rule that can be measured."""
    with Image.open(io.BytesIO(picture.png)) as image:
        tall = image.height > TALLEST
    wrong = {
        f"{len(picture.png) // 1000} kB": len(picture.png) > MOST_BYTES,
        "too tall": tall,
        f"alt text of {len(picture.alt)}": len(picture.alt) >= MOST_ALT,
    }
    return tuple(name for name, is_wrong in wrong.items() if is_wrong)


def write(folder: Path, path: str, picture: Picture) -> None:
    """The picture whole, and small beside it."""
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(picture.png)
    small = folder / small_of(path)
    small.parent.mkdir(parents=True, exist_ok=True)
    with Image.open(io.BytesIO(picture.png)) as image:
        height = round(image.height * PHONE / image.width)
        image.convert("RGB").resize((PHONE, height), Image.Resampling.LANCZOS).save(small)


def small_of(path: str) -> str:
    """Where the small picture lies."""
    before, _, name = path.rpartition("/")
    return f"{before}/{PHONE}/{name}"


def draw(folder: Path, game: str, language: str, taken: Iterable[Shot]) -> list[Drawn]:
    """Draws and writes shots; parts that a scene has not are left out."""
    made = list[Drawn]()
    for number, shot in enumerate(taken, 1):
        picture = drawing(shot.part)(shot.scene)
        if picture is None:
            continue
        path = f"{game}/{language}/{number:03}-{shot.name}.png"
        write(folder, path, picture)
        made.append(Drawn(shot, path, picture, faults_of(picture)))
    return made


def contact(folder: Path, game: str, language: str, made: Sequence[Drawn]) -> None:
    """All pictures of a game in one language, small, with their names: so many on a sheet."""
    for page, start in enumerate(range(0, len(made), COLUMNS * ROWS), 1):
        sheet_of(folder, made[start : start + COLUMNS * ROWS]).save(
            folder / game / f"contact-{language}-{page}.png"
        )


def sheet_of(folder: Path, made: Sequence[Drawn]) -> Image.Image:
    """One sheet; the names of pictures with faults are red."""
    thumbs = list[Image.Image]()
    for one in made:
        with Image.open(folder / small_of(one.file)) as image:
            thumbs.append(image.resize((THUMB, round(image.height * THUMB / image.width))))
    rows = [range(start, min(start + COLUMNS, len(made))) for start in range(0, len(made), COLUMNS)]
    heights = [max(thumbs[place].height for place in row) + ROOM for row in rows]
    sheet = Image.new("RGB", (COLUMNS * (THUMB + 8), max(1, sum(heights))), "#202020")
    pen, top = ImageDraw.Draw(sheet), 0
    for row, height in zip(rows, heights, strict=True):
        for column, place in enumerate(row):
            left = column * (THUMB + 8) + 4
            sheet.paste(thumbs[place], (left, top + ROOM - 4))
            name = made[place].shot.name[:34]
            pen.text((left, top + 2), name, "#ff7070" if made[place].faults else "#e0e0e0", font(LABELS, 14))
        top += height
    return sheet


def index(folder: Path, made: Sequence[Drawn]) -> None:
    """A page of all pictures at the width of a phone, with weight, alt text and faults."""
    lines = ["<!doctype html><meta charset=utf-8><title>Pictures</title>", STYLE]
    for one in made:
        told = "; ".join(one.faults)
        head = f"{one.file} · {len(one.picture.png) // 1000} kB"
        lines.append(
            f"<figure><a href='{one.file}'><img loading=lazy width={PHONE} src='{small_of(one.file)}'></a>"
            f"<figcaption><b>{html.escape(head)}</b> <i>{html.escape(told)}</i>"
            f"<br>{html.escape(one.picture.alt)}</figcaption></figure>"
        )
    (folder / "index.html").write_text("\n".join(lines), "utf-8")


def main(given: Sequence[str]) -> int:
    """Draws what is asked for; 1 where a picture breaks a rule that can be measured."""
    asks = argparse.ArgumentParser(prog="python -m render.sheet", description=__doc__)
    asks.add_argument("folder", type=Path)
    asks.add_argument("--languages", default=",".join(LANGUAGES), help="such as en,ja")
    asks.add_argument("--games", default=",".join(GAMES), help="such as shogun,rokumon")
    asks.add_argument("--most", type=int, help="pictures of each kind, of a game and a language")
    asks.add_argument("--plies", type=int, default=MOST_PLIES, help="actions that a game is played for")
    asks.add_argument("--played", type=int, default=GAMES_PLAYED, help="games that are played of each")
    asked = asks.parse_args(given)
    made = list[Drawn]()
    for game in asked.games.split(","):
        games = [played(game, number, asked.plies) for number in range(asked.played)]
        for language in asked.languages.split(","):
            found = draw(asked.folder, game, language, limited(all_of(game, games, language), asked.most))
            contact(asked.folder, game, language, found)
            made += found
            bad = sum(bool(one.faults) for one in found)
            sys.stdout.write(f"{game} {language}: {len(found)} pictures, {bad} with faults\n")
    index(asked.folder, made)
    return int(any(one.faults for one in made))


def all_of(game: str, games: Sequence[Sequence[Ply]], language: str) -> Iterable[Shot]:
    """Every shot of the games that were played, and of the rules pages."""
    spoken = words(language)
    return chain(*(shots(game, plies, spoken) for plies in games), lessons(game, spoken))


STYLE = (
    "<style>body{background:#202020;color:#e0e0e0;font:14px sans-serif}figure{display:inline-block;"
    f"width:{PHONE}px;margin:8px;vertical-align:top}}i{{color:#ff7070}}a{{color:inherit}}</style>"
)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
