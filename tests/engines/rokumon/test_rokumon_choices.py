import pytest

from engines.chance import Chance
from engines.protocol import Ready, RulesError
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
    assert [choice.key for choice in asked.choices] == ["0", "1", "2", "give-up"]
    assert ready(table.state, 1, "2").action == "revenge 2"
    assert [choice.key for choice in prompt(table.state, 0).choices] == ["give-up"]


def test_who_may_take_back_is_offered_it_while_the_other_is_to_act():
    revenge = {"sanada": {"up": 1, "down": 0}, "tokugawa": {"up": 0, "down": 0}}
    table = Table(load(dealt(2, "jgjgjgj", revenge=revenge))).play(0, "deploy e4")
    asked = prompt(table.state, 0)
    assert [choice.key for choice in asked.choices] == ["takeback", "give-up"]
    assert ready(table.state, 0, "takeback").action == "takeback"
    with pytest.raises(RulesError, match="stale-path"):
        ENGINE.choices(table.state, 1, ["takeback"])


def test_who_uncovered_a_row_is_offered_the_take_back_also_where_he_is_to_begin():  # 13.0
    revenge = {"sanada": {"up": 1, "down": 0}, "tokugawa": {"up": 0, "down": 0}}
    given = place(dealt(2, "jgjgjgj", revenge=revenge), c4="t1", e4="t3", g4="t3 s2")
    table = Table(load(given)).play(0, "move g4 d3")
    assert [choice.key for choice in prompt(table.state, 0).choices] == [*("deploy", "takeback", "give-up")]
    assert ready(table.state, 0, "takeback").action == "takeback"
    assert ENGINE.complete("take", table.state, 0) == ["takeback"]
    assert ENGINE.complete("take", table.state, 1) == []
    assert "takeback" not in ENGINE.legal(table.state, 0).actions
    table.play(0, "takeback")
    assert "takeback" not in [choice.key for choice in prompt(table.state, 0).choices]


@pytest.mark.parametrize("options", [{"act": 1}, {"act": 4}, {"solo": "hard"}, {}])
def test_giving_up_does_not_stand_beside_moves(options):  # 13.C20
    asked = prompt(Table(seed=b"up", **options).state, 0)
    assert not {"surrender", "resign"} & {choice.key for choice in asked.choices}
    (aside,) = [choice for choice in asked.choices if choice.aside]
    there = prompt(Table(seed=b"up", **options).state, 0, aside.key)
    assert [choice.key for choice in there.choices] == ["surrender", "resign"]


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


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("move g4 d3", "uncovers"),
        ("move g4 g4", None),  # not legal: the refusal says why
        ("deploy d3", None),
        ("deploy 6 d3", None),
        ("fight e4", None),
        ("revenge 1", None),
        ("takeback", None),
        ("surrender", "surrender"),
        ("resign", "resign"),
    ],
)
def test_a_typed_action_has_the_warning_of_the_panel(text, warning):
    state = load(place(dealt(2, "jgjgjgj"), c4="t1", e4="t3", g4="t3 s2"))
    confirmed = ENGINE.confirm(state, 0, ENGINE.parse(text, state, 0))
    assert (confirmed.action, confirmed.warning) == (text, warning)


def test_a_typed_deploy_of_the_only_kind_of_warrior_left_is_looked_at_without_its_value():
    state = load(place(dealt(3, "jgjgjgj"), c4="s4", d3="s6"))
    assert ENGINE.confirm(state, 0, ENGINE.parse("deploy e4", state, 0)).warning is None


def test_only_acts_with_hidden_values_have_secrets():
    assert [ENGINE.secrets(Table(act=act).state) for act in range(1, 7)] == [False] * 2 + [True] * 3 + [False]
    assert not ENGINE.secrets(Table(solo="easy").state)


def chosen(position, seat, level="easy"):
    """What the opponent does in a position."""
    state = load(position)
    return opponent.choose(ENGINE.view(state, seat), level, Chance(b"", 0))


def up(sanada, tokugawa):
    """Revenge tokens face up."""
    return {"sanada": {"up": sanada, "down": 0}, "tokugawa": {"up": tokugawa, "down": 0}}


@pytest.mark.parametrize("level", opponent.LEVELS)
@pytest.mark.parametrize(
    ("stack", "revenge", "text"),
    [
        ("s4! t3!", (0, 0), "fight g4"),
        ("s4! t3!", (3, 3), "fight g4"),  # every token can be answered
        ("s2! t3!", (2, 0), "fight g4 +2"),
        ("s2! t3", (4, 0), "fight g4 +4"),  # enough for the strongest that it may be
        ("s4! t1*!", (0, 2), "fight g4"),
    ],
)
def test_a_fight_that_wins_for_sure_is_never_missed(level, stack, revenge, text):
    position = place(dealt(3, "jgjgjgj", revenge=up(*revenge)), c4="s2", e4="s6", g4=stack, d3="t1")
    assert chosen(position, 0, level) == text


