"""Whole games: everything stays counted, replays agree, secrets stay secret, the opponent plays."""

import os
from collections import Counter
from typing import Any

import pytest

from engines.capabilities import random_action
from engines.chance import Chance
from engines.protocol import digest
from engines.shogun import opponent
from engines.shogun.data import ACTIONS, CHEST_CARDS, EVENTS, SPACES, SPECIALS, in_play
from engines.shogun.odds import battle_odds, revolt_odds
from engines.shogun.planning import cards_due, random_plan
from engines.shogun.play import counted
from engines.shogun.rules import battle_targets
from engines.shogun.tower import throw
from tests.engines.shogun.shogun_scenes import ENGINE, acted, loaded, new, position, province, random_game

LONG = int(os.environ.get("HATAMOTO_COUNT", "20"))
SIDES: tuple[dict[str, str], ...] = ({}, {"setup": "draft", "side": "moon"})


def check_counts(state: Any) -> None:
    """Every cube, card, marker and building is where it may be, once."""
    assert counted(state)
    assert list(state.provinces) == list(in_play(state.options.side, len(state.players)))
    for name, place in state.provinces.items():
        assert (place.owner is None) == (place.armies == 0), name
        assert place.owner is not None or place.buildings == place.unrest == 0
    goods = [n for p in state.players for n in (p.chests, p.rice, p.points, p.supply)]
    assert min(goods) >= 0
    assert all(place.buildings <= SPACES[name] for name, place in state.provinces.items())
    if state.phase == "draft":
        drafted = [n for n, p in state.provinces.items() if p.owner is not None]
        cards = [*state.draft.open, *state.draft.pile, *drafted]
        assert sorted([*cards, *filter(None, [state.draft.drawn])]) == sorted(state.provinces)
        return
    assert sorted(state.actions) == sorted(ACTIONS)
    assert sorted(state.specials) == sorted(SPECIALS)
    events = [*state.events, *state.event_pile, *filter(None, [state.event])]
    assert len(set(events)) == len(events)
    assert set(events) <= set(EVENTS)
    for seat, player in enumerate(state.players):
        cards = list((player.plan or {}).values())
        assert len(set(cards)) == len(cards)
        assert all(c in CHEST_CARDS or state.provinces[c].owner == seat for c in cards)


def play_through(seats: int, seed: bytes, **options: Any) -> None:
    rounds, state = set(), None
    for ply, state in enumerate(random_game(seats, seed, **options)):
        check_counts(state)
        if state.phase == "plan":
            rounds.add((state.year, state.season))
        assert ply < 2000
    assert state is not None
    assert state.phase == "over"
    assert len(rounds) == 6
    assert ENGINE.result(state).reason in ("points", "chests", "shared")


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("options", SIDES)
def test_random_games_keep_everything_counted_and_end_after_two_years(seats, options):
    for number in range(2):
        play_through(seats, bytes([seats, number]), **options)


@pytest.mark.long
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("options", SIDES)
def test_many_random_games_keep_everything_counted(seats, options):
    for number in range(LONG):
        play_through(seats, bytes([seats]) + number.to_bytes(3, "big"), **options)


def test_a_game_replayed_has_equal_positions():
    def hashes() -> list[str]:
        return [digest(state.model_dump(mode="json")) for state in random_game(4, b"twice", setup="draft")]

    assert hashes() == hashes()


def test_apply_leaves_its_argument_alone():
    for state in random_game(3, b"value"):
        before = ENGINE.dump(state)
        for seat in ENGINE.to_act(state):
            chance = Chance(b"v", 1)
            ENGINE.apply(state, seat, random_action(ENGINE, state, seat, chance), chance)
        assert ENGINE.dump(state) == before


# -- the tower ---------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "kept"), [(3, 31 / 3), (4, 38 / 3), (5, 45 / 3)])
def test_the_tower_keeps_a_third_of_the_cubes_it_is_filled_with(seats, kept):
    fills = [sum(new(seats, n.to_bytes(2, "big")).tower) for n in range(400)]
    assert abs(sum(fills) / len(fills) - kept) < 0.5


@pytest.mark.parametrize(("model", "stuck"), [("measured", 1 - 0.95**8), ("classic", 1 / 3)])
def test_a_throw_of_eight_frees_thrown_cubes_by_two_thirds_and_stuck_ones_by_the_model(model, stuck):
    chance = Chance(b"tower", 0)
    through = loose = 0
    for _ in range(600):
        fell = throw(model, (0, 10), (8, 0), chance).fallen
        through += fell[0]
        loose += fell[1]
    assert abs(through / 4800 - 2 / 3) < 0.03
    assert abs(loose / 6000 - stuck) < 0.03


