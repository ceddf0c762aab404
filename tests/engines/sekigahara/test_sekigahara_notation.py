"""Notation as people type it: parts in any order, any case, blanks too many or too few."""

from __future__ import annotations

import pytest

from engines.protocol import RulesError
from tests.engines.sekigahara.sekigahara_positions import ENGINE, Game

STATE = Game({}).state
CANONICAL = "march kyoto mori2 mori3 > minakuchi -mori2 > kuwana leader ukita-leader force mori"


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        ("MARCH Kyoto MORI3 mori2>minakuchi -MORI2>kuwana FORCE mori LEADER ukita-leader", CANONICAL),
        ("march kyoto force mori leader ukita-leader mori3 mori2 > minakuchi -mori2 > kuwana", CANONICAL),
        ("march kyoto mori-gun mori2 > minakuchi  -  mori-gun - mori2 > kuwana",
         "march kyoto mori2 mori-gun > minakuchi -mori2 -mori-gun > kuwana"),
        ("march kyoto mori2 ukita2>minakuchi-mori2>kuwana",
         "march kyoto mori2 ukita2 > minakuchi -mori2 > kuwana"),
        ("deploy with ukita-double ukita3 ukita2", "deploy ukita2 ukita3 with ukita-double"),
        ("Deploy ukita3 ukita2 With UKITA-DOUBLE", "deploy ukita2 ukita3 with ukita-double"),
        ("muster shown osaka kobayakawa3", "muster osaka kobayakawa3 shown"),
        ("muster osaka shown kobayakawa3 kobayakawa2", "muster osaka kobayakawa2 kobayakawa3 shown"),
        ("mori ukita=mori3", "mori ukita = mori3"),
        ("retreat castle mori3 gifu", "retreat gifu castle mori3"),
        ("retreat castle mori3 mori2", "retreat castle mori2 mori3"),
        ("lose sanada mori3 mori2", "lose mori2 mori3 sanada"),
        ("  discard   Loyalty  date ", "discard loyalty date"),
    ],
)  # fmt: skip
def test_parts_may_stand_in_any_order_case_and_blanks(typed, means):
    assert ENGINE.format(ENGINE.parse(typed, STATE, 0)) == means


@pytest.mark.parametrize(
    "text",
    [
        "march kyoto mori2 > kuwana force", "march kyoto mori2 > kuwana force mori force mori",
        "march kyoto mori2 > minakuchi mori2 > kuwana", "march kyoto mori2 > > kuwana", "march kyoto mori2 >",
        "deploy ukita2 with", "deploy ukita2 with ukita mori", "muster osaka kobayakawa3 shown shown",
        "mori mori3 = ukita", "mori ukita = mori3 = mori3", "retreat gifu castle", "retreat castle",
        "retreat gifu kyoto", "retreat gifu mori3", "castle inside", "inside now", "first me", "move fast",
        '{"type":"castle","inside":"yes"}', '{"type":"castle"}', '{"type":"end","extra":1}',
        '{"type":"march","from":"kyoto","blocks":["mori2"],"path":["kuwana"],"leader":""}',
        '{"type":"march","from":"kyoto","blocks":["mori2"],"path":["kuwana"],"force":""}',
        '{"type":"deploy","card":"","blocks":["mori-leader"]}', '{"type":"retreat","to":""}',
        '{"type":"muster","to":"osaka","blocks":["kobayakawa3"],"shown":"no"}', "{}", "[]",
    ],
)  # fmt: skip
def test_what_says_nothing_or_two_things_is_not_read(text):
    with pytest.raises(RulesError, match="bad-action"):
        ENGINE.parse(text, STATE, 0)
