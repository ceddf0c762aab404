"""`python -m tests.looks FOLDER [--language he ...] [--scene frame ...]`: renders messages into a folder.

`--gallery` walks through everything that can be pressed and typed and renders every kind of message once, on
contact sheets, with a list of what is wrong at sight.

Each scene is played on a simulated Discord and photographed by Chromium, which has to be installed, at 1280
and 390 pixels. No test: it takes minutes, and a person has to look.
"""

from __future__ import annotations

import argparse
import asyncio
import io
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PIL import Image
from simcord.env import Env

from cogs.text.games import playable
from locales import LANGUAGES, words
from render import Picture
from render import Scene as Drawn
from tests.discord.conftest import World, buttons, last_board
from tests.discord.months import begun, delivered
from tests.looks.camera import Camera, camera
from tests.looks.galleries import exhibited, opened, simulated, speaking, told, walked
from tests.looks.gallery import Gallery
from tests.looks.sheets import form_sheets, sheets
from tests.messages import parts_of
from workers.drawing import HereStudio

WIDTHS = {1280: 5000, 390: 8000}  # pixels, and the height in which a scene has room
PANEL = 6  # presses of a panel that are shown
MOVES = 3  # before it
FORM = 1_000  # pixels: the height of a page with a form on it
ABOUT = 400  # pixels of the page around messages
SMALL = 360  # pixels: of pictures, which `python -m render.sheet` shows as they are
Scene = Callable[[World, str], Awaitable[list[tuple[str, Any, Any]]]]


class SmallStudio(HereStudio):
    """Draws as ever, and hands out less of it: a page of large pictures takes Chromium minutes."""

    def _draw(self, part: str, scene: Drawn) -> Picture | None:
        picture = super()._draw(part, scene)
        if picture is None:
            return None
        made, file = Image.open(io.BytesIO(picture.png)).convert("RGB"), io.BytesIO()
        made.thumbnail((SMALL, 3 * SMALL))
        made.save(file, "PNG")
        return replace(picture, png=file.getvalue())


async def frame(world: World, language: str) -> list[tuple[str, Any, Any]]:
    """What the bot says around its games."""
    ann, here = world.ann, world.channel
    for command in ("help", "play", "settings", "games"):
        await ann.slash(here, command)
    which = (await ann.slash(here, "play")).response
    assert which is not None
    await ann.click(which, custom_id="g:rokumon:ask")
    await ann.slash(here, "rules", game="kamisado")
    await ann.slash(here, "game new", game="shogun", options="seats=4")
    await world.ben.slash(here, "game join", table=1)
    await ann.slash(here, "game new", game="kamisado", opponent=world.ben.user, options="private=yes")
    await ann.slash(here, "game list")
    await ann.slash(here, "game info", table=1)
    await ann.slash(here, "profile", player=world.ben.user)
    await ann.slash(here, "move", move="d8-d3", table=99)
    return [("frame", here, ann)]


async def people(world: World, language: str) -> list[tuple[str, Any, Any]]:
    """What a table says about time and people; and calls by direct message."""
    ann, ben = world.ann, world.ben
    await ben.slash(world.channel, "settings", call="dm")
    thread = await world.start("match=standard seat=first clock=fast")
    await ann.slash(thread, "game more-time", time="2d")
    await ann.slash(thread, "game clock", clock="slow")
    await ann.slash(thread, "game pause")
    await ann.slash(thread, "game offer-draw")
    await ann.slash(thread, "game replace")
    await ann.slash(thread, "note", note="d8")
    offered = await ann.autocomplete(thread, "move", "move", "")
    await ann.slash(thread, "move", move=str(offered[0]["value"]))
    await ann.slash(thread, "game undo")
    await world.env.advance_time(4 * 24 * 3600)
    await delivered(world)
    return [("people", thread, ann), ("people-dm", ben.user.dm_channel, ben.user)]


def of_game(game: str) -> Scene:
    """A game's table: boards, the panel step by step, the hand, the replay, the end."""

    async def play(world: World, language: str) -> list[tuple[str, Any, Any]]:
        thread = await begun(world, game)
        for _ in range(MOVES):
            mover = await who_acts(world)
            offered = await mover.autocomplete(thread, "move", "move", "")
            if offered:
                await mover.slash(thread, "move", move=str(offered[0]["value"]))
        mover = await who_acts(world)
        board = last_board(thread)
        turn = next(one for one in buttons(board) if one.rpartition(":")[2].startswith("turn"))
        shown = (await mover.click(board, custom_id=turn)).response
        for _ in range(PANEL):
            shown = await pressed_on(mover, shown)
            if shown is None:
                break
        for command in ("hand", "board", "game replay"):
            await mover.slash(thread, command)
        asked = (await mover.slash(thread, "game resign")).response
        resign = next((one for one in buttons(asked) if one.endswith("resign")), None)
        if resign is not None:
            await mover.click(asked, custom_id=resign)
        await delivered(world)
        return [(game, thread, mover)]

    return play


