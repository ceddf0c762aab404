"""What may be wrong with a table or a row, and what of it can be set right."""
