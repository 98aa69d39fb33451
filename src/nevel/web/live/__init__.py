"""Sockets: what is sent to those who watch a table, when it changes."""
