"""The Discord layer: commands, buttons, posts. No rules, no SQL, no drawing."""

from cogs.buttons import GuestSelect, TableButton, TableSelect
from cogs.panels import panel, shogun  # register what their buttons do
from cogs.rules import RulesButton

ITEMS = (TableButton, TableSelect, RulesButton, shogun.SheetSelect, GuestSelect)

__all__ = ["ITEMS", "panel"]
