-- Chance that each player added to the seed of a table: neither who runs the bot nor a player can choose a shuffle.
ALTER TABLE seats ADD COLUMN nonce BLOB;              -- what the player who began at this seat added; NULL: nothing
ALTER TABLE tables ADD COLUMN nonces_commitment TEXT; -- told at the start, as the seed's; NULL: nobody added any
