-- Tables, their logs and messages. Times are integer milliseconds since 1970 UTC; *_id of people,
-- servers, channels and messages are Discord's. JSON columns are opaque to SQL.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    locale TEXT,                              -- last seen in an interaction
    language TEXT,                            -- chosen in /settings
    dm INTEGER NOT NULL DEFAULT 1             -- hands by DM?
);

CREATE TABLE guilds (
    id INTEGER PRIMARY KEY,
    language TEXT,                            -- chosen in /settings
    threads INTEGER NOT NULL DEFAULT 1        -- a thread for each table?
);

CREATE TABLE tables (
    id INTEGER PRIMARY KEY AUTOINCREMENT,     -- a number is never given twice
    game TEXT NOT NULL,
    rules INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'running', 'over', 'cancelled')),
    options TEXT NOT NULL,
    table_options TEXT NOT NULL,
    guild_id INTEGER,
    channel_id INTEGER NOT NULL,
    thread_id INTEGER,
    in_place INTEGER NOT NULL,
    locale TEXT,
    private INTEGER NOT NULL,
    creator_id INTEGER NOT NULL,
    lobby_message_id INTEGER,
    board_message_id INTEGER,
    version INTEGER NOT NULL DEFAULT 0,       -- only grows
    entries INTEGER NOT NULL DEFAULT 0,       -- ever written to its log
    to_act TEXT NOT NULL DEFAULT '[]',
    turn_since INTEGER,
    result TEXT,
    commitment TEXT NOT NULL,
    seed BLOB NOT NULL,                       -- leaves only when the game is over
    reminded_at INTEGER,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    rematch_of INTEGER UNIQUE REFERENCES tables (id)
);
CREATE INDEX tables_by_channel ON tables (channel_id, id) WHERE thread_id IS NULL;
CREATE INDEX tables_by_thread ON tables (thread_id) WHERE thread_id IS NOT NULL;
CREATE INDEX tables_by_guild ON tables (guild_id, id);
CREATE INDEX tables_running ON tables (id) WHERE status = 'running';

CREATE TABLE seats (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    role TEXT NOT NULL DEFAULT '',
    user_id INTEGER,
    name TEXT NOT NULL DEFAULT '',
    level TEXT,                               -- set where the bot plays
    invited INTEGER,
    acts INTEGER NOT NULL DEFAULT 0,          -- has to decide now
    acts_since INTEGER,
    choice_mark TEXT NOT NULL DEFAULT '',
    choice_version INTEGER NOT NULL DEFAULT 0, -- buttons of older versions are stale
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE INDEX seats_by_user ON seats (user_id, table_id) WHERE user_id IS NOT NULL;
CREATE INDEX seats_of_bots ON seats (table_id) WHERE level IS NOT NULL AND acts = 1;

CREATE TABLE actions (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,                     -- the entry's number, from 1
    seat INTEGER,                             -- NULL: an undo
    action TEXT,
    undo INTEGER,                             -- standing actions taken back
    reveals INTEGER NOT NULL DEFAULT 0,       -- something was shown, drawn or thrown
    passes INTEGER NOT NULL DEFAULT 0,        -- somebody else came to act
    user_id INTEGER,
    at INTEGER NOT NULL,
    PRIMARY KEY (table_id, seq),
    CHECK ((action IS NULL) = (seat IS NULL) AND (action IS NULL) <> (undo IS NULL))
) WITHOUT ROWID;

CREATE TABLE snapshots (
    table_id INTEGER PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
    entry INTEGER NOT NULL,                   -- the state after this entry
    state TEXT NOT NULL,
    events TEXT NOT NULL                      -- of that entry, secrets included
);

CREATE TABLE interactions (
    id INTEGER PRIMARY KEY,                   -- Discord's: carried out once
    table_id INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    at INTEGER NOT NULL
);
CREATE INDEX interactions_by_age ON interactions (at);

CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    table_id INTEGER,
    destination TEXT NOT NULL,                -- table:<id>, channel:<id> or user:<id>
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,                    -- only what its reader may know
    nonce TEXT NOT NULL,                      -- 64 random bits
    state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'flying', 'sent', 'dropped')),
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,                  -- not before
    flying_since INTEGER,
    message_id INTEGER,
    error TEXT,
    created_at INTEGER NOT NULL,
    done_at INTEGER
);
CREATE INDEX outbox_waiting ON outbox (destination, id) WHERE state IN ('queued', 'flying');
CREATE INDEX outbox_done ON outbox (done_at) WHERE done_at IS NOT NULL;

CREATE TABLE timers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    table_id INTEGER NOT NULL DEFAULT 0,
    user_id INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    payload TEXT NOT NULL DEFAULT '{}',
    UNIQUE (kind, table_id, user_id)
);
CREATE INDEX timers_due ON timers (due_at);

CREATE TABLE votes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    by_seat INTEGER NOT NULL,
    entry INTEGER,                            -- undo: the log's entry that is to go, with all after it
    status TEXT NOT NULL CHECK (status IN ('open', 'agreed', 'refused', 'lapsed')),
    created_at INTEGER NOT NULL,
    ended_at INTEGER
);
CREATE UNIQUE INDEX votes_open ON votes (table_id, kind) WHERE status = 'open';

CREATE TABLE ballots (
    vote_id INTEGER NOT NULL REFERENCES votes (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    agree INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (vote_id, seat)
) WITHOUT ROWID;
