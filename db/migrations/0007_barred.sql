-- Tables whose place Discord keeps from the bot.

ALTER TABLE tables ADD COLUMN barred_at INTEGER;            -- since when no post is taken there; NULL: posts arrive
ALTER TABLE guilds ADD COLUMN silent_at INTEGER;            -- since when Discord cannot reach the server; NULL: it can

-- Who has left a server is not on its leaderboards; of who left Discord, guild_id is 0.
CREATE TABLE leavers (
    user_id INTEGER NOT NULL,
    guild_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (user_id, guild_id)
) WITHOUT ROWID;
