-- What a disk lost of a game: the rows as they were, and the columns of its table that nobody knows any more.

CREATE TABLE lost (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,                       -- of the table of this database
    table_id INTEGER,                         -- of the game
    row TEXT NOT NULL CHECK (json_valid(row)), -- as it was, bytes as hex, without the people
    why TEXT NOT NULL
) STRICT;
ALTER TABLE tables ADD COLUMN damaged TEXT NOT NULL DEFAULT '';  -- names with commas between; the table is set aside
