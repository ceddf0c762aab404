"""Slash commands: one module a group of commands."""
