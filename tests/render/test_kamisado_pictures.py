"""Kamisado's pictures and words: what they show, what they weigh, that nothing covers what must be seen."""

import io
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from engines.kamisado.data import COLOR_OF, SQUARES
from engines.kamisado.foresight import answer_to
from engines.kamisado.model import Tower
from locales import LANGUAGES, Words, words
from render import changes, marks, painter
from render.colour import rgb
from render.kamisado import board as drawing
from render.kamisado import pieces
from render.kamisado.pieces import piece
from render.kamisado.words import at_the_end, now_line, previewed, title, under_line
from render.theme import GOLD, KAMISADO, NIGHT, PAPER, SHU, SUMI, WHITE
from tests.render.picture_tools import LONGEST, forget_sprites, shared

PAINT = painter("kamisado")
NO_VIEW: Any = None


def tower(name, square, teeth=0):
    owner, color = name.split()
    return {"owner": owner, "color": color, "square": square, "teeth": teeth}


MIDGAME = {
    "match": "long", "score": {"black": 3, "white": 1}, "round": 4, "phase": "move",
    "to_move": "black", "forced": "pink",
    "towers": [
        tower("black purple", "b8"), tower("black blue", "c8"), tower("black red", "e8"),
        tower("black yellow", "f8"), tower("black brown", "h8", 2), tower("black orange", "b7"),
        tower("black green", "g7"), tower("black pink", "d8"), tower("white red", "c5"),
        tower("white purple", "d3", 1), tower("white orange", "h2"), tower("white brown", "a1"),
        tower("white yellow", "b1"), tower("white green", "d1"), tower("white blue", "e1"),
        tower("white pink", "g1"),
    ],
}  # fmt: skip
PUSH = {
    "match": "marathon", "score": {"black": 12, "white": 14}, "round": 11, "phase": "move",
    "to_move": "white", "forced": "purple",
    "towers": [
        tower("black blue", "d4"), tower("black red", "d5"), tower("black brown", "h8", 3),
        tower("black orange", "b7", 1), tower("white red", "c5"), tower("white purple", "d3", 2),
        tower("white orange", "h2", 3), tower("white brown", "a1", 1), tower("white blue", "e1", 2),
    ],
}  # fmt: skip


@pytest.fixture
def moved(kamisado):
    """After Black's pink tower went to brown: the mock-up's position."""
    state, events = kamisado.play(kamisado.position(MIDGAME), "d8-f6")
    return kamisado.scene(state, events=events)


@pytest.fixture
def scenes(kamisado, moved):
    """One of every kind of picture."""
    start = kamisado.position(MIDGAME)
    after, _ = kamisado.play(start, "d8-f6")
    pushing = kamisado.position(PUSH)
    pushed, events = kamisado.play(pushing, "d3xd4")
    won, won_events = kamisado.play(after, "a1-a8")
    filled, _ = kamisado.play(won, "fill right")
    single, _ = kamisado.play(
        kamisado.position({**MIDGAME, "match": "single", "forced": "pink"}), "d8-f6", "a1-a8"
    )
    first, first_events = kamisado.engine.setup(kamisado.engine.read_options({}), 2, kamisado.chance)
    return [
        moved,
        replace(moved, flip=True),
        kamisado.panel(after, 1),
        kamisado.panel(after, 1, ["a8"]),
        kamisado.panel(after, 1, ["c3"]),
        kamisado.scene(pushing, table=123456),
        kamisado.panel(pushing, 1, ["d4"]),
        kamisado.scene(pushed, events=events),
        kamisado.scene(won, events=won_events),
        kamisado.panel(won, 1),
        kamisado.panel(won, 1, ["left"]),
        kamisado.scene(filled),
        kamisado.scene(single),
        kamisado.scene(first, events=first_events),
        kamisado.panel(first, 0),
        kamisado.panel(first, 0, ["pink"]),
        kamisado.scene(first, 0, action="resign"),
    ]


