"""A table is one running game: loads it, locks it, asks the engine, commits, queues the messages."""
