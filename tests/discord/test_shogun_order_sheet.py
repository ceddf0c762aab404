"""The order sheet keeps Discord's limits, names its doubts, and every message of it exists."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cogs.buttons.custom_ids import SHEET, row_of
from cogs.buttons.lasting import CONTROLS
from cogs.panels import shogun
from cogs.panels.shogun import Sheet, controls_of, lines_of
from cogs.text.signs import Signs
from engines.chance import Chance
from engines.registry import engine
from engines.shogun.data import PLACES
from engines.shogun.sheet import NO_CARD
from locales import words

SOURCE = Path(shogun.__file__).read_text("utf-8")


def view(owned: int = 6, **player: Any) -> Any:
    """Seat 0's view at the first planning, with as many provinces as wanted."""
    rules: Any = engine("shogun")
    state = rules.setup(rules.read_options({}), 5, Chance(bytes(32), 0)).state
    provinces = dict(state.provinces)
    for number, name in enumerate(provinces):
        owner = 0 if number < owned else 1
        provinces[name] = provinces[name].model_copy(update={"owner": owner, "armies": 2})
    players = (state.players[0].model_copy(update=player), *state.players[1:])
    return rules.view(state.model_copy(update={"provinces": provinces, "players": players}), 0)


def sheet(seen: Any, plan: dict[str, str], **more: Any) -> Sheet:
    names = ("Ann", "Ben", "Cho", "Dan", "Eve")
    return Sheet(99_999, "#99999 Shogun", 99_999, seen, names, plan, words("en"), **more)


def parts(made: Sheet) -> list[dict[str, Any]]:
    """The controls of a sheet, as Discord gets them."""
    return [item.json for item in controls_of(made, Signs()).items]


@pytest.mark.parametrize("owned", [1, 6, 30, 45])
@pytest.mark.parametrize("space", [None, *PLACES])
def test_controls_keep_discords_limits(owned, space):
    seen = view(owned)
    cards = [name for name, p in seen.provinces.items() if p.owner == 0]
    plan = dict(zip(PLACES, cards, strict=False))
    for page in (0, 1):
        found = parts(sheet(seen, plan, space=space, page=page, row=12))
        assert len({part["custom_id"] for part in found}) == len(found)
        for part in found:
            assert len(part["custom_id"]) <= 100
            for option in part.get("options", ()):
                assert 1 <= len(option["label"]) <= 100
                assert len(option.get("description") or "") <= 100
            if part["type"] == 3:
                assert 1 <= len(part["options"]) <= 25
        assert next(row_of(part["custom_id"]) for part in found if part["type"] == 2) == 12


def test_a_plan_that_is_sent_says_how_to_change_it_and_offers_neither_to_send_nor_to_fill_it():  # 17
    seen = view(6)
    cards = [name for name, p in seen.provinces.items() if p.owner == 0]
    plan = dict(zip(PLACES, [*cards, "chest1", "chest2", "chest3", "chest4"], strict=False))
    ready = view(6, plan=plan, ready=True)

    def labels(made):
        return [part["label"] for part in parts(made) if part["type"] == 2]

    settled = sheet(ready, plan, row=12)
    assert settled.settled
    assert {"Send", "Fill the rest", "As last round"}.isdisjoint(labels(settled))
    assert "choose a space below and send it again" in "\n".join(lines_of(settled))
    assert next(row_of(part["custom_id"]) for part in parts(settled) if part["type"] == 2) == 12
    changed = sheet(ready, {**plan, "bid": "chest0"})
    assert labels(changed)[0] == "Send"
    assert not parts(changed)[1].get("disabled")


def test_a_select_of_the_sheet_belongs_to_it_alone():
    for action in ("L.space", "L.card.3", "L.card.10~1"):
        custom_id = f"t:1:2:{action}"
        assert [pattern.pattern for pattern in CONTROLS if pattern.fullmatch(custom_id)] == [SHEET]


def test_all_cards_can_be_reached_over_the_pages():
    seen = view(45)
    reached = set()
    for page in range(3):
        (_, menu, *_) = parts(sheet(seen, {"castle": "Kai"}, space="castle", page=page))
        reached |= {option["value"] for option in menu["options"]}
    assert reached == {
        NO_CARD,
        *(name.casefold() for name in seen.provinces),
        *(f"chest{n}" for n in range(5)),
    }


def test_what_cannot_work_is_named_with_what_it_would_cost():
    seen = view(6, chests=2)
    own = [name for name, p in seen.provinces.items() if p.owner == 0]
    told = "\n".join(lines_of(sheet(seen, {"castle": own[0], "recruit5": own[1], "bid": "chest2"})))
    assert "All its actions cost 6 chests, the bid 2 chests. You have 2 chests." in told
    assert told.count("Careful with “castle”.") == 1, "chests are counted over the whole plan, once"
    assert "Careful with “castle”. You will be 3 chests short" in told
    assert "Careful with “5 armies”. You will be 3 chests short" in told
    options = parts(sheet(seen, {}, space="tax"))[1]["options"]
    assert all(re.search(r"\d chests?", option["description"]) for option in options[:6])


def test_a_full_plan_says_nothing_twice_with_all_the_help():  # 17: seen on photographs
    seen = view(6, chests=2)
    own = [name for name, p in seen.provinces.items() if p.owner == 0]
    spaces = ("castle", "temple", "theater", "recruit5", "tax", "rice")
    plan = dict(zip(spaces, own, strict=True)) | {"battle_a": "chest1", "battle_b": "chest2", "bid": "chest3"}
    plan |= {"recruit3": "chest4", "recruit1_move": "chest0"}
    told = lines_of(sheet(seen, plan, help="full"))
    assert [line for line in told if "unrest marker" in line], "what only the help knows is said"
    assert len([line for line in told if "cost" in line]) == 1
    assert not [line for line in told if "be built" in line and "Careful" not in line]


def test_every_message_of_the_sheet_is_in_the_catalogue():
    english = words("en")
    codes = set(re.findall(r"say\(\s*\"([a-z-]+)\"", SOURCE)) | {
        "sent", "not-sent-again", "bids", "no-action", "gain-tax", "gain-rice", "gain-armies", "space",
        "space-empty", "card", "card-moves", "facts", "facts-unrest", "button-send", "button-sure",
    }  # fmt: skip
    assert len(codes) > 25
    assert [code for code in sorted(codes) if not english.has(f"shogun.plan.{code}")] == []