def test_every_kind_of_picture_is_of_the_right_size_and_nothing_on_it_is_smaller_than_26_pixels(
    scenes, look, sizes
):
    for one in scenes:
        scene = replace(one, names=LONGEST)
        image = look(PAINT.board(scene))
        assert image.height == drawing.HEIGHT
        assert PAINT.caption(scene)
        assert PAINT.describe(scene)
        assert PAINT.hand(scene) is None
    assert sizes
    assert min(sizes) >= 26


def test_equal_scenes_give_equal_bytes_also_when_all_is_drawn_anew(moved):
    first = PAINT.board(moved)
    forget_sprites()
    assert PAINT.board(replace(moved)) == first


def test_pictures_drawn_by_several_threads_are_the_same(scenes):
    """Pixel by pixel: deflated side by side, once in 2,000 pictures a file was a byte longer than another."""

    def drawn(scene):
        with Image.open(io.BytesIO(PAINT.board(scene).png)) as image:
            return image.convert("RGB").tobytes()

    alone = [drawn(scene) for scene in scenes[:4]]
    forget_sprites()
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(drawn, scenes[:4] * 2))
    assert together == alone * 2


def test_every_square_has_its_colour(moved, look):
    image = look(PAINT.board(moved))
    board = drawing.Board(moved.view, (), flip=False)
    for square in SQUARES:
        x, y = board.corner(square)
        assert image.getpixel((int(x + 60), int(y + 7))) == rgb(KAMISADO[COLOR_OF[square]]), square


def sign_boxes():
    """Where a square's two signs are, within it."""
    far = pieces.CELL - pieces.SIGN_AT - pieces.SIGN
    return [(at, at, at + pieces.SIGN, at + pieces.SIGN) for at in (pieces.SIGN_AT, far)]


@pytest.mark.parametrize("teeth", range(5))
@pytest.mark.parametrize("owner", ["black", "white"])
@pytest.mark.parametrize("flip", [False, True])
def test_a_tower_leaves_a_sign_of_its_square_whole_and_stays_on_it(owner, teeth, flip):  # 16.7
    board = drawing.Board(NO_VIEW, (), flip)
    sprite = pieces.piece(owner, "pink", teeth, board.up(owner))
    x, y = board.middle("d4")
    left, top = board.corner("d4")
    ox, oy = round(x - sprite.width / 2) - left, round(y - sprite.height / 2) - top
    covered = Image.new("L", (pieces.CELL, pieces.CELL))
    covered.paste(sprite.getchannel("A"), (int(ox), int(oy)))
    assert any(not covered.crop(box).getbbox() for box in sign_boxes())
    box = sprite.getchannel("A").getbbox() or (0, 0, 0, 0)
    assert box[0] + ox >= 0
    assert box[2] + ox <= pieces.CELL
    assert box[1] + oy >= 0
    assert box[3] + oy <= pieces.CELL


def test_towers_tell_side_colour_and_teeth_apart():
    towers = {
        piece(owner, color, teeth, up).tobytes()
        for owner in ("black", "white")
        for color in KAMISADO
        for teeth in range(5)
        for up in (False, True)
    }
    assert len(towers) == 2 * 8 * 5 * 2


@pytest.mark.parametrize("owner", ["black", "white"])
def test_medals_hide_no_sign(owner):
    towers = (Tower(owner=owner, color="pink", square="d4"),)
    board = drawing.Board(NO_VIEW, towers, flip=False)
    left, top = board.corner("d4")
    placed = []

    class Recorder:
        def centre(self, sprite, x, y):
            half = sprite.width / 2
            placed.append((x - half - left, y - half - top, x + half - left, y + half - top))

    for sprite in (marks.no_way(), marks.star_octagon(24), marks.chevrons(up=True)):
        recorder: Any = Recorder()
        drawing.corner(recorder, board, "d4", sprite)
    assert all(shared(medal, sign) == 0 for medal in placed for sign in sign_boxes())


def test_the_head_marks_who_is_to_act(moved, look):
    image = look(PAINT.board(moved))
    assert image.getpixel((1066, 50)) == rgb(GOLD)
    assert image.getpixel((13, 50)) != rgb(GOLD)


