-- least: 20
-- A start looks for tables that were set aside: there are few, among however many that run.
CREATE INDEX IF NOT EXISTS tables_aside ON tables (id) WHERE aside_at IS NOT NULL;

-- By a row of its own it is known what became of a connection's last transaction (db/postgresql/marks.py).
CREATE TABLE writers (
    key text PRIMARY KEY,
    value bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
);
