"""Moments as Discord shows them: to each reader in the own language and zone."""

from __future__ import annotations


def moment(ms: int, style: str = "f") -> str:
    """A moment (ms since 1970) as markup.

    Styles are Discord's: f day and time, D and d day, R "in 2 days".
    """
    return f"<t:{ms // 1000}:{style}>"
