-- A question is that of one moment: a button that was drawn before it does not answer it, whatever its number.
ALTER TABLE votes ADD COLUMN version INTEGER NOT NULL DEFAULT 0;   -- of its table when it was asked
