"""The first time that a rule matters to a player: one line that names it, and the way to its page."""

from __future__ import annotations

from collections.abc import Iterator

from cogs.text.answers import Interaction
from engines.protocol import Json, Prompt, Seen
from locales import Words
from render.lessons import First, first_rules
from tables.core.model import Panel


def codes_of(step: Prompt, events: tuple[Seen, ...]) -> Iterator[str]:
    """What a step that its player is shown brings up: the question, its choices and notes, what happened.

    A value of a parameter stands behind the question's code: `march-to/overruns`, `target/teeth:1`.
    """
    yield step.code
    for name, value in step.params.items():
        yield f"{step.code}/{name}:{value}"
    for choice in step.choices:
        yield choice.code
        yield from (f"{step.code}/{value}" for param in choice.params.values() for value in texts(param))
    yield from (seen.code for seen in (*step.notes, *events))


def texts(value: Json) -> Iterator[str]:
    """The words in a parameter: itself, or those of a list."""
    for part in value if isinstance(value, list) else (value,):
        if isinstance(part, str):
            yield part


async def first_met(interaction: Interaction, game: str, codes: set[str]) -> First | None:
    """The first rule among what these codes bring up that the user was never told of; from now on he was."""
    rules = first_rules(game, codes)
    new = await interaction.client.tables.first_met(
        interaction.user.id, game, [first.rule for first in rules]
    )
    return next((first for first in rules if first.rule == new), None)


async def first_of(interaction: Interaction, panel: Panel) -> First | None:
    """The rule that this panel is the first to bring up, if any."""
    if not isinstance(panel.step, Prompt):
        return None
    return await first_met(interaction, panel.shown.table.game, {*codes_of(panel.step, panel.shown.events)})


def first_line(game: str, first: First | None, words: Words) -> str:
    """The line about a rule; "" for none."""
    if first is None:
        return ""
    title = words(f"{game}.rules.{first.page}.title", game=game)
    return words("panel.first-time", rule=words(f"{game}.first.{first.rule}"), page=first.page, title=title)
