-- Which chapter a message shows is kept with the row that was sent: the game may be in another one by then.
ALTER TABLE chapters DROP COLUMN message_id;
