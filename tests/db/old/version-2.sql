-- A database of version 2, as the program of its time left it. See test_old_databases.py.
PRAGMA user_version = 2;
PRAGMA application_id = 1213484372;
BEGIN TRANSACTION;
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
INSERT INTO "actions" VALUES(1,1,0,'{"type": "move", "from": "a8", "to": "a2"}',NULL,0,1,900000000000000101,1764000000000);
INSERT INTO "actions" VALUES(1,2,1,'{"type": "move", "from": "f1", "to": "a6"}',NULL,0,1,900000000000000102,1764000000000);
INSERT INTO "actions" VALUES(1,3,0,'{"type": "move", "from": "g8", "to": "b3"}',NULL,0,1,900000000000000101,1764000000000);
INSERT INTO "actions" VALUES(1,4,1,'{"type": "move", "from": "d1", "to": "c2"}',NULL,0,1,900000000000000102,1764000000000);
INSERT INTO "actions" VALUES(1,5,0,'{"type": "move", "from": "e8", "to": "a4"}',NULL,0,1,900000000000000101,1764000000000);
INSERT INTO "actions" VALUES(1,6,1,'{"type": "move", "from": "c2", "to": "c3"}',NULL,0,1,900000000000000102,1764000000000);
INSERT INTO "actions" VALUES(2,1,0,'{"type": "deploy", "at": "a1"}',NULL,0,1,900000000000000101,1764000000000);
INSERT INTO "actions" VALUES(2,2,1,'{"type": "deploy", "at": "b1"}',NULL,0,1,900000000000000102,1764000000000);
INSERT INTO "actions" VALUES(2,3,0,'{"type": "deploy", "at": "c1"}',NULL,0,1,900000000000000101,1764000000000);
INSERT INTO "actions" VALUES(2,4,1,'{"type": "deploy", "at": "a2"}',NULL,0,1,900000000000000102,1764000000000);
INSERT INTO "actions" VALUES(3,1,0,'{"type": "move", "from": "a8", "to": "a2"}',NULL,0,1,900000000000000101,1764000000000);
INSERT INTO "actions" VALUES(3,2,1,'{"type": "move", "from": "f1", "to": "a6"}',NULL,0,1,900000000000000102,1764000000000);
INSERT INTO "actions" VALUES(3,3,0,'{"type": "move", "from": "g8", "to": "b3"}',NULL,0,1,900000000000000101,1764000000000);
INSERT INTO "actions" VALUES(3,4,1,'{"type": "move", "from": "d1", "to": "c2"}',NULL,0,1,900000000000000102,1764000000000);
INSERT INTO "actions" VALUES(3,5,0,'{"type": "move", "from": "e8", "to": "a4"}',NULL,0,1,900000000000000101,1764000000000);
INSERT INTO "actions" VALUES(3,6,1,'{"type": "move", "from": "c2", "to": "c3"}',NULL,0,1,900000000000000102,1764000000000);
INSERT INTO "actions" VALUES(3,7,0,'{"type": "move", "from": "h8", "to": "d4"}',NULL,0,1,900000000000000101,1764000000000);
INSERT INTO "actions" VALUES(3,8,1,'{"type": "move", "from": "a1", "to": "b2"}',NULL,0,1,900000000000000102,1764000000000);
INSERT INTO "actions" VALUES(3,9,0,'{"type": "move", "from": "d4", "to": "d1"}',NULL,0,0,900000000000000101,1764000000000);
CREATE TABLE ballots (
    vote_id INTEGER NOT NULL REFERENCES votes (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    agree INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (vote_id, seat)
) WITHOUT ROWID;
CREATE TABLE blocks (
    user_id INTEGER NOT NULL,                 -- who does not want to hear
    blocked_id INTEGER NOT NULL,              -- from whom
    PRIMARY KEY (user_id, blocked_id)
) WITHOUT ROWID;
CREATE TABLE guilds (
    id INTEGER PRIMARY KEY,
    language TEXT,                            -- chosen in /settings
    threads INTEGER NOT NULL DEFAULT 1        -- a thread for each table?
, left_at INTEGER);
CREATE TABLE handovers (                      -- who sat where before
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat, user_id)
) WITHOUT ROWID;
CREATE TABLE interactions (
    id INTEGER PRIMARY KEY,                   -- Discord's: carried out once
    table_id INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    at INTEGER NOT NULL
);
INSERT INTO "interactions" VALUES(1,1,'{"table": 1}',1764000000000);
INSERT INTO "interactions" VALUES(2,1,'{"table": 1}',1764000000000);
INSERT INTO "interactions" VALUES(3,1,'{"table": 1, "action": "a8-a2"}',1764000000000);
INSERT INTO "interactions" VALUES(4,1,'{"table": 1, "action": "f1-a6"}',1764000000000);
INSERT INTO "interactions" VALUES(5,1,'{"table": 1, "action": "g8-b3"}',1764000000000);
INSERT INTO "interactions" VALUES(6,1,'{"table": 1, "action": "d1-c2"}',1764000000000);
INSERT INTO "interactions" VALUES(7,1,'{"table": 1, "action": "e8-a4"}',1764000000000);
INSERT INTO "interactions" VALUES(8,1,'{"table": 1, "action": "c2-c3"}',1764000000000);
INSERT INTO "interactions" VALUES(9,2,'{"table": 2}',1764000000000);
INSERT INTO "interactions" VALUES(10,2,'{"table": 2}',1764000000000);
INSERT INTO "interactions" VALUES(11,2,'{"table": 2, "action": "deploy a1"}',1764000000000);
INSERT INTO "interactions" VALUES(12,2,'{"table": 2, "action": "deploy b1"}',1764000000000);
INSERT INTO "interactions" VALUES(13,2,'{"table": 2, "action": "deploy c1"}',1764000000000);
INSERT INTO "interactions" VALUES(14,2,'{"table": 2, "action": "deploy a2"}',1764000000000);
INSERT INTO "interactions" VALUES(15,3,'{"table": 3}',1764000000000);
INSERT INTO "interactions" VALUES(16,3,'{"table": 3}',1764000000000);
INSERT INTO "interactions" VALUES(17,3,'{"table": 3, "action": "a8-a2"}',1764000000000);
INSERT INTO "interactions" VALUES(18,3,'{"table": 3, "action": "f1-a6"}',1764000000000);
INSERT INTO "interactions" VALUES(19,3,'{"table": 3, "action": "g8-b3"}',1764000000000);
INSERT INTO "interactions" VALUES(20,3,'{"table": 3, "action": "d1-c2"}',1764000000000);
INSERT INTO "interactions" VALUES(21,3,'{"table": 3, "action": "e8-a4"}',1764000000000);
INSERT INTO "interactions" VALUES(22,3,'{"table": 3, "action": "c2-c3"}',1764000000000);
INSERT INTO "interactions" VALUES(23,3,'{"table": 3, "action": "h8-d4"}',1764000000000);
INSERT INTO "interactions" VALUES(24,3,'{"table": 3, "action": "a1-b2"}',1764000000000);
INSERT INTO "interactions" VALUES(25,3,'{"table": 3, "action": "d4-d1"}',1764000000000);
INSERT INTO "interactions" VALUES(26,4,'{"table": 4}',1764000000000);
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE notes (
    user_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (user_id, table_id)
) WITHOUT ROWID;
CREATE TABLE offers (                         -- seats that somebody else may take
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    user_id INTEGER,                          -- NULL: whoever comes
    at INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
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
INSERT INTO "outbox" VALUES(40,3,'table:3','board','{"table": 3, "game": "kamisado", "version": 10, "locale": "en-US", "names": ["Ann", "Ben"], "users": [900000000000000101, 900000000000000102], "mention": [900000000000000101], "seat": null, "view": {"game": "kamisado", "viewer": null, "match": "single", "target": 1, "score": {"black": 0, "white": 0}, "round": 1, "phase": "move", "to_act": 0, "to_move": "black", "forced": "brown", "towers": [{"owner": "black", "color": "brown", "square": "d4", "teeth": 0}, {"owner": "black", "color": "green", "square": "b3", "teeth": 0}, {"owner": "black", "color": "red", "square": "f8", "teeth": 0}, {"owner": "black", "color": "yellow", "square": "a4", "teeth": 0}, {"owner": "black", "color": "pink", "square": "d8", "teeth": 0}, {"owner": "black", "color": "purple", "square": "c8", "teeth": 0}, {"owner": "black", "color": "blue", "square": "b8", "teeth": 0}, {"owner": "black", "color": "orange", "square": "a2", "teeth": 0}, {"owner": "white", "color": "brown", "square": "b2", "teeth": 0}, {"owner": "white", "color": "green", "square": "b1", "teeth": 0}, {"owner": "white", "color": "red", "square": "c1", "teeth": 0}, {"owner": "white", "color": "yellow", "square": "c3", "teeth": 0}, {"owner": "white", "color": "pink", "square": "e1", "teeth": 0}, {"owner": "white", "color": "purple", "square": "a6", "teeth": 0}, {"owner": "white", "color": "blue", "square": "g1", "teeth": 0}, {"owner": "white", "color": "orange", "square": "h1", "teeth": 0}], "targets": [{"kind": "move", "from_": "d4", "to": "d1", "wins": true}, {"kind": "move", "from_": "d4", "to": "d2", "wins": false}, {"kind": "move", "from_": "d4", "to": "d3", "wins": false}, {"kind": "move", "from_": "d4", "to": "e3", "wins": false}, {"kind": "move", "from_": "d4", "to": "f2", "wins": false}], "last": {"kind": "move", "owner": "white", "color": "brown", "from_": "a1", "to": "b2", "pushed": [], "passes": []}, "winner": null, "reason": null}, "events": [{"code": "moved", "params": {"seat": 1, "tower": "brown", "from": "a1", "to": "b2", "color": "brown"}}], "to_act": [0]}','13118649059491877195','queued',0,1764000000000,NULL,NULL,NULL,1764000000000,NULL);
INSERT INTO "outbox" VALUES(41,3,'table:3','over','{"table": 3, "game": "kamisado", "version": 11, "locale": "en-US", "names": ["Ann", "Ben"], "users": [900000000000000101, 900000000000000102], "mention": [], "seat": null, "view": {"game": "kamisado", "viewer": null, "match": "single", "target": 1, "score": {"black": 1, "white": 0}, "round": 1, "phase": "over", "to_act": null, "to_move": null, "forced": null, "towers": [{"owner": "black", "color": "brown", "square": "d1", "teeth": 1}, {"owner": "black", "color": "green", "square": "b3", "teeth": 0}, {"owner": "black", "color": "red", "square": "f8", "teeth": 0}, {"owner": "black", "color": "yellow", "square": "a4", "teeth": 0}, {"owner": "black", "color": "pink", "square": "d8", "teeth": 0}, {"owner": "black", "color": "purple", "square": "c8", "teeth": 0}, {"owner": "black", "color": "blue", "square": "b8", "teeth": 0}, {"owner": "black", "color": "orange", "square": "a2", "teeth": 0}, {"owner": "white", "color": "brown", "square": "b2", "teeth": 0}, {"owner": "white", "color": "green", "square": "b1", "teeth": 0}, {"owner": "white", "color": "red", "square": "c1", "teeth": 0}, {"owner": "white", "color": "yellow", "square": "c3", "teeth": 0}, {"owner": "white", "color": "pink", "square": "e1", "teeth": 0}, {"owner": "white", "color": "purple", "square": "a6", "teeth": 0}, {"owner": "white", "color": "blue", "square": "g1", "teeth": 0}, {"owner": "white", "color": "orange", "square": "h1", "teeth": 0}], "targets": [], "last": {"kind": "move", "owner": "black", "color": "brown", "from_": "d4", "to": "d1", "pushed": [], "passes": []}, "winner": "black", "reason": "points"}, "events": [{"code": "moved", "params": {"seat": 0, "tower": "brown", "from": "d4", "to": "d1", "color": "yellow"}}, {"code": "round-won", "params": {"seat": 0, "tower": "brown", "loser": 1, "round": 1, "how": "reached"}}, {"code": "tooth", "params": {"seat": 0, "tower": "brown", "teeth": 1, "n": 1, "black": 1, "white": 0}}, {"code": "match-won", "params": {"winner": 0, "reason": "points", "black": 1, "white": 0}}], "to_act": [], "result": {"winners": [0], "scores": [1, 0], "reason": "points"}, "seed": "0000000000000000000000000000000000000000000000000000000000000003", "commitment": "d9147961436944f43cd99d28b2bbddbf452ef872b30c8279e255e7daafc7f946"}','4297291050458602063','queued',0,1764000000000,NULL,NULL,NULL,1764000000000,NULL);
INSERT INTO "outbox" VALUES(42,4,'table:4','lobby','{"table": 4, "game": "shogun", "version": 1, "locale": null, "names": ["Ben"], "users": [900000000000000102], "mention": [], "status": "open"}','7186165629811760674','queued',0,1764000000000,NULL,NULL,NULL,1764000000000,NULL);
CREATE TABLE ratings (
    game TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    PRIMARY KEY (game, user_id)
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
    choice_version INTEGER NOT NULL DEFAULT 0, away INTEGER NOT NULL DEFAULT 0, gone TEXT, bank INTEGER, ticks_since INTEGER, flagged INTEGER NOT NULL DEFAULT 0, turns INTEGER NOT NULL DEFAULT 0, thought_ms INTEGER NOT NULL DEFAULT 0, -- buttons of older versions are stale
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
INSERT INTO "seats" VALUES(1,0,'black',900000000000000101,'Ann',NULL,NULL,1,1764000000000,'3556ea56e58a259ed6884c2fc2f3aab0',8,0,NULL,NULL,NULL,0,0,0);
INSERT INTO "seats" VALUES(1,1,'white',900000000000000102,'Ben',NULL,NULL,0,NULL,'df05684cc86ec2bff164890422a5462c',8,0,NULL,NULL,NULL,0,0,0);
INSERT INTO "seats" VALUES(2,0,'sanada',900000000000000101,'Ann',NULL,NULL,1,1764000000000,'0541663da3fc342fcc19a41e2f77ab96',6,0,NULL,NULL,NULL,0,0,0);
INSERT INTO "seats" VALUES(2,1,'tokugawa',900000000000000102,'Ben',NULL,NULL,0,NULL,'3f4c99be30dc6c76b7f191d8196fd451',6,0,NULL,NULL,NULL,0,0,0);
INSERT INTO "seats" VALUES(3,0,'black',900000000000000101,'Ann',NULL,NULL,0,NULL,'218f1502c16ad179e0b886080769b970',11,0,NULL,NULL,NULL,0,0,0);
INSERT INTO "seats" VALUES(3,1,'white',900000000000000102,'Ben',NULL,NULL,0,NULL,'91c458263aa5b80ca2de85e4fad09d3b',11,0,NULL,NULL,NULL,0,0,0);
INSERT INTO "seats" VALUES(4,0,'',900000000000000102,'Ben',NULL,NULL,0,NULL,'',0,0,NULL,NULL,NULL,0,0,0);
CREATE TABLE snapshots (
    table_id INTEGER PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
    entry INTEGER NOT NULL,                   -- the state after this entry
    state TEXT NOT NULL,
    events TEXT NOT NULL                      -- of that entry, secrets included
);
INSERT INTO "snapshots" VALUES(1,6,'{"forced":"brown","last":{"color":"yellow","from_":"c2","kind":"move","owner":"white","passes":[],"pushed":[],"to":"c3"},"match":"single","phase":"move","reason":null,"round":1,"rules":1,"score":{"black":0,"white":0},"to_move":"black","towers":[{"color":"brown","owner":"black","square":"h8","teeth":0},{"color":"green","owner":"black","square":"b3","teeth":0},{"color":"red","owner":"black","square":"f8","teeth":0},{"color":"yellow","owner":"black","square":"a4","teeth":0},{"color":"pink","owner":"black","square":"d8","teeth":0},{"color":"purple","owner":"black","square":"c8","teeth":0},{"color":"blue","owner":"black","square":"b8","teeth":0},{"color":"orange","owner":"black","square":"a2","teeth":0},{"color":"brown","owner":"white","square":"a1","teeth":0},{"color":"green","owner":"white","square":"b1","teeth":0},{"color":"red","owner":"white","square":"c1","teeth":0},{"color":"yellow","owner":"white","square":"c3","teeth":0},{"color":"pink","owner":"white","square":"e1","teeth":0},{"color":"purple","owner":"white","square":"a6","teeth":0},{"color":"blue","owner":"white","square":"g1","teeth":0},{"color":"orange","owner":"white","square":"h1","teeth":0}],"winner":null}','[{"code": "moved", "params": {"seat": 1, "tower": "yellow", "from": "c2", "to": "c3", "color": "brown"}, "private": {}, "reveals": false}]');
INSERT INTO "snapshots" VALUES(2,4,'{"act":1,"battles_won":0,"before":{"last":{"added":null,"clan":"sanada","fought":null,"kind":"deploy","origin":null,"seat":0,"target":"c1","token":null,"winner":null},"locked":null,"supply":{"sanada":["s4","s6"],"tokugawa":["t1*","t3","t3","t5"]},"tiles":[{"at":"a1","down":false,"pips":2,"stack":["s2"]},{"at":"b1","down":false,"pips":7,"stack":["t1"]},{"at":"c1","down":false,"pips":1,"stack":["s2"]},{"at":"a2","down":false,"pips":5,"stack":[]},{"at":"b2","down":false,"pips":6,"stack":[]},{"at":"c2","down":false,"pips":3,"stack":[]}]},"ended":null,"fight":null,"history":["769863c4606dcb9b","1d80e6711c16310c","af835b8013aa85b7","f9dd7d13ce75def8","be99b3121637e316"],"last":{"added":null,"clan":"tokugawa","fought":null,"kind":"deploy","origin":null,"seat":1,"target":"a2","token":null,"winner":null},"layout":"square","locked":null,"outcome":null,"phase":"act","revenge":{"sanada":{"down":0,"up":0},"tokugawa":{"down":0,"up":0}},"rules":1,"solo":null,"story":true,"supply":{"sanada":["s4","s6"],"tokugawa":["t3","t3","t5"]},"surprised":{"sanada":false,"tokugawa":false},"taroma":null,"tiles":[{"at":"a1","down":false,"pips":2,"stack":["s2"]},{"at":"b1","down":false,"pips":7,"stack":["t1"]},{"at":"c1","down":false,"pips":1,"stack":["s2"]},{"at":"a2","down":false,"pips":5,"stack":["t1*"]},{"at":"b2","down":false,"pips":6,"stack":[]},{"at":"c2","down":false,"pips":3,"stack":[]}],"to_move":"sanada","won":[]}','[{"code": "deployed", "params": {"seat": 1, "to": "a2"}, "private": {}, "reveals": false}]');
INSERT INTO "snapshots" VALUES(3,9,'{"forced":null,"last":{"color":"brown","from_":"d4","kind":"move","owner":"black","passes":[],"pushed":[],"to":"d1"},"match":"single","phase":"over","reason":"points","round":1,"rules":1,"score":{"black":1,"white":0},"to_move":null,"towers":[{"color":"brown","owner":"black","square":"d1","teeth":1},{"color":"green","owner":"black","square":"b3","teeth":0},{"color":"red","owner":"black","square":"f8","teeth":0},{"color":"yellow","owner":"black","square":"a4","teeth":0},{"color":"pink","owner":"black","square":"d8","teeth":0},{"color":"purple","owner":"black","square":"c8","teeth":0},{"color":"blue","owner":"black","square":"b8","teeth":0},{"color":"orange","owner":"black","square":"a2","teeth":0},{"color":"brown","owner":"white","square":"b2","teeth":0},{"color":"green","owner":"white","square":"b1","teeth":0},{"color":"red","owner":"white","square":"c1","teeth":0},{"color":"yellow","owner":"white","square":"c3","teeth":0},{"color":"pink","owner":"white","square":"e1","teeth":0},{"color":"purple","owner":"white","square":"a6","teeth":0},{"color":"blue","owner":"white","square":"g1","teeth":0},{"color":"orange","owner":"white","square":"h1","teeth":0}],"winner":"black"}','[{"code": "moved", "params": {"seat": 0, "tower": "brown", "from": "d4", "to": "d1", "color": "yellow"}, "private": {}, "reveals": false}, {"code": "round-won", "params": {"seat": 0, "tower": "brown", "loser": 1, "round": 1, "how": "reached"}, "private": {}, "reveals": false}, {"code": "tooth", "params": {"seat": 0, "tower": "brown", "teeth": 1, "n": 1, "black": 1, "white": 0}, "private": {}, "reveals": false}, {"code": "match-won", "params": {"winner": 0, "reason": "points", "black": 1, "white": 0}, "private": {}, "reveals": false}]');
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
, paused_at INTEGER, position TEXT, study INTEGER NOT NULL DEFAULT 0, handed INTEGER NOT NULL DEFAULT 0);
INSERT INTO "tables" VALUES(1,'kamisado',1,'running','{"match": "single"}','{"seat": "first", "level": "normal"}',1,10,NULL,0,'en-US',0,900000000000000101,NULL,NULL,8,6,'[0]',1764000000000,NULL,'ec4916dd28fc4c10d78e287ca5d9cc51ee1ae73cbfde08c6b37324cbfaac8bc5',X'0000000000000000000000000000000000000000000000000000000000000001',NULL,1764000000000,1764000000000,NULL,NULL,NULL,NULL,0,0);
INSERT INTO "tables" VALUES(2,'rokumon',1,'running','{}','{"seat": "first", "level": "normal"}',1,10,NULL,0,'en-US',0,900000000000000101,NULL,NULL,6,4,'[0]',1764000000000,NULL,'9267d3dbed802941483f1afa2a6bc68de5f653128aca9bf1461c5d0a3ad36ed2',X'0000000000000000000000000000000000000000000000000000000000000002',NULL,1764000000000,1764000000000,NULL,NULL,NULL,NULL,0,0);
INSERT INTO "tables" VALUES(3,'kamisado',1,'over','{"match": "single"}','{"seat": "first", "level": "normal"}',1,10,NULL,0,'en-US',0,900000000000000101,NULL,NULL,11,9,'[]',NULL,'{"winners": [0], "scores": [1, 0], "reason": "points"}','d9147961436944f43cd99d28b2bbddbf452ef872b30c8279e255e7daafc7f946',X'0000000000000000000000000000000000000000000000000000000000000003',NULL,1764000000000,1764000000000,1764000000000,NULL,NULL,NULL,0,0);
INSERT INTO "tables" VALUES(4,'shogun',1,'open','{"side": "sun", "setup": "fixed", "tower": "measured", "forced_battles": true}','{"seat": "random", "level": "normal"}',1,10,NULL,0,NULL,0,900000000000000102,NULL,NULL,1,0,'[]',NULL,NULL,'e38990d0c7fc009880a9c07c23842e886c6bbdc964ce6bdd5817ad357335ee6f',X'0000000000000000000000000000000000000000000000000000000000000004',NULL,1764000000000,NULL,NULL,NULL,NULL,NULL,0,0);
CREATE TABLE timers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    table_id INTEGER NOT NULL DEFAULT 0,
    user_id INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    payload TEXT NOT NULL DEFAULT '{}',
    UNIQUE (kind, table_id, user_id)
);
INSERT INTO "timers" VALUES(4,'lobby',4,0,1764604800000,'{}');
CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    locale TEXT,                              -- last seen in an interaction
    language TEXT,                            -- chosen in /settings
    dm INTEGER NOT NULL DEFAULT 1             -- hands by DM?
