"""The headless driver on a tiny game: what it answers, and that nothing given to it breaks it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import __main__ as program
from engines.chance import Chance
from engines.cli.driver import COMMANDS, Driver
from engines.protocol import RulesError
from engines.record import Record, append, fold, new, read_record, start, state_hash, take_back
from engines.registry import GAMES, engine


@pytest.fixture(autouse=True)
def _race(monkeypatch):
    monkeypatch.setitem(GAMES, "race", "tests.engines.fake_race:Race")


@pytest.fixture
def driver():
    return Driver(stdin=False)


def played(driver, *texts):
    record = driver.answer(["new", "race", "--seed", "01ff"])
    for turn, text in enumerate(texts):
        record = driver.answer(["apply", record, "--seat", turn % 2, "--action", text])
    return record


def refused(driver, words):
    with pytest.raises(RulesError) as caught:
        driver.answer(words)
    return caught.value.code


def test_a_new_record_commits_to_its_seed(driver):
    record = played(driver)
    assert record == {
        "format": 1,
        "game": "race",
        "rules": 1,
        "options": {"goal": 5},
        "seats": 2,
        "seed": "01ff",
        "commitment": sha256(bytes.fromhex("01ff")).hexdigest(),
        "actions": [],
    }
    assert driver.answer(["verify", record])["ok"] is True
    assert refused(driver, ["verify", {**record, "seed": "02"}]) == "bad-commitment"


def test_actions_add_up_and_show_tells_who_acts(driver):
    record = played(driver, "add 2", '{"type":"add","by":1}', {"type": "add", "by": 1})
    assert driver.answer(["show", record])["view"] == {"game": "race", "viewer": None, "pile": 4}
    assert driver.answer(["show", record, "--viewer", 1])["view"]["viewer"] == 1
    whole = driver.answer(["show", record, "--viewer", "all", "--at", "1"])
    assert whole == {"to_act": [1], "result": None, "position": {"pile": 2, "goal": 5, "turn": 1}}
    over = driver.answer(["show", driver.answer(["apply", record, "--seat", 1, "--action", "add 1"])])
    assert over["result"] == {"winners": [1], "scores": [0, 0], "reason": "points"}
    assert over["to_act"] == []


def test_legal_lists_for_the_seat_that_acts_only(driver):
    record = played(driver, "add 2")
    assert driver.answer(["legal", record, "--seat", 1])["actions"] == ["add 1", "add 2"]
    assert driver.answer(["legal", record, "--seat", 0]) == {"complete": True, "actions": []}
    assert driver.answer(["legal", record, "--seat", 1, "--prefix", "ADD  2"])["actions"] == ["add 2"]
    assert refused(driver, ["legal", record, "--seat", 2]) == "bad-seat"


def test_perft_counts_lines_that_reach_each_depth(driver):
    counts = driver.answer(["perft", played(driver), 5])
    assert counts == {"1": 2, "2": 4, "3": 8, "4": 8, "5": 2}  # a line ends at a sum of 5


def test_undo_takes_back_what_stands_and_draws_anew(driver):
    record = new("race", 2, b"\x05")
    history = fold(record)
    history = append(history, 0, "draw")
    history = append(history, 1, "add 1")
    history = take_back(history, 2)
    assert history.state == start(record).state
    history = append(history, 0, "draw")
    drawn = 1 + Chance(b"\x05", 4).below(1000) % 2
    assert history.record.engine.position(history.state)["pile"] == drawn
    again = read_record(json.loads(json.dumps(history.record.json_value())))
    assert fold(again).state == history.state
    assert fold(again, 2).state == history.at(2)
    with pytest.raises(RulesError, match="bad-undo"):
        take_back(history, 2)


def test_replay_gives_one_line_an_entry_with_its_hash(driver):
    record = played(driver, "add 2", "draw")
    record["actions"].append({"undo": 1})
    plies = driver.answer(["replay", record])
    assert [ply["ply"] for ply in plies] == [1, 2, 3]
    assert plies[2]["seat"] is None
    assert plies[2]["action"] == {"undo": 1}
    assert plies[2]["hash"] == plies[0]["hash"] != plies[1]["hash"]
    assert plies[0]["events"][0]["code"] == "added"


def test_a_record_that_does_not_replay_names_the_entry(driver):
    record = played(driver, "add 2")
    record["actions"].append({"seat": 0, "action": {"type": "add", "by": 1}})
    with pytest.raises(RulesError) as caught:
        driver.answer(["show", record])
    assert caught.value.code == "does-not-replay"
    assert caught.value.params == {"ply": 2, "error": "not-your-turn", "params": {"seat": 0}}


def test_a_position_starts_a_record(driver):
    record = driver.answer(["from-position", "race", {"pile": 3, "goal": 5, "turn": 1}])
    assert driver.answer(["show", record])["to_act"] == [1]
    assert read_record(record).position == {"pile": 3, "goal": 5, "turn": 1}
    assert refused(driver, ["from-position", "race", {"pile": "x"}]) == "bad-position"


def test_random_games_end_and_are_the_same_for_a_seed(driver):
    words = ["random", "race", "--seed", "07", "--options", {"goal": 7}]
    record = driver.answer(words)
    assert driver.answer(words) == record
    assert driver.answer(["show", record])["result"] is not None
    assert len(driver.answer([*words, "--max-plies", "2"])["actions"]) == 2


def test_what_the_driver_remembers_is_what_a_fresh_one_works_out(driver):
    record = played(driver, "draw", "draw")
    assert driver.answer(["replay", record]) == Driver().answer(["replay", record])
    assert (
        fold(read_record(record)).state == fold(read_record(record), known=fold(read_record(record), 1)).state
    )


BAD = [
    ([], "unknown-command"),
    (["sing"], "unknown-command"),
    ([["new"]], "unknown-command"),
    (["new"], "bad-arguments"),
    (["new", "chess"], "unknown-game"),
    (["new", 7], "bad-arguments"),
    (["new", "race", "--seed", "xyz"], "bad-seed"),
    (["new", "race", "--seed", "0"], "bad-seed"),
    (["new", "race", "--seed", 5], "bad-seed"),
    (["new", "race", "--seats", "9"], "bad-seats"),
    (["new", "race", "--seats", "9" * 40], "bad-seats"),
    (["new", "race", "--seats", True], "bad-seats"),
    (["new", "race", "--options", '{"goal":6}'], "bad-options"),
    (["new", "race", "--options", "[NaN]"], "bad-json"),
    (["new", "race", "--options", "[" * 100_000], "bad-json"),
    (["new", "race", "--options", "1" * 5000], "bad-json"),
    (["new", "race", "--options", "1e999"], "bad-json"),
    (["new", "race", "--options", '{"\\ud800":1}'], "bad-json"),
    (["new", "race", "--colour", "red"], "bad-arguments"),
    (["new", "race", "--seats"], "bad-arguments"),
    (["new", "race", "extra"], "bad-arguments"),
    (["new", "race", "--seed", "00", "--seed", "00"], "bad-arguments"),
    (["show", "-"], "bad-path"),
    (["show", "/"], "bad-path"),
    (["show", "/no/such\x00file"], "bad-path"),
    (["show", "x" * 50_000], "bad-path"),
    (["show", []], "bad-arguments"),
    (["show", {}], "bad-record"),
    (["show", "RECORD", "--viewer", "5"], "bad-seat"),
    (["show", "RECORD", "--viewer", None], "bad-seat"),
    (["show", "RECORD", "--at", "2"], "bad-ply"),
    (["show", "RECORD", "--at", "-1"], "bad-ply"),
    (["apply", "RECORD", "--seat", "0"], "bad-arguments"),
    (["apply", "RECORD", "--seat", "-1", "--action", "add 1"], "bad-seat"),
    (["apply", "RECORD", "--seat", "1.5", "--action", "add 1"], "bad-seat"),
    (["apply", "RECORD", "--seat", "1", "--action", "add 1"], "not-your-turn"),
    (["apply", "RECORD", "--seat", "0", "--action", "add 3"], "too-far"),
    (["apply", "RECORD", "--seat", "0", "--action", "a" * 50_000], "bad-action"),
    (["apply", "RECORD", "--seat", "0", "--action", "add\x001"], "bad-action"),
    (["apply", "RECORD", "--seat", "0", "--action", ""], "bad-action"),
    (["apply", "RECORD", "--seat", "0", "--action", '{"type":'], "bad-action"),
    (["apply", "RECORD", "--seat", "0", "--action", '{"type":NaN}'], "bad-action"),
    (["apply", "RECORD", "--seat", "0", "--action", '{"a":' * 700], "bad-action"),
    (["apply", "RECORD", "--seat", "0", "--action", ["add"]], "bad-arguments"),
    (["perft", "RECORD", "0"], "bad-depth"),
    (["perft", "RECORD", "x"], "bad-depth"),
    (["perft", "RECORD"], "bad-arguments"),
    (["random", "race"], "bad-arguments"),
    (["random", "race", "--seed", "00", "--max-plies", "-3"], "bad-ply"),
    (["serve"], "unknown-command"),
]


@pytest.mark.parametrize(
    ("words", "code"), BAD, ids=lambda value: str(value)[:50].encode("ascii", "replace").decode()
)
def test_bad_input_is_one_error_with_a_code(driver, words, code):
    record = played(driver)
    words = [record if word == "RECORD" else word for word in words]
    assert refused(driver, words) == code
    out = io.StringIO()
    if all(isinstance(word, str) for word in words) and words != ["serve"] and words != ["show", "-"]:
        assert program.main(words, out) == 1
        assert json.loads(out.getvalue())["error"]["code"] == code


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"rules": 2},
        {"rules": 0},
        {"seats": "many"},
        {"seats": "2"},
        {"actions": [{"seat": True, "action": {"type": "add", "n": 1}}]},
        {"actions": [{"undo": True}]},
        {"seats": 10**30},
        {"seed": ""},
        {"actions": {}},
        {"actions": [{}]},
        {"actions": [{"undo": 0}]},
        {"actions": [{"seat": 0, "action": "add 1"}]},
        {"secret": 1},
        {"game": None},
    ],
    ids=str,
)
def test_a_broken_record_is_refused(driver, change):
    assert refused(driver, ["show", {**played(driver), **change}]) == "bad-record"


def test_files_are_read_and_broken_ones_refused(driver, tmp_path):
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(played(driver, "add 1")))
    assert driver.answer(["show", str(good)])["view"]["pile"] == 1
    for content in (b"", b"\xff\xfe\x00\x01", b"{", b"[" * 5000, b'{"a":"\\ud800"}', b"\x89PNG"):
        bad.write_bytes(content)
        assert refused(driver, ["show", str(bad)]) == "bad-json"


def test_serve_answers_every_line_and_goes_on():
    lines = [
        b'["new","race"]',
        b"not json",
        b"",
        b'{"new":1}',
        b"\xff\xff",
        b'["show","-"]',
        b'["new",{"a":[]}]',
        b'["new","kamisado","--seed","\\ud800"]',
        b'["serve"]',
        b'["random","chess","--seed","01"]',
        b'["new"',
    ]
    done = subprocess.run(
        [sys.executable, "-m", "engines", "serve"],
        input=b"\n".join(lines) + b"\n",
        capture_output=True,
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.stderr == b""
    assert done.returncode == 0
    codes = [answer["error"]["code"] for answer in answers]
    assert codes == [
        "unknown-game",
        "bad-json",
        "bad-json",
        "bad-arguments",
        "bad-json",
        "bad-path",
        "bad-arguments",
        "bad-json",
        "unknown-command",
        "unknown-game",
        "bad-json",
    ]


def test_an_answer_that_cannot_be_written_is_no_traceback():
    shell = f"exec {sys.executable} -m engines new kamisado >/dev/full"
    done = subprocess.run(["/bin/sh", "-c", shell], capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stderr == b""


def test_an_action_as_json_may_be_laid_out_over_lines_and_has_squares_in_any_case(driver):
    record = driver.answer(["new", "kamisado"])
    text = json.dumps({"type": "move", "from": "D8", "to": "d3"}, indent=2)
    assert driver.answer(["apply", record, "--seat", 0, "--action", text])["actions"] == [
        {"seat": 0, "action": {"type": "move", "from": "d8", "to": "d3"}}
    ]


def test_a_closed_standard_input_is_an_error():
    shell = f"exec {sys.executable} -m engines show - <&-"
    done = subprocess.run(["/bin/sh", "-c", shell], capture_output=True, check=False)
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["code"] == "bad-path"
    assert done.stderr == b""


words_of_all_kinds = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from([*COMMANDS, "race", "--seat", "0"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(words_of_all_kinds, max_size=7))
def test_no_request_raises_anything_but_rules_errors(words):
    failed, answer = program.guarded(lambda: program.request(Driver(stdin=False), json.dumps(words).encode()))
    assert not failed or answer["error"]["code"] != "internal"


def test_states_hash_equal_only_when_equal(driver):
    first, second = (fold(read_record(played(driver, text))).state for text in ("add 1", "add 2"))
    assert state_hash(first) != state_hash(second)
    assert state_hash(first) == state_hash(engine("race").load(engine("race").dump(first)))
    assert isinstance(read_record(Record.model_validate(played(driver))), Record)


def chosen(driver, record, *more):
    return driver.answer(["choose", record, "--seat", 0, "--level", "easy", *more])["action"]


@pytest.mark.parametrize("game", GAMES)
def test_the_opponent_chooses_something_legal_by_the_seed_and_the_number_of_entries(driver, game):  # 12.2
    seats = engine(game).seat_counts(engine(game).read_options({}))[0]
    record = driver.answer(["new", game, "--seed", "05", "--seats", seats])
    seat = min(driver.answer(["show", record])["to_act"])
    words = ["choose", record, "--seat", seat, "--level", "easy", "--seed", "09"]
    answer = driver.answer(words)
    assert answer == Driver().answer(words), "the same again"
    assert list(answer) == ["action"]
    after = driver.answer(["apply", record, "--seat", seat, "--action", answer["action"]])
    assert len(after["actions"]) == 1


def test_the_opponents_choice_depends_on_its_own_seed_and_on_how_much_was_written_not_on_the_games_seed(
    driver,
):  # 12.2
    record = driver.answer(["new", "kamisado", "--seed", "05"])
    assert len({chosen(driver, record, "--seed", f"{n:02x}") for n in range(20)}) > 1
    assert chosen(driver, record) == chosen(driver, record, "--seed", "00")
    other = driver.answer(["new", "kamisado", "--seed", "06"])
    assert [chosen(driver, record, "--seed", f"{n:02x}") for n in range(9)] == [
        chosen(driver, other, "--seed", f"{n:02x}") for n in range(9)
    ]
    streams = set()
    for undone in range(8):
        entries = [{"seat": 0, "action": {"type": "move", "from": "d8", "to": "d3"}}, {"undo": 1}] * undone
        streams.add(chosen(driver, {**record, "actions": entries}, "--seed", "03"))
    assert len(streams) > 1, "drawn anew after an undo"


def test_the_opponent_knows_no_more_than_its_seats_view(driver, monkeypatch):  # 12.2
    class Nosy:
        LEVELS = ("easy",)

        def choose(self, view, level, chance):
            asked.append((view, level, chance.below(2**64)))
            return "add 1"

    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr("engines.cli.driver.opponent", lambda game: Nosy())
    record = played(driver, "add 1", "add 1")
    assert chosen(driver, record, "--seed", "0a") == "add 1"
    state = fold(read_record(record)).state
    ((view, level, drawn),) = asked
    assert view == engine("race").view(state, 0)
    assert level == "easy"
    game_draws = Chance(bytes.fromhex("0a"), 3).below(2**64)
    assert drawn != game_draws, "a stream of its own, also where the game has the same seed"


BAD_CHOICES = [
    (["--level", "easy"], "bad-arguments"),
    (["--seat", "0"], "bad-arguments"),
    (["--seat", "0", "--level", "grim"], "bad-level"),
    (["--seat", "0", "--level", ["easy"]], "bad-level"),
    (["--seat", "0", "--level", 7], "bad-level"),
    (["--seat", "2", "--level", "easy"], "bad-seat"),
    (["--seat", "1", "--level", "easy"], "not-your-turn"),
    (["--seat", "0", "--level", "easy", "--seed", "x"], "bad-seed"),
]


@pytest.mark.parametrize(("words", "code"), BAD_CHOICES)
def test_a_choice_that_cannot_be_made_is_refused_with_its_code(driver, words, code):  # 12.2
    record = driver.answer(["new", "kamisado"])
    assert refused(driver, ["choose", record, *words]) == code


def test_nobody_chooses_without_an_opponent_or_after_the_end(driver):  # 12.2
    assert refused(driver, ["choose", played(driver), "--seat", 0, "--level", "easy"]) == "no-opponent"
    record = driver.answer(["new", "kamisado"])
    over = driver.answer(["apply", record, "--seat", 0, "--action", "resign"])
    assert refused(driver, ["choose", over, "--seat", 0, "--level", "easy"]) == "game-over"


def test_a_process_and_serve_choose_alike(tmp_path):  # 12.2
    record = Driver().answer(["new", "kamisado", "--seed", "05"])
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record))
    words = ["choose", str(path), "--seat", "0", "--level", "easy", "--seed", "07"]
    out, served = io.StringIO(), io.StringIO()
    assert program.main(words, out) == 0
    assert program.main(["choose", str(path), "--seat", "1", "--level", "easy"], io.StringIO()) == 1
    line = json.dumps(["choose", record, "--seat", 0, "--level", "easy", "--seed", "07"])
    serving = subprocess.run(
        [sys.executable, "-m", "engines", "serve"],
        input=line + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    served.write(serving.stdout)
    assert json.loads(out.getvalue()) == json.loads(served.getvalue())
    assert list(json.loads(out.getvalue())) == ["action"]
