"""Kamisado: two players, eight colours, dragon towers that push."""

from engines.kamisado.flow import Kamisado

__all__ = ["Kamisado"]
