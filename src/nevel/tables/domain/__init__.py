"""A table as such: what has happened, what may be asked, what follows. No clocks, no storage, no network."""
