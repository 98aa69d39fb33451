"""A table as one viewer may see it, and as JSON."""