def test_a_preview_is_private_and_a_public_board_is_not(kamisado, moved, look):
    state, _ = kamisado.play(kamisado.position(MIDGAME), "d8-f6")
    preview = look(PAINT.board(kamisado.panel(state, 1)))
    public = look(PAINT.board(moved))
    assert preview.getpixel((540, 1184)) == rgb(NIGHT)
    assert public.getpixel((540, 1184)) == rgb(SUMI)


def test_the_preview_of_a_move_shows_the_tower_where_it_will_stand(kamisado):
    state, _ = kamisado.play(kamisado.position(MIDGAME), "d8-f6")
    scene = kamisado.panel(state, 1, ["c3"])
    assert {t.square for t in previewed(scene) if (t.owner, t.color) == ("white", "brown")} == {"c3"}
    pushing = kamisado.panel(kamisado.position(PUSH), 1, ["d4"])
    after, _ = kamisado.play(kamisado.position(PUSH), "d3xd4")
    assert previewed(pushing) == after.towers


def test_the_preview_of_a_refill_is_what_the_refill_does(kamisado):
    won, _ = kamisado.play(kamisado.position(MIDGAME), "d8-f6", "a1-a8")
    for side in ("left", "right"):
        after, _ = kamisado.play(won, f"fill {side}")
        assert previewed(kamisado.panel(won, 1, [side])) == after.towers


def test_a_legal_target_has_a_ring_and_a_winning_one_an_octagon(moved, look):
    image = look(PAINT.board(moved))
    board = drawing.Board(moved.view, (), flip=False)
    x, y = board.middle("a5")
    assert image.getpixel((int(x) + 16, int(y))) == (255, 255, 255)
    x, y = board.middle("a8")
    assert image.getpixel((int(x), int(y) + 34)) == rgb(GOLD)


def test_the_caption_and_the_alt_text_say_it_in_words(moved):
    assert "Mariko must move the brown tower on a1; a8 wins." in PAINT.caption(moved)
    alt = PAINT.board(moved).alt
    assert "must move the brown tower on a1; a8 wins." in alt
    assert "Bence 3, Mariko 1, round 4, to 7 points." in alt
    assert "brown h8 (2 teeth)" in alt
    assert alt.index("must move") < alt.index("round 4") < alt.index("brown a1,")
    assert "a8 orange" in PAINT.describe(moved)


def test_captions_keep_names_as_they_are_given(moved):
    assert "<@2> must move the brown tower" in PAINT.caption(replace(moved, names=("<@1>", "<@2>")))


def test_without_events_the_last_move_is_told(kamisado):
    state, events = kamisado.play(kamisado.position(MIDGAME), "d8-f6")
    told = PAINT.caption(kamisado.scene(state, events=events))
    assert PAINT.caption(kamisado.scene(state)) == told
    state, events = kamisado.play(kamisado.position(PUSH), "d3xd4")
    assert PAINT.caption(kamisado.scene(state)) == PAINT.caption(kamisado.scene(state, events=events))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_fits(scenes, look, language):
    for scene in scenes[:6]:
        picture = PAINT.board(replace(scene, names=LONGEST, words=words(language)))
        look(picture)
        assert "kamisado." not in PAINT.caption(replace(scene, words=words(language))).replace(
            "kamisado.event.", ""
        )


def test_right_to_left_mirrors_the_panels_and_never_the_board(moved, look):
    english = words("en")
    hebrew = Words("he", *english._catalogues)
    left, right = look(PAINT.board(moved)), look(PAINT.board(replace(moved, words=hebrew)))
    box = (0, 120, 1080, 1190)
    assert left.crop(box).tobytes() == right.crop(box).tobytes()
    assert right.getpixel((13, 50)) == rgb(GOLD)  # White's panel, to act, is on the left now


def test_flipping_turns_the_board_round(moved, look):
    image = look(PAINT.board(replace(moved, flip=True)))
    board = drawing.Board(moved.view, (), flip=True)
    assert board.corner("h1") == drawing.Board(moved.view, (), flip=False).corner("a8")
    x, y = board.corner("e4")
    assert image.getpixel((int(x + 60), int(y + 7))) == rgb(KAMISADO[COLOR_OF["e4"]])
    assert PAPER != SUMI


