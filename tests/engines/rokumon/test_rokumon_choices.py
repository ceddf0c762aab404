import pytest

from engines.base import Ready, RulesError
from engines.chance import Chance
from engines.rokumon import opponent, rules
from locales import words
from tests.engines.rokumon.rokumon_tables import COUNT, ENGINE, Table, dealt, load, place, prompt, ready

ALWAYS = {"surrender", "resign", "takeback"}


def ends(state, seat, path=()):
    """Every Ready that the panel leads to."""
    prompt = ENGINE.choices(state, seat, path)
    if isinstance(prompt, Ready):
        return [prompt]
    return [ready for choice in prompt.choices for ready in ends(state, seat, (*path, choice.key))]


@pytest.mark.parametrize("options", [*({"act": act} for act in range(1, 7)), {"solo": "easy"}, {}])
def test_the_panel_leads_to_every_legal_action_and_to_no_other(options):
    for seed in range(3):
        table = Table(seed=seed.to_bytes(4, "big"), **options).at_random(5 + 4 * seed)
        if ENGINE.result(table.state):
            continue
        found = [ready.action for ready in ends(table.state, table.seat)]
        assert len(set(found)) == len(found)
        assert set(found) - ALWAYS == set(ENGINE.legal(table.state, table.seat).actions)
        assert {"surrender", "resign"} <= set(found)


def sayings(state, seat, path=()):
    """Message ids of everything that the panel says."""
    prompt = ENGINE.choices(state, seat, path)
    if isinstance(prompt, Ready):
        return {f"rokumon.warning.{prompt.warning}"} if prompt.warning else set()
    said = {f"rokumon.prompt.{prompt.code}"} | {f"rokumon.choice.{c.code}" for c in prompt.choices}
    return said.union(*(sayings(state, seat, (*path, choice.key)) for choice in prompt.choices))


@pytest.mark.parametrize("options", [{"act": 1}, {"act": 3}, {"act": 5}, {"act": 6}, {"solo": "hard"}, {}])
def test_everything_that_the_panel_says_is_in_the_catalogue(options):
    table = Table(seed=b"say", **options)
    for _ in range(12):
        if ENGINE.result(table.state):
            break
        assert [key for key in sayings(table.state, table.seat) if not words("en").has(key)] == []
        table.at_random(1)


def test_tokens_are_added_by_the_panel():
    revenge = {"sanada": {"up": 0, "down": 0}, "tokugawa": {"up": 2, "down": 0}}
    table = Table(load(place(dealt(3, "jgjgjgj", revenge=revenge), e4="s2 t3"))).play(0, "fight e4")
    asked = prompt(table.state, 1)
    assert [choice.key for choice in asked.choices] == ["0", "1", "2", "surrender", "resign"]
    assert ready(table.state, 1, "2").action == "revenge 2"
    with pytest.raises(RulesError, match="not-your-turn"):
        ENGINE.choices(table.state, 0)


def test_who_may_take_back_is_offered_it_while_the_other_is_to_act():
    revenge = {"sanada": {"up": 1, "down": 0}, "tokugawa": {"up": 0, "down": 0}}
    table = Table(load(dealt(2, "jgjgjgj", revenge=revenge))).play(0, "deploy e4")
    asked = prompt(table.state, 0)
    assert [choice.key for choice in asked.choices] == ["takeback"]
    assert ready(table.state, 0, "takeback").action == "takeback"
    with pytest.raises(RulesError, match="stale-path"):
        ENGINE.choices(table.state, 1, ["takeback"])


def test_uncovering_a_row_is_asked_about_twice():
    state = load(place(dealt(2, "jgjgjgj"), c4="t1", e4="t3", g4="t3 s2"))
    warned = {ready.action for ready in ends(state, 0) if ready.warning == "uncovers"}
    assert warned == {text for text in ENGINE.legal(state, 0).actions if text.startswith("move g4")}
    loses = {option.target for option in ENGINE.view(state, 0).legal if option.loses}
    assert loses == {text.split()[2] for text in warned}
    assert {r.warning for r in ends(state, 0) if r.action in ALWAYS} == {"surrender", "resign"}


def test_a_fight_that_may_uncover_a_row_is_warned_about_without_telling_the_outcome():
    for hidden in ("t3", "t5"):
        state = load(place(dealt(3, "jgjgjgj"), c4="t1", e4="t3", g4=f"{hidden} s4"))
        warning = ready(state, 0, "fight", "g4").warning
        assert warning == "may-hand-over"


@pytest.mark.parametrize("level", opponent.LEVELS)
@pytest.mark.parametrize("act", range(1, 7))
def test_no_level_misses_a_win_or_a_block(act, level):
    play_and_check(act, level, 1, 6 if act < 4 else 3)


@pytest.mark.long
@pytest.mark.parametrize("level", opponent.LEVELS)
@pytest.mark.parametrize("act", range(1, 7))
def test_no_level_misses_a_win_or_a_block_in_many_games(act, level):
    play_and_check(act, level, COUNT or 5, 40)


def play_and_check(act, level, games, plies):
    for seed in range(games):
        table = Table(seed=seed.to_bytes(4, "big"), act=act)
        for _ in range(plies):
            if ENGINE.result(table.state):
                break
            state, seat = table.state, table.seat
            text = opponent.choose(
                ENGINE.view(state, seat), level, Chance(seed.to_bytes(4, "big"), table.entry)
            )
            assert text in ENGINE.legal(state, seat).actions
            check_choice(state, seat, text)
            picks = Chance(b"other" + seed.to_bytes(4, "big"), table.entry)
            table.play(seat, text if table.entry % 3 else picks.pick(ENGINE.legal(state, seat).actions))


def check_choice(state, seat, text):
    """A plain win is taken; else, where some action leaves no plain win, so does this one."""
    board = state.board
    plays = [play for play in rules.legal(board) if play.kind != "fight"]
    outcomes = [rules.after(board, play) for play in plays]
    wins = any(done.winner == seat for done in outcomes)
    chosen = ENGINE.apply(state, seat, ENGINE.parse(text, state, seat), Chance(b"", 0))
    won = [event.params["winner"] for event in chosen.events if event.code == "act-won"]
    if wins:
        assert won == [seat]
    elif any(done.winner is None and not plain_win(done.board) for done in outcomes) and not won:
        assert chosen.state.phase == "revenge" or not plain_win(chosen.state.board)
    elif won and any(done.winner is None for done in outcomes):
        assert won == [seat]


def plain_win(board):
    """Whether the side to act has a Deploy, Move or Surprise that wins."""
    return any(
        rules.after(board, play).winner == board.mover for play in rules.legal(board) if play.kind != "fight"
    )
