"""How the opponent's hard level thinks: on a view alone, in counts and its own faces.

force   what blocks and cards bring to a battle: known ones exactly, unknown ones on average
field   the map in a light form that marches are tried on, and where a stack gets
worth   what such a map is worth to a side: points, blocks, battles that are on, dangers, what is near
plans   the marches, musters and cards of a movement phase
fights  battles, sieges, losses, retreats
weeks   discards, bids, who goes first
manners when it gives up, when it takes a draw
mind    one decision, by phase
"""
