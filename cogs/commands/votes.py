"""What has to be asked first: the player himself once more, or the others."""

from __future__ import annotations

from cogs.buttons.custom_ids import VOTE, Press
from cogs.buttons.lasting import TableButton, on_press
from cogs.text.answers import Interaction, answer, change, hold, wait
from cogs.text.completions import admitted
from cogs.text.layout import Rows
from locales import Words
from tables.core.errors import TableError, not_played
from tables.core.model import Table, Vote


def sure(table: Table, action: str, words: Words) -> Rows:
    """A danger button that really does it, and one that does nothing."""
    yes, no = (Press(table.id, table.version, name) for name in (action, "keep"))
    return Rows(TableButton(yes, words(f"button.{action}"), "danger"), TableButton(no, words("button.keep")))


async def ask_to_resign(interaction: Interaction, number: int) -> None:
    """Once more before it is lost. Raises `not-seated`, `over`."""
    words = await interaction.client.languages.of_user(interaction)
    table = await admitted(interaction, number)
    if table.status != "running":
        code = not_played(table.status, begun=table.started_at is not None)
        raise TableError(code, table=number, game=table.game)
    if table.seat_of(interaction.user.id) is None:
        raise TableError("not-seated", table=number, game=table.game)
    await answer(interaction, words("answer.sure-resign", table=number), view=sure(table, "resign", words))


async def undo(interaction: Interaction, number: int) -> None:
    """Takes back, or asks the others."""
    done = await interaction.client.tables.undo(number, interaction.user.id, interaction.id)
    words = await interaction.client.languages.of_user(interaction)
    await answer(interaction, asked(done, words) if isinstance(done, Vote) else words("answer.undone"))


@on_press("resign")
async def press_resign(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Resign, really."""
    await wait(interaction)
    await interaction.client.tables.resign(press.table, interaction.user.id, interaction.id)
    words = await interaction.client.languages.of_user(interaction)
    await answer(interaction, words("answer.resigned"))


@on_press("keep")
async def press_keep(interaction: Interaction, _press: Press, _values: tuple[str, ...]) -> None:
    """No: the question goes, and nothing was done."""
    await hold(interaction)
    words = await interaction.client.languages.of_user(interaction)
    await change(interaction, words("answer.kept"))


@on_press("vote")
async def press_vote(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Yes or no to what another player asked."""
    match = VOTE.fullmatch(press.action)
    if match is None:
        return
    await wait(interaction)
    agree = match["answer"] == "y"
    vote = await interaction.client.tables.vote(
        int(match["vote"]), interaction.user.id, agree, interaction.id, (press.table, press.version)
    )
    words = await interaction.client.languages.of_user(interaction)
    await answer(interaction, answered(vote, words) if agree else words("answer.vote-no"))


def asked(vote: Vote, words: Words) -> str:
    """Who asks for what was asked already has agreed to it; else the others are asked."""
    return answered(vote, words) if vote.status == "agreed" else words("answer.asked-others")


def answered(vote: Vote, words: Words) -> str:
    """What a yes has done, and which other questions closed with it, and why."""
    lines = [words(f"answer.vote-{vote.status}")]
    if vote.closed:
        kinds = [words(f"vote.{kind}") for kind in dict.fromkeys(vote.closed)]
        over = vote.table.status != "running"
        lines.append(words(f"answer.closed-{'over' if over else vote.kind}", kinds=kinds))
    return "\n".join(lines)
