"""Players other than people: built-in bots and outside programs, and the loop that lets them play."""
