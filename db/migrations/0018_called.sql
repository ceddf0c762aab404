-- Where a person wishes to be called when it is their turn, and when the list of once a day comes, by their own clock.
ALTER TABLE users ADD COLUMN call_by TEXT NOT NULL DEFAULT 'table' CHECK (call_by IN ('table', 'dm', 'digest'));
ALTER TABLE users ADD COLUMN digest_at INTEGER NOT NULL DEFAULT 1080 CHECK (digest_at BETWEEN 0 AND 1439);
