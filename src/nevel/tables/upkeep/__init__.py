"""What is done for a database while nobody asks: backups, drills, what is too old, and the journal of erasures."""
