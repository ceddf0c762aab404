"""PostgreSQL: one server for several processes, spoken to by psycopg."""