@pytest.fixture
def round_of_a_series(kamisado):
    """White has just won round 4 of a series, and round 5 has begun."""
    start = kamisado.position({**MIDGAME, "match": "series", "points": 5})
    state, events = kamisado.play(start, "d8-f6", "a1-a8")
    return kamisado.scene(state, events=events)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_round_of_a_series_is_shown_as_it_ended_and_as_the_next_begins(  # 13.0
    round_of_a_series, look, language
):
    scene = replace(round_of_a_series, words=words(language), names=LONGEST)
    board, end = PAINT.board(scene), drawing.ended(scene)
    assert end is not None
    assert end.filename != board.filename
    before, after = look(end), look(board)
    places = drawing.Board(scene.view, (), flip=False)
    x, y = places.corner("a8")
    square = (int(x), int(y), int(x) + 120, int(y) + 120)
    assert before.crop(square).tobytes() != after.crop(square).tobytes()
    assert "a8" in end.alt


def test_the_end_of_a_round_says_who_won_it_and_the_next_board_who_moves_first(round_of_a_series):  # 13.0
    told = PAINT.caption(round_of_a_series)
    assert "Mariko wins round 4" in told
    assert "Mariko scores a point. Black 3, White 2." in told
    assert "Round 5: Bence moves first, with any tower." in told
    assert told.count("moves first") == 1
    end = at_the_end(round_of_a_series)
    assert end is not None
    assert now_line(end) == "White wins round 4"
    assert title(end)[0] == "round 4"
    assert title(round_of_a_series) == ("round 5", "to 5 points")
    assert now_line(round_of_a_series) == "Black moves any tower"


def test_only_a_round_that_another_one_follows_is_shown_twice(kamisado, moved):  # 13.0
    assert drawing.ended(moved) is None
    start = kamisado.position({**MIDGAME, "match": "series", "points": 2})
    state, events = kamisado.play(start, "d8-f6", "a1-a8")  # the match is over: the board is the end
    assert state.winner == "white"
    assert drawing.ended(kamisado.scene(state, events=events)) is None
    state, events = kamisado.play(kamisado.position({**MIDGAME, "match": "series", "points": 5}), "d8-f6")
    assert drawing.ended(kamisado.scene(state, events=events)) is None


THREAT = {
    "match": "single", "to_move": "white", "forced": "green", "phase": "move",
    "towers": [
        tower("black orange", "a8"), tower("black yellow", "c6"), tower("black purple", "d7"),
        tower("black red", "f8"), tower("white green", "b1"), tower("white brown", "a1"),
        tower("white red", "c1"), tower("white orange", "h7"), tower("white blue", "g1"),
    ],
}  # fmt: skip


def preview(kamisado, help_):
    """White's green tower is to go onto yellow, which lets Black's yellow tower through on h1."""
    state = kamisado.position(THREAT)
    return kamisado.scene(state, 1, action="b1-b3", help=help_)


def test_a_confirmation_shows_the_forced_answer_and_where_it_would_win(kamisado, look):  # 16.7
    scene = preview(kamisado, "full")
    board = drawing.Board(scene.view, (), flip=False)
    image = look(PAINT.board(scene))
    for square in ("c5", "c4", "b5", "d5", "c3"):  # where yellow may go
        x, y = board.middle(square)
        assert image.getpixel((int(x), int(y))) == rgb(SHU), square
    x, y = board.middle("h1")  # where it wins: a white mark on red
    assert image.getpixel((int(x) + 20, int(y))) == rgb(SHU)
    assert image.getpixel((int(x), int(y) - 8)) == (255, 255, 255)
    assert now_line(scene) == "then Black moves yellow"
    assert under_line(scene) == ("Black would win on h1", True)
    assert "h1" in PAINT.board(scene).alt


