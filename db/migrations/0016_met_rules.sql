-- Which rules of a game a person was told of when they first mattered, so that each is told of once.
CREATE TABLE met_rules (
    user_id INTEGER NOT NULL,
    game TEXT NOT NULL CHECK (game <> ''),
    rule TEXT NOT NULL CHECK (rule <> ''),
    PRIMARY KEY (user_id, game, rule)
) STRICT, WITHOUT ROWID;
