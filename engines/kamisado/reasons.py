"""What an action of Kamisado's opponent was for: nothing here is secret, so the position says it."""

from __future__ import annotations

from engines.capabilities import Deed
from engines.kamisado.data import SIDES
from engines.kamisado.foresight import answer_to, losing
from engines.kamisado.model import KamisadoView, Target, other
from engines.protocol import Seen

MOST = 3


def reasons(deed: Deed[KamisadoView]) -> tuple[Seen, ...]:
    """Why an action was played, the weightiest reason first."""
    before, text = deed.before, deed.action
    if text is None or before.to_move is None:
        return ()
    if text == "resign":
        return (Seen(code="lost", params={"seat": 1 - deed.seat}),)
    if before.phase == "fill":
        return (Seen(code="fill", params={"end": text.removeprefix("fill "), "seat": 1 - deed.seat}),)
    return tuple(of_move(deed, text))[:MOST]


def of_move(deed: Deed[KamisadoView], text: str) -> list[Seen]:
    """Why a tower went where it went."""
    before, seat = deed.before, deed.seat
    played = next((one for one in before.targets if notation(one) == text), None)
    if played is None:
        return []
    if played.wins:
        return [Seen(code="wins", params={"square": played.to})]
    found = []
    if len(before.targets) == 1:
        found.append(Seen(code="only"))
    if danger := [t.to for t in before.targets if t is not played and gives(before, t)]:
        found.append(Seen(code="avoids", params={"n": len(danger), "seat": 1 - seat}))
    answer = answer_to(before, text)
    if answer is None:
        return found
    side = SIDES.index(answer.side)
    params = {"seat": side, "color": answer.color, "square": answer.square}
    if answer.again:
        found.append(Seen(code="wins-next" if answer.wins else "again", params=params))
    elif answer.wins:
        found.append(Seen(code="no-better", params={**params, "squares": list(answer.wins)}))
    else:
        found.append(Seen(code="calls", params={**params, "n": len(answer.reach)}))
        if all(gives_up(deed.after, target) for target in deed.after.targets):
            found.insert(0, Seen(code="traps", params=params))
    return found


def notation(target: Target) -> str:
    """A target as the text of its action."""
    return f"{target.from_}{'x' if target.kind == 'push' else '-'}{target.to}"


def gives(view: KamisadoView, target: Target) -> bool:
    """Whether the other side could win at once after this move."""
    if target.wins or view.to_move is None:
        return False
    answer = answer_to(view, notation(target))
    return answer is not None and answer.side == other(view.to_move) and bool(answer.wins)


def gives_up(after: KamisadoView, target: Target) -> bool:
    """Whether the side to move after the action lets its opponent win by this answer."""
    return target.to in losing(after, target.from_)
