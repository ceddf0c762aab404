"""The headless driver: `python -m engines`."""
