"""SQLite storage: migrations, repositories, the outbox. Knows games as opaque records."""
