"""What may be read of tables, by whom, and what a finished game leaves behind."""
