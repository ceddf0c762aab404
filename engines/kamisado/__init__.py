"""Kamisado: two players, eight colours, dragon towers that push."""

from engines.kamisado.flow import Kamisado
from engines.meta import Meta

__all__ = ["META", "Kamisado"]

META = Meta(
    game="kamisado",
    title="Kamisado",
    seats=(2,),
    stage="released",
    rules="docs/rules/kamisado.md",
)
