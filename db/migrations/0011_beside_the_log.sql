-- What a seat set for itself in secret, such as never to be asked to challenge. Never part of the log.

CREATE TABLE aids (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    aid TEXT NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
