"""A small Discord of our own on the loopback interface, run as a process of its own.

It keeps what a board game bot needs (servers, channels, threads, messages, DMs, commands,
interactions, nonces) and can fail on request: 429s, held answers, dropped sockets. `python -m
tests.process.loopback` prints one line of JSON with its addresses and serves until it is ended.
"""
