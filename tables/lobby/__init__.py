"""A table until it starts, and studies, which never do."""