def test_open_and_swap_have_no_chance():
    assert throw("open", (1, 2), (3, 4), Chance(b"", 0))[1:] == ((4, 6), (0, 0))
    assert throw("swap", (1, 2), (3, 4), Chance(b"", 0))[1:] == ((1, 2), (3, 4))


# -- secrets -----------------------------------------------------------------------------


def shuffled_secrets(state: Any, viewer: int | None, chance: Chance) -> Any:
    """A position that this viewer cannot tell from the given one."""
    shown = ENGINE.view(state, None)
    players = [
        player
        if seat == viewer or player.plan is None
        else player.model_copy(update={"plan": other_plan(state, seat, shown.players[seat].plan, chance)})
        for seat, player in enumerate(state.players)
    ]
    opened = len(shown.actions)
    changes: dict[str, Any] = {
        "players": tuple(players),
        "event_pile": tuple(chance.shuffled(state.event_pile)),
        "actions": (*state.actions[:opened], *chance.shuffled(state.actions[opened:])),
    }
    if state.draft:
        changes["draft"] = state.draft.model_copy(update={"pile": tuple(chance.shuffled(state.draft.pile))})
    return state.model_copy(update=changes)


def other_plan(state: Any, seat: int, shown: dict[str, str], chance: Chance) -> dict[str, str]:
    own = [name for name, p in state.provinces.items() if p.owner == seat]
    if state.phase == "plan":
        return random_plan(own, state.players[seat].chests, chance)
    done = state.actions[: state.action_index + (state.phase == "action")]
    spaces = chance.shuffled([a for a in ACTIONS if a not in done and a not in shown])
    cards = chance.shuffled([c for c in (*own, *CHEST_CARDS) if c not in shown.values()])
    return {**shown, **dict(zip(spaces[: cards_due(len(own))], cards, strict=False))}


def seen(state: Any, viewer: int | None) -> list[Any]:
    """Everything that leaves the engine for a viewer."""
    views = [ENGINE.view(state, viewer).model_dump(mode="json"), sorted(ENGINE.to_act(state))]
    if viewer is None:
        return views
    texts = [ENGINE.complete(text, state, viewer) for text in ("", "plan castle=", "special", "battle k")]
    legal = ENGINE.legal(state, viewer).actions
    choices = None
    if viewer in ENGINE.to_act(state):
        choices = ENGINE.choices(state, viewer).model_dump(mode="json")
    return [*views, texts, legal, choices, ENGINE.choices_mark(state, viewer)]


@pytest.mark.parametrize("options", [{}, pytest.param({"setup": "draft"}, marks=pytest.mark.long)])
def test_what_a_viewer_cannot_know_changes_nothing_he_sees(options):
    chance = Chance(b"secrets", 0)
    changed = Counter[str]()
    for state in list(random_game(4, b"secret\0", **options))[:: 1 if options else 2]:
        for viewer in (None, 0, 1, 2, 3):
            other = shuffled_secrets(state, viewer, chance)
            changed[state.phase] += other != state
            assert seen(state, viewer) == seen(other, viewer), (state.phase, viewer)
    assert min(changed[phase] for phase in ("plan", "special", "action")) > 20


def test_events_tell_others_no_more_than_the_view_does():
    chance = Chance(b"events", 0)
    state = new(4)
    for seat in (0, 1, 2):
        own = [name for name, p in state.provinces.items() if p.owner == seat]
        told = []
        for _ in range(2):
            plan = random_plan(own, state.players[seat].chests, chance)
            text = "plan " + " ".join(f"{space}={card}" for space, card in plan.items())
            after, events = acted(state, seat, text)
            told.append([e.seen_by(viewer).model_dump() for e in events for viewer in (None, (seat + 1) % 4)])
            assert events[0].seen_by(seat).params["plan"] == plan
        assert told[0] == told[1]
        state = after


def test_an_action_tells_nothing_of_plans_and_decks_still_closed():
    """Where the next decision comes in the same action, other cards beyond it never show in the events."""
    plans = {0: {"battle_a": "Aki"}, 1: {"battle_a": "Settsu", "battle_b": "Yamato", "rice": "chest1"}}
    home = {"Aki": province(0, 3), "Settsu": province(1, 3), "Yamato": province(1, 2), "Hoki": province(2, 3)}
    state = loaded(position(home, plans, first=("battle_a", "rice"), seats=4))
    other = state.model_copy(
        update={
            "players": (
                state.players[0],
                state.players[1].model_copy(update={"plan": {"battle_a": "Settsu", "tax": "Yamato"}}),
                *state.players[2:],
            ),
            "actions": (*state.actions[:5], *reversed(state.actions[5:])),
        }
    )
    told = [[e.seen_by(2) for e in acted(s, 0, "battle bingo 2")[1]] for s in (state, other)]
    assert told[0] == told[1]


