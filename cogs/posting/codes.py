"""Discord's error codes that mean something to the bot, and the trouble that passes."""

from __future__ import annotations

import aiohttp
import discord

NO_CHANNEL, NO_GUILD, NO_MEMBER, NO_MESSAGE, NO_USER = 10003, 10004, 10007, 10008, 10013
NO_ACCESS, DM_CLOSED, DMS_TOO_FAST = 50001, 50007, 40003
ARCHIVED, HAS_THREAD = 50083, 160004
NOT_TEXT, WRONG_KIND, NEEDS_TAG, LOCKED = 50008, 50024, 40067, 160005
THREADS_FULL, BAD_FORM = 160006, 50035
TROUBLE = (aiohttp.ClientError, TimeoutError, OSError)  # on the way to Discord


def refused(error: discord.HTTPException) -> bool:
    """Whether Discord would refuse it again: neither too fast nor trouble of its own."""
    return 400 <= error.status < 500 and error.status != 429 and error.code != DMS_TOO_FAST


def names_place(error: discord.HTTPException) -> bool:
    """Whether it is the place that is refused: gone, closed to the bot, or of a kind that takes no posts."""
    if error.status in (403, 404) or error.code in (NOT_TEXT, WRONG_KIND, NEEDS_TAG, LOCKED, ARCHIVED):
        return True
    return error.code == BAD_FORM and "channel_id" in error.text
