-- What is going on at a table while its boards are one message: the public events since it began, and the message.
CREATE TABLE chapters (
    table_id INTEGER PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
    key TEXT NOT NULL,                        -- which one: dropped when another begins
    told TEXT NOT NULL,                       -- JSON list of events that everybody may know
    message_id INTEGER                        -- that shows it, NULL while none was sent
);
