-- What keeps a game of three months alive: reminders, clocks, handed seats, votes with parameters,
-- blocks, notes, results and ratings.

ALTER TABLE users ADD COLUMN remind_hours INTEGER NOT NULL DEFAULT 24;  -- until the first reminder; 0 never
ALTER TABLE users ADD COLUMN zone TEXT NOT NULL DEFAULT 'UTC';          -- IANA name
ALTER TABLE users ADD COLUMN quiet_from INTEGER;                        -- minutes after midnight in the zone
ALTER TABLE users ADD COLUMN quiet_to INTEGER;
ALTER TABLE users ADD COLUMN next_ping INTEGER NOT NULL DEFAULT 0;      -- "you are next"?
ALTER TABLE users ADD COLUMN away_until INTEGER;                        -- on vacation

ALTER TABLE guilds ADD COLUMN left_at INTEGER;                          -- the bot was removed

ALTER TABLE tables ADD COLUMN paused_at INTEGER;
ALTER TABLE tables ADD COLUMN position TEXT;                            -- JSON, where it did not begin by set-up
ALTER TABLE tables ADD COLUMN study INTEGER NOT NULL DEFAULT 0;         -- an imported record, its creator's alone
ALTER TABLE tables ADD COLUMN handed INTEGER NOT NULL DEFAULT 0;        -- a seat changed hands: not rated

ALTER TABLE seats ADD COLUMN away INTEGER NOT NULL DEFAULT 0;           -- its player is on vacation
ALTER TABLE seats ADD COLUMN gone TEXT;                                 -- left | deleted
ALTER TABLE seats ADD COLUMN bank INTEGER;                              -- ms on its clock
ALTER TABLE seats ADD COLUMN ticks_since INTEGER;                       -- NULL while the clock stands
ALTER TABLE seats ADD COLUMN flagged INTEGER NOT NULL DEFAULT 0;        -- it ran out, and that was told
ALTER TABLE seats ADD COLUMN turns INTEGER NOT NULL DEFAULT 0;          -- of the player who sits there now
ALTER TABLE seats ADD COLUMN thought_ms INTEGER NOT NULL DEFAULT 0;

ALTER TABLE votes ADD COLUMN payload TEXT NOT NULL DEFAULT '{}';        -- what is asked, JSON

CREATE TABLE offers (                         -- seats that somebody else may take
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    user_id INTEGER,                          -- NULL: whoever comes
    at INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;

CREATE TABLE handovers (                      -- who sat where before
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat, user_id)
) WITHOUT ROWID;

CREATE TABLE blocks (
    user_id INTEGER NOT NULL,                 -- who does not want to hear
    blocked_id INTEGER NOT NULL,              -- from whom
    PRIMARY KEY (user_id, blocked_id)
) WITHOUT ROWID;

CREATE TABLE notes (
    user_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (user_id, table_id)
) WITHOUT ROWID;

CREATE TABLE results (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    guild_id INTEGER,
    place INTEGER NOT NULL,                   -- 1 is first; equal for equal results
    won INTEGER NOT NULL,
    rated INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    thought_ms INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE INDEX results_by_user ON results (user_id, game);
CREATE INDEX results_by_guild ON results (guild_id, game);

CREATE TABLE ratings (
    game TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    PRIMARY KEY (game, user_id)
) WITHOUT ROWID;
