-- Each post asks what was sent to its place before, among all that was sent in a week.
CREATE INDEX outbox_sent ON outbox (destination, kind, id) WHERE state = 'sent';
CREATE INDEX tables_studies ON tables (creator_id, id) WHERE study = 1;
CREATE INDEX users_called ON users (id) WHERE call_by <> 'table';
