-- least: 20
-- Each post asks what was sent to its place before, among all that was sent in a week.
CREATE INDEX IF NOT EXISTS outbox_sent ON outbox (destination, kind, id) WHERE state = 'sent';
CREATE INDEX IF NOT EXISTS tables_studies ON tables (creator_id, id) WHERE study = 1;
CREATE INDEX IF NOT EXISTS users_called ON users (id) WHERE call_by <> 'table';

-- What is caught is a subtransaction, which no parallel query may begin: /privacy failed where there were many votes.
ALTER FUNCTION json_valid(text) PARALLEL UNSAFE;
