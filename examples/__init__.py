"""Two small games that a new one begins as a copy of: `python -m examples new GAME --from nim|tribute`."""
