"""Discord's error codes that mean something to the bot, and the trouble that passes."""

from __future__ import annotations

import aiohttp

NO_CHANNEL, NO_GUILD, NO_MEMBER, NO_MESSAGE, NO_USER = 10003, 10004, 10007, 10008, 10013
NO_ACCESS, NO_PERMISSION, DM_CLOSED, DMS_TOO_FAST = 50001, 50013, 50007, 40003
ARCHIVED, OLD_EDIT, HAS_THREAD = 50083, 30046, 160004
TROUBLE = (aiohttp.ClientError, TimeoutError, OSError)  # on the way to Discord
