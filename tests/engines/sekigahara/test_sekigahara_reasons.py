"""Why the opponent did what it did: in words of every language, and never from more than a viewer knows."""

from typing import Any

from engines.capabilities import Deed
from engines.chance import Chance
from engines.sekigahara import opponent, sight
from engines.sekigahara.model import SekigaharaOptions
from locales import words
from tests.engines.sekigahara.sekigahara_games import ENGINE
from tests.engines.sekigahara.sekigahara_positions import Game

ENOUGH = 160


def reasons(game: Game, text: str, eye: int | None) -> dict[str, Any]:
    """Codes and parameters of an action of whoever has to decide, as this viewer is told them."""
    seat, before = game.acts[0], sight.view(game.state, eye)
    game.play(text)
    told = tuple(event.seen_by(eye) for event in game.events)
    found = ENGINE.reasons(Deed(seat, before, sight.view(game.state, eye), told, None))
    return {one.code: one.params for one in found}


def test_along_a_game_every_reason_has_words_in_every_language():
    key = b"why"
    met: dict[str, Any] = {}
    state = ENGINE.setup(SekigaharaOptions(), 2, Chance(key, 0)).state
    for entry in range(1, ENOUGH):
        if not (acts := sorted(ENGINE.to_act(state))):
            break
        text = opponent.choose(ENGINE.view(state, acts[0]), "normal", Chance(key + b"x", entry))
        step = ENGINE.apply(state, acts[0], ENGINE.parse(text, state, acts[0]), Chance(key, entry))
        for eye in (None, 0, 1):
            told = tuple(event.seen_by(eye) for event in step.events)
            before, after = sight.view(state, eye), sight.view(step.state, eye)
            found = ENGINE.reasons(Deed(acts[0], before, after, told, None))
            assert len(found) <= 3
            met |= {one.code: one.params for one in found}
        state = step.state
    assert len(met) > 8
    for language in ("en", "hu", "he", "ja"):
        for code, params in met.items():
            said = words(language)(
                f"sekigahara.why.{code}", game="sekigahara", names=("Ann", "Ben"), **params
            )
            assert said
            assert "–" not in said


def test_an_overrun_on_the_way_to_a_resource_is_why_it_marched():
    game = Game({"kiyosu": "mori2 mori3 ukita2 ukita3 |", "kuwana": "| maeda2"}, phase="move")
    game.play("move minimal")
    found = reasons(game, "march kiyosu mori2 mori3 ukita2 ukita3 > kuwana", None)
    assert found == {"overruns": {"at": "kuwana", "n": 1}, "takes": {"places": ["kuwana"]}}


def test_the_other_player_and_the_public_are_told_the_same_of_a_march():
    told = []
    for eye in (None, 1):
        game = Game({"kiyosu": "mori2 mori3 ukita2 ukita3 |", "okazaki": "| maeda2 maeda3"}, phase="move")
        game.play("move minimal")
        told.append(reasons(game, "march kiyosu mori2 mori3 ukita2 ukita3 > okazaki", eye))
    assert told[0] == told[1] == {"attacks": {"at": "okazaki", "mine": 4, "theirs": 2}}


def test_a_secret_bid_has_no_reason():
    game = Game({}, phase="bid")
    assert reasons(game, "bid mori", 0) == {}
