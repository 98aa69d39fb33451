"""Pages for people: everything works as plain forms, and live with a script."""
