"""The processes that think and draw, and the bot's way to them."""
