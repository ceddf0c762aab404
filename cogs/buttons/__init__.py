"""Buttons and selects that outlive the process, and the rows of them that posts and answers share."""
