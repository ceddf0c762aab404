-- Salts mixed into a table's seed, so that what its chances give from an entry on is known to nobody who
-- knows the seed. [{entry, salt in hex, its SHA-256}] in order; NULL: none. Secret as the seed is.
ALTER TABLE tables ADD COLUMN reseeded TEXT;

-- A vote's question is that of one moment: a button drawn before it does not answer it.
ALTER TABLE votes ADD COLUMN version INTEGER NOT NULL DEFAULT 0;   -- of its table when it was asked
