-- 04bbaa9cf0c3196f636ad49c8a5c9643
CREATE TABLE lost (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,                       -- of the table of this database
    table_id INTEGER,                         -- of the game
    row TEXT NOT NULL CHECK (json_valid(row)), -- as it was, bytes as hex, without the people
    why TEXT NOT NULL
) STRICT;
CREATE TABLE "meta" (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE "users" (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    locale TEXT,
    language TEXT,
    dm INTEGER NOT NULL DEFAULT 1 CHECK (dm IN (0, 1)),
    remind_hours INTEGER NOT NULL DEFAULT 24 CHECK (remind_hours >= 0),
    zone TEXT NOT NULL DEFAULT 'UTC',
    quiet_from INTEGER CHECK (quiet_from BETWEEN 0 AND 1439),
    quiet_to INTEGER CHECK (quiet_to BETWEEN 0 AND 1439),
    next_ping INTEGER NOT NULL DEFAULT 0 CHECK (next_ping IN (0, 1)),
    away_until INTEGER
, call_by TEXT NOT NULL DEFAULT 'table' CHECK (call_by IN ('table', 'dm', 'digest')), digest_at INTEGER NOT NULL DEFAULT 1080 CHECK (digest_at BETWEEN 0 AND 1439)) STRICT;
CREATE TABLE "guilds" (
    id INTEGER PRIMARY KEY,
    language TEXT,
    threads INTEGER NOT NULL DEFAULT 1 CHECK (threads IN (0, 1)),
    left_at INTEGER,
    channels TEXT CHECK (channels IS NULL OR json_valid(channels) AND substr(channels, 1, 1) = '['),
    user_tables INTEGER CHECK (user_tables >= 0),
    server_tables INTEGER CHECK (server_tables >= 0),
    silent_at INTEGER
, forum_id INTEGER) STRICT;
CREATE TABLE "tables" (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL,
    rules INTEGER NOT NULL CHECK (rules >= 1),
    status TEXT NOT NULL CHECK (status IN ('open', 'running', 'over', 'cancelled')),
    options TEXT NOT NULL CHECK (json_valid(options) AND substr(options, 1, 1) = '{'),
    table_options TEXT NOT NULL CHECK (json_valid(table_options) AND substr(table_options, 1, 1) = '{'),
    guild_id INTEGER,
    channel_id INTEGER NOT NULL,
    thread_id INTEGER,
    in_place INTEGER NOT NULL CHECK (in_place IN (0, 1)),
    locale TEXT,
    private INTEGER NOT NULL CHECK (private IN (0, 1)),
    creator_id INTEGER NOT NULL,
    lobby_message_id INTEGER,
    board_message_id INTEGER,
    version INTEGER NOT NULL DEFAULT 0 CHECK (version >= 0),
    entries INTEGER NOT NULL DEFAULT 0 CHECK (entries >= 0),
    to_act TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(to_act) AND substr(to_act, 1, 1) = '['),
    turn_since INTEGER,
    result TEXT CHECK (result IS NULL OR json_valid(result) AND substr(result, 1, 1) = '{'),
    commitment TEXT NOT NULL,
    seed BLOB NOT NULL CHECK (length(seed) BETWEEN 1 AND 64),
    reminded_at INTEGER,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    rematch_of INTEGER UNIQUE REFERENCES tables (id),
    paused_at INTEGER,
    position TEXT CHECK (position IS NULL OR json_valid(position) AND substr(position, 1, 1) = '{'),
    study INTEGER NOT NULL DEFAULT 0 CHECK (study IN (0, 1)),
    handed INTEGER NOT NULL DEFAULT 0 CHECK (handed IN (0, 1)),
    aside_at INTEGER,
    reseed BLOB CHECK (length(reseed) BETWEEN 1 AND 64),
    unrated INTEGER NOT NULL DEFAULT 0 CHECK (unrated IN (0, 1)),
    barred_at INTEGER,
    damaged TEXT NOT NULL DEFAULT ''
, seating TEXT CHECK (seating <> '')) STRICT;
CREATE INDEX tables_by_channel ON tables (channel_id, id) WHERE thread_id IS NULL;
CREATE INDEX tables_by_thread ON tables (thread_id) WHERE thread_id IS NOT NULL;
CREATE INDEX tables_by_guild ON tables (guild_id, id);
CREATE INDEX tables_running ON tables (id) WHERE status = 'running';
CREATE INDEX tables_live ON tables (guild_id) WHERE status IN ('open', 'running');
CREATE INDEX tables_of_creator ON tables (creator_id) WHERE status = 'open';
CREATE TABLE "seats" (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    role TEXT NOT NULL DEFAULT '',
    user_id INTEGER,
    name TEXT NOT NULL DEFAULT '',
    level TEXT,
    invited INTEGER,
    acts INTEGER NOT NULL DEFAULT 0 CHECK (acts IN (0, 1)),
    acts_since INTEGER,
    choice_mark TEXT NOT NULL DEFAULT '',
    choice_version INTEGER NOT NULL DEFAULT 0 CHECK (choice_version >= 0),
    away INTEGER NOT NULL DEFAULT 0 CHECK (away IN (0, 1)),
    gone TEXT CHECK (gone IN ('left', 'deleted', 'outside')),
    bank INTEGER CHECK (bank >= 0),
    ticks_since INTEGER,
    flagged INTEGER NOT NULL DEFAULT 0 CHECK (flagged IN (0, 1)),
    turns INTEGER NOT NULL DEFAULT 0 CHECK (turns >= 0),
    thought_ms INTEGER NOT NULL DEFAULT 0 CHECK (thought_ms >= 0),
    away_until INTEGER,
    gone_since INTEGER,
    account TEXT NOT NULL DEFAULT '',
    nonce BLOB,
    nonce_told TEXT,
    unsealed INTEGER NOT NULL DEFAULT 0 CHECK (unsealed IN (0, 1)),
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seats_by_user ON seats (user_id, table_id) WHERE user_id IS NOT NULL;
CREATE INDEX seats_of_bots ON seats (table_id) WHERE level IS NOT NULL AND acts = 1;
CREATE TABLE "actions" (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq >= 1),
    seat INTEGER CHECK (seat >= 0),
    action TEXT CHECK (action IS NULL OR json_valid(action) AND substr(action, 1, 1) = '{'),
    undo INTEGER CHECK (undo >= 0),
    reveals INTEGER NOT NULL DEFAULT 0 CHECK (reveals IN (0, 1)),
    passes INTEGER NOT NULL DEFAULT 0 CHECK (passes IN (0, 1)),
    user_id INTEGER,
    at INTEGER NOT NULL,
    seed BLOB CHECK (length(seed) BETWEEN 1 AND 64),
    fed TEXT CHECK (fed IS NULL OR json_valid(fed) AND substr(fed, 1, 1) = '{'),
    PRIMARY KEY (table_id, seq),
    CHECK ((action IS NULL) = (seat IS NULL) AND (action IS NULL) <> (undo IS NULL))
) STRICT, WITHOUT ROWID;
CREATE TABLE "snapshots" (
    table_id INTEGER PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
    entry INTEGER NOT NULL CHECK (entry >= 0),
    state TEXT NOT NULL,
    events TEXT NOT NULL
) STRICT;
CREATE TABLE "interactions" (
    id INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL,
    outcome TEXT NOT NULL CHECK (json_valid(outcome) AND substr(outcome, 1, 1) = '{'),
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX interactions_by_age ON interactions (at);
CREATE TABLE "outbox" (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    table_id INTEGER,
    destination TEXT NOT NULL
        CHECK (destination GLOB 'table:[0-9]*' OR destination GLOB 'channel:[0-9]*' OR destination GLOB 'user:[0-9]*'),
    kind TEXT NOT NULL,
    payload TEXT NOT NULL CHECK (substr(payload, 1, 1) = '{'),
    nonce TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'flying', 'sent', 'dropped')),
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    due_at INTEGER NOT NULL,
    flying_since INTEGER,
    message_id INTEGER,
    error TEXT,
    created_at INTEGER NOT NULL,
    done_at INTEGER
) STRICT;
CREATE INDEX outbox_waiting ON outbox (destination, id) WHERE state IN ('queued', 'flying');
CREATE INDEX outbox_done ON outbox (done_at) WHERE done_at IS NOT NULL;
CREATE TABLE "timers" (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    table_id INTEGER NOT NULL DEFAULT 0 CHECK (table_id >= 0),
    user_id INTEGER NOT NULL DEFAULT 0 CHECK (user_id >= 0),
    due_at INTEGER NOT NULL,
    payload TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(payload) AND substr(payload, 1, 1) = '{'),
    UNIQUE (kind, table_id, user_id)
) STRICT;
CREATE INDEX timers_due ON timers (due_at);
CREATE TABLE "votes" (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    by_seat INTEGER NOT NULL CHECK (by_seat >= 0),
    entry INTEGER CHECK (entry >= 0),
    status TEXT NOT NULL CHECK (status IN ('open', 'agreed', 'refused', 'lapsed')),
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    payload TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(payload) AND substr(payload, 1, 1) = '{'),
    version INTEGER NOT NULL DEFAULT 0 CHECK (version >= 0)
) STRICT;
CREATE UNIQUE INDEX votes_open ON votes (table_id, kind) WHERE status = 'open';
CREATE TABLE "ballots" (
    vote_id INTEGER NOT NULL REFERENCES votes (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    agree INTEGER NOT NULL CHECK (agree IN (0, 1)),
    at INTEGER NOT NULL,
    PRIMARY KEY (vote_id, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE "offers" (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    user_id INTEGER,
    at INTEGER NOT NULL,
    by_id INTEGER,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE "handovers" (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    user_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    forgotten INTEGER NOT NULL DEFAULT 0 CHECK (forgotten IN (0, 1)),
    mu REAL,
    sigma REAL,
    PRIMARY KEY (table_id, seat, user_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE "blocks" (
    user_id INTEGER NOT NULL,
    blocked_id INTEGER NOT NULL,
    PRIMARY KEY (user_id, blocked_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE "notes" (
    user_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (user_id, table_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE "results" (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    user_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    guild_id INTEGER,
    place INTEGER NOT NULL CHECK (place >= 1),
    won INTEGER NOT NULL CHECK (won IN (0, 1)),
    rated INTEGER NOT NULL CHECK (rated IN (0, 1)),
    turns INTEGER NOT NULL CHECK (turns >= 0),
    thought_ms INTEGER NOT NULL CHECK (thought_ms >= 0),
    ended_at INTEGER NOT NULL,
    mu_before REAL,
    sigma_before REAL,
    mu_after REAL,
    sigma_after REAL,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX results_by_user ON results (user_id, game);
CREATE INDEX results_by_guild ON results (guild_id, game);
CREATE TABLE "ratings" (
    game TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    mu REAL NOT NULL,
    sigma REAL NOT NULL CHECK (sigma > 0),
    PRIMARY KEY (game, user_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE "drafts" (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    mark TEXT NOT NULL,
    draft TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE "chapters" (
    table_id INTEGER PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    told TEXT NOT NULL CHECK (json_valid(told) AND substr(told, 1, 1) = '[')) STRICT;
CREATE TABLE "vacations" (
    user_id INTEGER NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (user_id, since)
) STRICT, WITHOUT ROWID;
CREATE TABLE "aids" (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    aid TEXT NOT NULL,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE "leavers" (
    user_id INTEGER NOT NULL,
    guild_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (user_id, guild_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE met_rules (
    user_id INTEGER NOT NULL,
    game TEXT NOT NULL CHECK (game <> ''),
    rule TEXT NOT NULL CHECK (rule <> ''),
    PRIMARY KEY (user_id, game, rule)
) STRICT, WITHOUT ROWID;
CREATE INDEX tables_aside ON tables (id) WHERE aside_at IS NOT NULL;
CREATE INDEX outbox_sent ON outbox (destination, kind, id) WHERE state = 'sent';
CREATE INDEX tables_studies ON tables (creator_id, id) WHERE study = 1;
CREATE INDEX users_called ON users (id) WHERE call_by <> 'table';
PRAGMA user_version=22;
