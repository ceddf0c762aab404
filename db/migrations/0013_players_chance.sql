-- Chance that each player adds to the seed of a table: neither who runs the bot nor a player can choose a shuffle.
ALTER TABLE seats ADD COLUMN nonce BLOB;            -- what the player who began here added; NULL: nothing (yet)
ALTER TABLE seats ADD COLUMN nonce_told TEXT;       -- its SHA-256, told when it was added; with no nonce: a seal
ALTER TABLE seats ADD COLUMN unsealed INTEGER NOT NULL DEFAULT 0;  -- whether a seal was opened with this nonce
