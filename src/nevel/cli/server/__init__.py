"""Commands for whoever runs a server: starting one, backups, load tests."""
