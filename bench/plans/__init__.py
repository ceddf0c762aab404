"""Plain plans of play by game, outsiders to measure opponents against: a module a game.

`PLANS` maps a plan's name to its `choose(view, chance)`, which answers in canonical notation.
"""
