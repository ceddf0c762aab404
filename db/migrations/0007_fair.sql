-- Fair play: what an action brought a clock, how long vacations were, since when somebody is gone, and what is
-- not rated.
ALTER TABLE actions ADD COLUMN fed TEXT;            -- JSON: ms that seats' clocks got by it, by seat; NULL: none
ALTER TABLE seats ADD COLUMN away_until INTEGER;    -- the end of the vacation that was told at the table
ALTER TABLE seats ADD COLUMN gone_since INTEGER;    -- when that was found; NULL: long ago
ALTER TABLE tables ADD COLUMN unrated INTEGER NOT NULL DEFAULT 0;  -- something happened that no rating may count
ALTER TABLE handovers ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;  -- who left is forgotten: no result of theirs
ALTER TABLE handovers ADD COLUMN mu REAL;           -- their rating at that time, for the others' results
ALTER TABLE handovers ADD COLUMN sigma REAL;

CREATE TABLE vacations (                            -- a budget of days a year; cut short where somebody is back
    user_id INTEGER NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (user_id, since)
) WITHOUT ROWID;