# -- odds and the opponent -----------------------------------------------------------------


def test_odds_agree_with_battles_fought():
    home = {"Shinano": province(0, 6), "Kozuke": province(1, 3), "Hoki": province(2, 3)}
    given = position(home, {0: {"battle_a": "Shinano"}, 2: {"battle_b": "Hoki"}},
                     first=("battle_a", "battle_b"), tower=(3, 3, 2, 5), tray=(1, 0, 1, 1))  # fmt: skip
    given["options"] = {"tower": "measured"}
    state = loaded(given)
    odds = battle_odds(ENGINE.view(state, 0), 0, "Kozuke", 5)
    assert abs(odds.win + odds.tie + odds.lose - 1) < 1e-5
    count, left = Counter[str](), 0
    for number in range(1500):
        after, _ = acted(state, 0, "battle kozuke 5", seed=number.to_bytes(2, "big"))
        place = after.provinces["Kozuke"]
        count[{0: "win", 1: "lose", None: "tie"}[place.owner]] += 1
        left += place.armies if place.owner == 0 else 0
    assert abs(count["win"] / 1500 - odds.win) < 0.05
    assert abs(count["tie"] / 1500 - odds.tie) < 0.05
    assert abs(left / 1500 - odds.left) < 0.15


def test_odds_without_chance_are_certain():
    home = {"Shinano": province(0, 6), "Kozuke": province(1, 3, unrest=1), "Hoki": province(2, 3)}
    view = ENGINE.view(loaded(position(home, {0: {"battle_a": "Shinano"}}, first=("battle_a",))), 0)
    assert battle_odds(view, 0, "Kozuke", 4) == (1, 0, 0, 1, 0)
    assert battle_odds(view, 0, "Kozuke", 3) == (0, 1, 0, 0, 0)
    assert battle_odds(view, 0, "Kozuke", 1) == (0, 0, 1, 0, 2)
    assert revolt_odds(view, "Kozuke", 2) == (1, 1)


def game_of(kinds: list[str], seed: bytes, **options: Any) -> Any:
    state, entry = new(len(kinds), seed, **options), 0
    while ENGINE.to_act(state):
        seat = min(ENGINE.to_act(state))
        entry += 1
        chance = Chance(b"mind" + seed, entry)
        if kinds[seat] == "random":
            action = random_action(ENGINE, state, seat, chance)
        else:
            level: Any = kinds[seat]
            action = ENGINE.parse(opponent.choose(ENGINE.view(state, seat), level, chance), state, seat)
        state = ENGINE.apply(state, seat, action, Chance(seed, entry)).state
    return state


def wins(against: str, games: int) -> float:
    won = 0.0
    for number in range(games):
        kinds = [against] * 3
        kinds[number % 3] = "normal"
        result = ENGINE.result(game_of(kinds, bytes([number]), setup=("fixed", "draft")[number % 2]))
        won += (number % 3 in result.winners) / len(result.winners)
    return won / games


@pytest.mark.long
def test_normal_beats_two_random_players():
    assert wins("random", 6) > 0.8


@pytest.mark.long
def test_normal_beats_two_easy_players():
    assert wins("easy", 24) > 0.5


def test_the_opponent_plays_whole_games_alike_each_time_for_five_on_the_moon():
    kinds = ["normal", "easy", "random", "random", "easy"]
    first = game_of(kinds, b"five", setup="draft", side="moon", forced_battles=False)
    assert first.phase == "over"
    assert first == game_of(kinds, b"five", setup="draft", side="moon", forced_battles=False)


def test_the_opponent_needs_no_armies_no_chests_and_no_provinces():
    for chests in range(4):
        given = position({"Hoki": province(2, 3), "Kai": province(1, 59)}, phase="plan", turn=None, order=[],
                         event=None, chests=chests)  # fmt: skip
        given["events"].append("temple_peace_1")
        given["event_pile"] = [e for e in EVENTS if e not in given["events"]]
        for player in given["players"]:
            player.update(plan=None, special=None)
        state = loaded(given)
        for seat in (0, 1, 2):
            text = opponent.choose(ENGINE.view(state, seat), "normal", Chance(b"", seat))
            acted(state, seat, text)
    assert battle_targets(state, 1, "Kai")
