"""How rules run: compiled or interpreted, with one stream of chance, for whichever game a record belongs to."""
