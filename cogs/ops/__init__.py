"""How the bot runs: health, log, timers, limits of use."""
