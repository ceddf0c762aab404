"""How strong the bot of the tests may be; what it plays is `players.FirstLegal`."""

LEVELS = ("easy", "normal", "hard")
