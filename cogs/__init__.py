"""The Discord layer: commands, buttons, posts. No rules, no SQL, no drawing."""
