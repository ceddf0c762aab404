"""One module a group of tables: the only SQL of the running bot."""
