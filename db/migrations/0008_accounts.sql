-- What the account of a seat's player is called: pictures show it where no font has the player's own name.
ALTER TABLE seats ADD COLUMN account TEXT NOT NULL DEFAULT '';
