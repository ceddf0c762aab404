-- Games that are taken up again after their end: the seed was posted, so what follows draws from another one,
-- and what the end did to ratings is taken back.
ALTER TABLE tables ADD COLUMN reseed BLOB;      -- what is drawn from since then; NULL: from `seed`
ALTER TABLE actions ADD COLUMN seed BLOB;       -- of an undo of the end: the seed from the next entry on
ALTER TABLE results ADD COLUMN mu_before REAL;  -- the rating before the game, NULL without one ...
ALTER TABLE results ADD COLUMN sigma_before REAL;
ALTER TABLE results ADD COLUMN mu_after REAL;   -- ... and after it; NULL: not known, or not rated
ALTER TABLE results ADD COLUMN sigma_after REAL;
