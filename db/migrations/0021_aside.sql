-- A start looks for tables that were set aside: there are few, among however many that run.
CREATE INDEX tables_aside ON tables (id) WHERE aside_at IS NOT NULL;