def test_a_fight_that_tokens_can_turn_is_no_sure_win():
    position = place(dealt(3, "jgjgjgj", revenge=up(0, 2)), c4="s2", e4="s6", g4="s4! t3!", d3="t1 s2")
    assert chosen(position, 0) != "fight g4"


def test_tokens_are_answered_as_long_as_the_act_is_at_stake():
    position = place(dealt(3, "jgjgjgj", revenge=up(3, 3)), c4="s2", e4="s6", g4="s4! t3!", d3="t1")
    table = Table(load(position)).play(0, chosen(position, 0))
    while "act-won" not in table.codes:
        count = "revenge 1" if table.seat and table.state.revenge.tokugawa.up else None
        text = count or opponent.choose(ENGINE.view(table.state, table.seat), "hard", Chance(b"", 0))
        table.play(table.seat, text)
    assert table.events[-2].params["winner"] == 0


@pytest.mark.parametrize("level", opponent.LEVELS)
def test_a_fight_that_would_win_for_the_other_side_is_blocked(level):
    position = place(dealt(3, "jgjgjgj", revenge=up(0, 1)), c4="t1", e4="t3", g4="s2! t3!", to_move="sanada")
    state = load(position)
    text = opponent.choose(ENGINE.view(state, 0), level, Chance(b"", 0))
    after = Table(state).play(0, text).state
    assert "fight g4" not in text
    assert opponent.winning(after.board, (0, 1))[0] == 0


@pytest.mark.parametrize("level", opponent.LEVELS)
@pytest.mark.parametrize("act", range(1, 7))
def test_no_level_misses_a_win_or_a_block(act, level):
    play_and_check(act, level, 1, 2 if act < 4 else 1)


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


# -- from and to in one pick (17.4) -----------------------------------------------------------------


def test_a_warrior_and_where_it_goes_are_one_question_where_they_fit_a_select():
    state = load(place(dealt(2, "jgjgjgj"), c4="t1", e4="t3", g4="t3 s2", d3="s4"))
    asked = prompt(state, 0, "move")
    assert asked.code == "move-way"
    assert len({choice.key.partition("-")[0] for choice in asked.choices}) == 2
    moves = [text for text in ENGINE.legal(state, 0).actions if text.startswith("move")]
    assert [ready(state, 0, "move", choice.key).action for choice in asked.choices] == moves
    told = {choice.key: choice.code for choice in asked.choices}
    assert {told[key] for key in told if key.startswith("g4")} == {"way-loses"}


def test_the_only_action_there_is_is_not_asked_for():
    state = load(dealt(1, "jgjgjg"))
    asked = prompt(state, 0)
    assert asked.code == "deploy-target"
    assert asked.choices[-1].key == "give-up"
    assert ready(state, 0, asked.choices[0].key).action == f"deploy {asked.choices[0].key}"


def test_more_ways_than_a_select_holds_are_asked_for_one_after_the_other():
    table = Table(seed=b"wide", act=5)
    for _ in range(40):
        kinds = {choice.key for choice in prompt(table.state, table.seat).choices}
        if "surprise" in kinds:
            break
        table.at_random(1)
    assert prompt(table.state, table.seat, "surprise").code == "surprise-origin"


@pytest.mark.parametrize("options", [{"act": act} for act in range(1, 7)])
def test_an_action_costs_two_or_three_presses_but_for_what_is_hidden_in_numbers(options):
    table = Table(seed=b"presses", **options)
    for _ in range(20):
        if ENGINE.result(table.state):
            break
        for path in paths(table.state, table.seat):
            assert len(path) + 1 <= (4 if path[0] in ("fight", "surprise") else 3), path
        table.at_random(1)


def paths(state, seat, path=()):
    """Every way of the panel to an action, without what gives up."""
    asked = ENGINE.choices(state, seat, path)
    if isinstance(asked, Ready):
        return [path]
    open_ = [choice for choice in asked.choices if choice.key not in {*ALWAYS, "give-up"}]
    if len(open_) == 1 and path:  # taken by itself
        return [
            (*way[: len(path)], *way[len(path) + 1 :]) for way in paths(state, seat, (*path, open_[0].key))
        ]
    return [way for choice in open_ for way in paths(state, seat, (*path, choice.key))]
