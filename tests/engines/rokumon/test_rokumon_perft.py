import pytest

from engines.perft import perft as count_by_the_engine
from engines.rokumon import perft
from tests.engines.rokumon.rokumon_tables import ENGINE, PERFT, bare_board, dealt, load

QUICK = 10_000  # lines that a quick test counts
ROWS = [(row["act"], row["colors"], row["perft"]) for row in PERFT["perft"]]
NAMES = [f"act {act} {colors}" for act, colors, _ in ROWS]


def number(act):
    return 0 if act == "solo" else act


@pytest.mark.parametrize(("act", "colors", "counts"), ROWS, ids=NAMES)
def test_lines_of_actions_are_counted_as_by_the_independent_program(act, colors, counts):
    quick = [count for count in counts if count <= QUICK]
    assert perft(bare_board(number(act), colors), len(quick)) == tuple(quick)


@pytest.mark.long
@pytest.mark.parametrize(("act", "colors", "counts"), ROWS, ids=NAMES)
def test_the_deepest_lines_are_counted_too(act, colors, counts):
    assert perft(bare_board(number(act), colors), len(counts)) == tuple(counts)


@pytest.mark.parametrize(("act", "colors", "counts"), [row for row in ROWS if row[0] != "solo"])
def test_positions_built_from_the_deals_count_the_same_by_whole_actions(act, colors, counts):
    quick = tuple(count for count in counts if count <= 600)
    state = load(dealt(act, colors))
    assert ENGINE.perft(state, len(quick)) == quick
    engine = type("Slow", (type(ENGINE),), {"perft": lambda *_: None})()
    assert count_by_the_engine(engine, state, len(quick), b"\0", 1) == quick


@pytest.mark.parametrize(("act", "colors", "counts"), [row for row in ROWS if row[0] == "solo"])
def test_both_clans_are_moved_by_hand_where_act_2_is_laid_out_as_the_hexagon(act, colors, counts):
    quick = tuple(count for count in counts if count <= QUICK)
    state = load({**dealt(act, colors), "act": 2, "layout": "hexagon"})
    assert ENGINE.position(state)["layout"] == "hexagon"
    assert ENGINE.perft(state, len(quick)) == quick
