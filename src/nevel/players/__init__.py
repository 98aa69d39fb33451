"""Who sits in a chair: a bot of ours, or a program of somebody else's."""
