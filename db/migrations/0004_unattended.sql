-- What a server's moderators set, and what is kept of tables that are out of order.

ALTER TABLE guilds ADD COLUMN channels TEXT;                -- JSON list of ids where tables may be made; NULL: all
ALTER TABLE guilds ADD COLUMN user_tables INTEGER;          -- most live tables of one person; NULL: the default
ALTER TABLE guilds ADD COLUMN server_tables INTEGER;        -- most live tables of the server; NULL: the default

ALTER TABLE tables ADD COLUMN aside_at INTEGER;             -- it did not load, and its players were told
ALTER TABLE offers ADD COLUMN by_id INTEGER;                -- the moderator who offered it: not for him

CREATE INDEX tables_live ON tables (guild_id) WHERE status IN ('open', 'running');
CREATE INDEX tables_of_creator ON tables (creator_id) WHERE status = 'open';
