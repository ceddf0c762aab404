-- The forum in which a server's new tables get a post each; NULL: they are played where they are made.
ALTER TABLE guilds ADD COLUMN forum_id INTEGER;