, remind_hours INTEGER NOT NULL DEFAULT 24, zone TEXT NOT NULL DEFAULT 'UTC', quiet_from INTEGER, quiet_to INTEGER, next_ping INTEGER NOT NULL DEFAULT 0, away_until INTEGER);
INSERT INTO "users" VALUES(900000000000000101,'Ann','en-GB',NULL,1,24,'UTC',NULL,NULL,0,NULL);
INSERT INTO "users" VALUES(900000000000000102,'Ben','fr',NULL,1,24,'UTC',NULL,NULL,0,NULL);
CREATE TABLE votes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    by_seat INTEGER NOT NULL,
    entry INTEGER,                            -- undo: the log's entry that is to go, with all after it
    status TEXT NOT NULL CHECK (status IN ('open', 'agreed', 'refused', 'lapsed')),
    created_at INTEGER NOT NULL,
    ended_at INTEGER
, payload TEXT NOT NULL DEFAULT '{}');
CREATE INDEX tables_by_channel ON tables (channel_id, id) WHERE thread_id IS NULL;
CREATE INDEX tables_by_thread ON tables (thread_id) WHERE thread_id IS NOT NULL;
CREATE INDEX tables_by_guild ON tables (guild_id, id);
CREATE INDEX tables_running ON tables (id) WHERE status = 'running';
CREATE INDEX seats_by_user ON seats (user_id, table_id) WHERE user_id IS NOT NULL;
CREATE INDEX seats_of_bots ON seats (table_id) WHERE level IS NOT NULL AND acts = 1;
CREATE INDEX interactions_by_age ON interactions (at);
CREATE INDEX outbox_waiting ON outbox (destination, id) WHERE state IN ('queued', 'flying');
CREATE INDEX outbox_done ON outbox (done_at) WHERE done_at IS NOT NULL;
CREATE INDEX timers_due ON timers (due_at);
CREATE UNIQUE INDEX votes_open ON votes (table_id, kind) WHERE status = 'open';
CREATE INDEX results_by_user ON results (user_id, game);
CREATE INDEX results_by_guild ON results (guild_id, game);
INSERT INTO "sqlite_sequence" VALUES('tables',4);
INSERT INTO "sqlite_sequence" VALUES('outbox',42);
INSERT INTO "sqlite_sequence" VALUES('timers',4);
COMMIT;