async def who_acts(world: World) -> Any:
    """The first who has to act."""
    table = await world.bot.tables.get(1)
    users = {table.seats[seat].user_id for seat in table.to_act}
    return next(member for member in (world.ann, world.ben, world.cho) if member.id in users)


async def pressed_on(mover: Any, shown: Any) -> Any:
    """The panel after its first choice; None where there is nothing more to choose, or it would be done."""
    for part in parts_of(shown):
        custom_id = str(part.get("custom_id", ""))
        kind = custom_id.rpartition(":")[2]
        if part["type"] == 3 and part.get("options"):
            values = [option["value"] for option in part["options"][: part.get("min_values") or 1]]
            return (await mover.select(shown, values, custom_id=custom_id)).response or shown
        if part["type"] == 2 and kind.startswith("p") and kind[1:2].isdigit() and not part.get("disabled"):
            return (await mover.click(shown, custom_id=custom_id)).response or shown
    return None


SCENES: dict[str, Scene] = {"frame": frame, "people": people, **{game: of_game(game) for game in playable()}}


async def played(camera: Camera, scene: str, language: str, folder: Path) -> None:
    """One scene in one language, from an empty server."""
    async with simulated(SmallStudio()) as world:
        await speaking(world, language, (world.ann, world.ben, world.cho))
        for name, channel, viewer in await SCENES[scene](world, language):
            for width in WIDTHS:
                file = folder / f"{name}-{language}-{width}.png"
                await taken(camera, world.env, channel, viewer, file, width)


async def taken(
    camera: Camera,
    env: Env,
    channel: Any,
    viewer: Any,
    file: Path,
    width: int,
    height: int | None = None,
    form: Any = None,
) -> None:
    """A channel as one of its people sees it, below a form.

    Where Chromium comes to no end there is a line that says so: the others may still be looked at.
    """
    height = height or WIDTHS[width]
    page = env.preview(
        channel, viewers=[viewer], layout="channel", display="fixed", width=width, height=height
    )
    try:
        async with page:
            if form is not None:
                await page.show(form)
            await camera.photograph(page.url, file, max(width, 500) + 40, height + 200)
    except TimeoutError:
        print(f"{file}: Chromium took too long")
    else:
        print(file)


async def gallery(camera: Camera, language: str, folder: Path) -> None:
    """Every kind of message in one language, on contact sheets."""
    seen = await walked(language)
    (folder / f"gallery-{language}.txt").write_text(told(seen), "utf-8")
    for width in WIDTHS:
        files = await exhibition(camera, seen, f"{language}-{width}", width, folder)
        for number, sheet in enumerate(sheets(files, width)):
            sheet.save(folder / f"sheet-{language}-{width}-{number:02}.png")
        files = await open_forms(camera, seen, f"{language}-{width}", width, folder)
        for number, sheet in enumerate(form_sheets(files, width)):
            sheet.save(folder / f"forms-{language}-{width}-{number:02}.png")


async def exhibition(camera: Camera, seen: Gallery, name: str, width: int, folder: Path) -> list[Path]:
    """The photographs of a gallery's pages that were made."""
    made: list[Path] = []

    async def photograph(world: World, channel: Any, number: int, tall: int) -> None:
        made.append(folder / f"gallery-{name}-{number:02}.png")
        await taken(camera, world.env, channel, world.ann, made[-1], width, tall + ABOUT)

    await exhibited(seen.fewest(), width, photograph)
    return [file for file in made if file.exists()]


async def open_forms(camera: Camera, seen: Gallery, name: str, width: int, folder: Path) -> list[Path]:
    """The photographs of a gallery's forms that were made."""
    made: list[Path] = []

    async def photograph(world: World, shown: Any, number: int) -> None:
        made.append(folder / f"form-{name}-{number:02}.png")
        await taken(camera, world.env, world.channel, world.ann, made[-1], width, FORM, shown)

    await opened(seen.forms.values(), photograph)
    return [file for file in made if file.exists()]


async def main(
    folder: Path, languages: Sequence[str], scenes: Sequence[str], *, galleries: bool = False
) -> None:
    """All of them, one after another."""
    async with camera() as one:
        for language in languages if galleries else ():
            await gallery(one, language, folder)
        for scene in scenes:
            for language in languages:
                assert words(language).locale == language
                await played(one, scene, language, folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.looks", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--language", nargs="+", default=list(LANGUAGES), choices=list(LANGUAGES))
    parser.add_argument("--scene", nargs="+", choices=list(SCENES))
    parser.add_argument("--gallery", action="store_true")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    scenes = chosen.scene if chosen.scene is not None else [] if chosen.gallery else list(SCENES)
    asyncio.run(main(chosen.folder, chosen.language, scenes, galleries=chosen.gallery))
