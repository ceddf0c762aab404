"""Whether the commands that Discord has are ours: told from its own list, which others may have changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

UNORDERED = frozenset({"contexts", "integration_types", "channel_types"})
SAID = frozenset(  # what has a meaning also where we do not say it
    {
        *("options", "choices", "name_localizations", "description_localizations", "channel_types"),
        *("default_member_permissions", "nsfw", "required", "autocomplete"),
        *("min_value", "max_value", "min_length", "max_length"),
    }
)
OLD = frozenset({"dm_permission"})  # what `contexts` say now; Discord answers with its own view of it


def registered(ours: Sequence[Mapping[str, Any]], theirs: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the list is ours, in any order: every command with all that we say of it, and no other."""
    named = {name_of(command): command for command in theirs}
    return len(named) == len(theirs) == len(ours) and all(
        name_of(command) in named and like(command, named[name_of(command)]) for command in ours
    )


def name_of(command: Mapping[str, Any]) -> tuple[str, int]:
    """What tells commands apart: the name, and whether it is a slash command."""
    return str(command["name"]), int(command.get("type") or 1)


def like(ours: Any, theirs: Any, key: str = "") -> bool:
    """Whether Discord's value says what ours does; what it leaves out is empty, what it adds is its own."""
    if isinstance(ours, Mapping):
        fields = theirs if isinstance(theirs, Mapping) else {}
        if key.endswith("_localizations"):
            return dict(ours) == dict(fields)
        said = (SAID.intersection(fields) | ours.keys()) - OLD
        return all(like(ours.get(name), fields.get(name), name) for name in said)
    if isinstance(ours, Sequence) and not isinstance(ours, str):
        given = theirs if isinstance(theirs, Sequence) else ()
        if key in UNORDERED:
            return sorted(ours) == sorted(given)
        return len(ours) == len(given) and all(like(a, b) for a, b in zip(ours, given, strict=True))
    return bool(ours == theirs) or (empty(ours) and empty(theirs))


def empty(value: Any) -> bool:
    """Whether it is as good as left out."""
    return value is None or value is False or (isinstance(value, Sequence | Mapping) and not value)
