-- Tables whose place Discord keeps from the bot.

ALTER TABLE tables ADD COLUMN barred_at INTEGER;            -- since when no post is taken there; NULL: posts arrive
