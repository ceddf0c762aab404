"""Rows of the outbox become messages: where, by whom to be seen, in order, through crashes and refusals."""
