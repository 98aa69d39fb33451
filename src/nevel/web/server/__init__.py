"""The server: settings, start and stop, security, limits, metrics."""
