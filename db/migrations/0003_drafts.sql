-- What a seat has of a secret choice that it has not sent yet. Never part of the log.

CREATE TABLE drafts (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    mark TEXT NOT NULL,                       -- what it is for: dropped when that has passed
    draft TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
