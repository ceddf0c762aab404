-- Who has left a server is not on its leaderboards; of who left Discord, guild_id is 0.
CREATE TABLE leavers (
    user_id INTEGER NOT NULL,
    guild_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (user_id, guild_id)
) WITHOUT ROWID;
