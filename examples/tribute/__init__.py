"""Tribute: sealed bids for prizes that come one by one. A game with secrets, and all act at once."""
