"""Every kind of message as SimCord's preview shows it, in each language, wide and on a phone."""
