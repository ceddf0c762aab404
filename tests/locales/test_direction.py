"""Lines that run from right to left say so, for apps that would set them from left to right (17)."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from discord import ui

from cogs.buttons.forms import form
from cogs.text.control import Button, Select, option
from cogs.text.layout import Entry, laid_out
from locales import END_ISOLATE as END
from locales.direction import RIGHT_ISOLATE as RIGHT
from locales.direction import in_order
from tests.messages import TEXT, parts_of, wording

LINE = "התור שלך."


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (LINE, f"{RIGHT}{LINE}{END}"),
        (f"-# {LINE}", f"-# {RIGHT}{LINE}{END}"),
        (f"### {LINE}", f"### {RIGHT}{LINE}{END}"),
        (f"**#1 {LINE}** · {LINE}", f"**{RIGHT}#1 {LINE}** · {LINE}{END}"),
        (f"-# **#1 {LINE}**", f"-# **{RIGHT}#1 {LINE}{END}**"),
        (f"{LINE} **{LINE}**", f"{RIGHT}{LINE} **{LINE}{END}**"),
        (f"• {LINE}", f"{RIGHT}• {LINE}{END}"),
        (f"<@12>: {LINE}", f"{RIGHT}<@12>: {LINE}{END}"),
        (f"`/play` {LINE}", f"{RIGHT}`/play` {LINE}{END}"),
        (f"\u2068Ann\u2069 {LINE}", f"{RIGHT}\u2068Ann\u2069 {LINE}{END}"),
        ("Ann won.", "Ann won."),
        ("Ann: שלום.", "Ann: שלום."),
        ("カミサド", "カミサド"),
        ("`d8-d3`", "`d8-d3`"),
        ("", ""),
    ],
)
def test_a_line_from_right_to_left_stands_apart_behind_what_discord_reads(line, shown):
    assert in_order(line) == shown


def test_blocks_of_code_are_left_as_they_are():
    text = f"{LINE}\n```\n{LINE}\n```\n{LINE}"
    assert in_order(text) == f"{RIGHT}{LINE}{END}\n```\n{LINE}\n```\n{RIGHT}{LINE}{END}"


def test_every_text_of_a_message_is_laid_out_in_order():
    made = {
        "content": "",
        "components": laid_out(LINE, quiet=LINE, entries=[Entry(LINE)] * 20).to_components(),
    }
    texts = [part["content"] for part in parts_of(made) if part["type"] == TEXT]
    lines = [line.removeprefix("-# ") for text in texts for line in text.split("\n")]
    assert lines == [f"{RIGHT}{LINE}{END}"] * 22
    assert wording(made) == "\n".join([LINE] * 22)


def test_forms_that_mix_words_with_signs_say_which_way_they_run():
    options = [discord.RadioGroupOption(label="בלי שעון.", value="none")]
    times = ui.Label[Any](text="שעות שקט, או off", description="שלך.", component=ui.TextInput[Any]())
    radio = ui.Label[Any](text="שעון", component=ui.RadioGroup[Any](custom_id="clock", options=options))
    made = form("#1 קמיסדו", "f:times", times, radio)
    assert made.title == f"{RIGHT}#1 קמיסדו{END}"
    assert (times.text, times.description) == (f"{RIGHT}שעות שקט, או off{END}", f"{RIGHT}שלך.{END}")
    assert (radio.text, options[0].label) == ("שעון", f"{RIGHT}בלי שעון.{END}")
    assert form("#1 Kamisado", "f:times").title == "#1 Kamisado"


def test_controls_that_mix_words_with_numbers_say_which_way_they_run():
    select = Select("s", [option("1. 3 צבאות: ריק", "1", "עלות 2")], "קלף…").json
    assert Button("6 צבאות").label == f"{RIGHT}6 צבאות{END}"
    for label in ("עברית", "6 armies", f"6 {'א' * 77}"):
        assert Button(label).label == label
    assert select["placeholder"] == f"{RIGHT}קלף…{END}"
    assert (select["options"][0]["label"], select["options"][0]["description"]) == (
        f"{RIGHT}1. 3 צבאות: ריק{END}",
        f"{RIGHT}עלות 2{END}",
    )
