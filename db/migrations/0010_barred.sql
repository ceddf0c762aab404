-- Tables whose place Discord keeps from the bot.

ALTER TABLE tables ADD COLUMN barred_at INTEGER;            -- since when no post is taken there; NULL: posts arrive
ALTER TABLE guilds ADD COLUMN silent_at INTEGER;            -- since when Discord cannot reach the server; NULL: it can
