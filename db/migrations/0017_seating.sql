-- How those who played came to sit where they sit, where that was drawn: what `/game verify` works out again.
ALTER TABLE tables ADD COLUMN seating TEXT CHECK (seating <> '');
