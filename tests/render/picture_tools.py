"""What the picture tests share: the longest names, and forgetting what was drawn."""

import sys

LONGEST = ("Wolfeschlegelsteinhausenbergerdo", "はなさかじいさんとポチの大冒険物語です、むかしむかし")


def forget_sprites() -> None:
    """Empty every cache of the painters, so that everything is drawn again."""
    for name, module in list(sys.modules.items()):
        if name.startswith("render"):
            for thing in vars(module).values():
                if hasattr(thing, "cache_clear"):
                    thing.cache_clear()
