"""Acting at a running table: actions, drafts and orders, the bot's seats, and what needs consent."""
