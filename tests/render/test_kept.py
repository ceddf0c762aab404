"""Sprites are kept within one bound of memory, whatever they are (14)."""

from __future__ import annotations

import ast
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

import render
from render.canvas import Plate
from render.flat import as_sheet
from render.kept import SPRITES, Kept, Store, kept_apart, lasting, number, weight_of

MANY = 16  # of a kind: below it a bound on their number is one on their memory, but for whole boards


def sized(side: int, mode: str = "RGBA") -> Image.Image:
    return Image.new(mode, (side, side))


def test_what_was_not_used_for_longest_goes_first_and_all_together_stay_within_the_bound():  # 14
    store, made = Store(100_000), list[int]()

    def square(side: int) -> Image.Image:
        made.append(side)
        return sized(side)

    kept = Kept(square, store)
    first = kept(100)  # 40,000 bytes
    kept(101)
    assert kept(100) is first
    assert made == [100, 101]
    kept(99)  # one of the three must go: the one of 101
    assert store.size <= 100_000
    assert kept(100) is first
    kept(101)
    assert made == [100, 101, 99, 101]


def test_kinds_share_the_bound_and_are_forgotten_by_kind():  # 14
    store = Store(100_000)
    one, other = Kept(sized, store), Kept(lambda side: (sized(side), (1, 2)), store)
    here, there = one(100), other(100)
    assert (one(100), other(100)) == (here, there)
    one.cache_clear()
    assert store.size == 40_000
    assert one(100) is not here
    assert other(100) is there


def test_what_is_larger_than_the_bound_is_made_and_not_kept():  # 14
    store = Store(1_000)
    assert Kept(sized, store)(100).size == (100, 100)
    assert store.size == 0


def test_what_is_large_does_not_push_the_small_pieces_out():  # 16.12
    store = Store(100_000, 5_000_000)
    kept = Kept(sized, store)
    small, first = kept(100), kept(1_000)
    assert kept(1_001) is not kept(1_002)  # 4 MB each
    assert kept(100) is small
    assert kept(1_000) is not first
    assert store.size <= 5_100_000


def test_the_bound_holds_where_several_threads_draw():  # 14
    store = Store(50_000)
    kept = Kept(sized, store)
    with ThreadPoolExecutor(4) as pool:
        sizes = list(pool.map(lambda side: kept(side).width, [*range(1, 100)] * 4))
    assert sizes == [*range(1, 100)] * 4
    assert 0 < store.size <= 50_000


@pytest.mark.parametrize(
    ("value", "bytes_"),
    [
        (sized(10), 400),
        (sized(10, "RGB"), 400),
        (sized(10, "P"), 100),
        ((sized(10, "L"), (0.5, 1.0)), 100),
        (Plate(Image.new("RGBA", (10, 10), "red"), 2), 400),
        (None, 0),
    ],
)
def test_a_weight_is_that_of_the_pixels(value, bytes_):  # 14
    assert weight_of(value) == bytes_


def test_pictures_of_which_there_may_be_many_are_kept_within_the_bound():  # 14
    """Words are small and bounded by their number; everything else that is drawn is not."""
    loose = list[str]()
    for file in sorted(Path(render.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef) or node.returns is None or file.name == "text.py":
                continue
            for mark in node.decorator_list:
                text = ast.unparse(mark)
                most = text.rpartition("=")[2].rstrip(")") if "maxsize=" in text else ""
                several = text == "cache" or (most != "" and (not most.isdigit() or int(most) >= MANY))
                if several and {"Image", "Plate"} & {*ast.unparse(node.returns).replace("[", ".").split(".")}:
                    loose.append(f"{file.name}: {node.name}")
    assert not loose


@pytest.mark.parametrize("mode", ["RGBA", "RGB", "L", "P"])
def test_a_small_piece_that_fell_out_is_packed_and_comes_back_as_it_was(mode):  # 16.12
    store, made = Store(100_000, most_packed=100_000), list[int]()

    def drawn(side: int) -> tuple[Image.Image, Plate, int]:
        made.append(side)
        image = Image.linear_gradient("L").resize((side, side)).convert(mode)
        if mode == "P":
            image.putpalette([*range(30)] * 3)
            image.info["transparency"] = b"\0\xff"
        plate = Plate(Image.radial_gradient("L").resize((side, side)).convert("RGBA"), 3)
        return image, plate, side

    def seen(found: tuple[Image.Image, Plate, int]) -> list[bytes]:
        sheet = as_sheet(Image.new("RGB", (120, 120), "red"))
        found[1].onto(sheet, 4, 5)
        return [found[0].tobytes(), found[0].convert("RGBA").tobytes(), sheet.tobytes()]

    kept = Kept(drawn, store)
    first = kept(100)
    looks = seen(first)
    kept(101), kept(102)
    again = kept(100)
    assert again is not first
    assert made == [100, 101, 102]
    assert (seen(again), again[2]) == (looks, 100)
    assert store.size <= 200_000
    kept.cache_clear()
    assert store.size == 0


def test_what_is_kept_apart_pushes_nothing_out():  # 16.12
    made = list[int]()

    def read(side: int) -> Image.Image:
        made.append(side)
        return sized(side)

    kept, size = kept_apart(50_000)(read), SPRITES.size
    kept(100), kept(101), kept(101), kept(100)
    assert made == [100, 101, 100]
    assert SPRITES.size == size


def test_a_piece_that_was_packed_has_the_number_it_had():  # 16.12
    store = Store(50_000, most_packed=50_000)
    kept = Kept(sized, store)
    first = kept(100)
    known = number(first)
    other = number(kept(101))
    assert kept(100) is not first
    assert number(kept(100)) == known != other


def test_what_is_made_anew_has_a_lasting_number_of_its_own():  # 16.12
    one, same, other = sized(1), sized(1), sized(1)
    assert number(one, lasting("a", 1)) == number(same, lasting("a", 1)) != number(other, lasting("a", 2))
    assert len({number(sized(1)) for _ in range(9)} | {number(one), number(other)}) == 11