def test_help_says_how_much_of_what_follows_is_shown(kamisado, look):  # 16.7
    pictures = {help_: look(PAINT.board(preview(kamisado, help_))) for help_ in ("none", "basic", "full")}
    board = drawing.Board(preview(kamisado, "none").view, (), flip=False)
    x, y = (int(part) for part in board.middle("c4"))
    assert pictures["none"].getpixel((x, y)) == rgb(KAMISADO[COLOR_OF["c4"]])
    assert pictures["basic"].getpixel((x, y)) == rgb(SHU)
    x, y = (int(part) for part in board.middle("h1"))
    assert pictures["basic"].getpixel((x, y - 8)) == rgb(SHU)
    assert pictures["full"].getpixel((x, y - 8)) == (255, 255, 255)
    assert now_line(preview(kamisado, "none")) == "green from b1 to b3"
    assert "h1" not in under_line(preview(kamisado, "basic"))[0]


def test_targets_that_let_the_other_side_win_are_marked_with_full_help_alone(kamisado, look):  # 16.7
    state = kamisado.position(THREAT)
    board = drawing.Board(kamisado.scene(state).view, (), flip=False)
    x, y = (int(part) for part in board.middle("b3"))
    for help_, colour in (("full", SHU), ("basic", WHITE), ("none", WHITE)):
        image = look(PAINT.board(kamisado.panel(state, 1, help=help_)))
        assert image.getpixel((x + 14, y)) == rgb(colour), help_
    public = look(PAINT.board(kamisado.scene(state)))
    assert public.getpixel((x + 14, y)) == rgb(WHITE)


def test_all_that_moved_since_the_viewer_looked_is_marked_and_told(kamisado, look):  # 16.8
    start = kamisado.position({**MIDGAME, "match": "single"})
    first, _ = kamisado.play(start, "d8-f6")
    later, events = kamisado.play(first, "a1-c3", "h8-h6")
    scene = kamisado.scene(later, events=events, since=kamisado.engine.view(start, None))
    without = replace(scene, since=None)
    board = drawing.Board(scene.view, (), flip=False)
    x, y = (int(part) for part in board.middle("b2"))  # on the way of White's brown tower
    assert look(PAINT.board(scene)).getpixel((x, y)) == rgb(GOLD)
    assert look(PAINT.board(without)).getpixel((x, y)) != rgb(GOLD)
    told = changes(scene)
    assert "Black's pink tower from d8 to f6" in told
    assert "White's brown tower from a1 to c3" in told
    assert changes(without) == ""
    assert changes(replace(scene, since=scene.view)) == ""
    assert PAINT.board(replace(scene, since=scene.view)).png == PAINT.board(without).png


def test_towers_pushed_and_points_won_since_are_told(kamisado):  # 16.8
    start = kamisado.position(PUSH)
    pushed, _ = kamisado.play(start, "d3xd4")
    scene = kamisado.scene(pushed, since=kamisado.engine.view(start, None))
    assert "Pushed back: Black's red tower from d5 to d6 and Black's blue tower from d4 to d5." in changes(
        scene
    )
    start = kamisado.position({**MIDGAME, "match": "series", "points": 5})
    won, _ = kamisado.play(start, "d8-f6", "a1-a8")
    scene = kamisado.scene(won, since=kamisado.engine.view(start, None))
    assert changes(scene) == "Mariko scores 1 point and has 2. Round 5 has begun."


def test_a_preview_of_a_move_names_no_notation(kamisado):  # 16.5
    state = kamisado.position(THREAT)
    for action in kamisado.engine.legal(state, 1).actions:
        for help_ in ("none", "basic", "full"):
            scene = kamisado.scene(state, 1, action=action, help=help_)
            assert action not in now_line(scene) + under_line(scene)[0] + PAINT.board(scene).alt


def test_the_answer_that_is_foreseen_is_the_one_that_comes(kamisado):  # 16.7
    state, _ = kamisado.engine.setup(kamisado.engine.read_options({"match": "long"}), 2, kamisado.chance)
    compared = 0
    for number in range(120):
        view = kamisado.engine.view(state, None)
        if view.to_act is None:
            break
        action = kamisado.engine.legal(state, view.to_act).actions[number * 7 % len(view.targets or "ab")]
        following = answer_to(view, action)
        state, _ = kamisado.play(state, action)
        after = kamisado.engine.view(state, None)
        if following is not None:
            compared += 1
            assert (following.side, following.color) == (after.to_move, after.forced)
            assert following.targets == after.targets
            assert following.passes == after.last.passes
    assert compared > 50
