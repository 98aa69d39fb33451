"""A load generator for servers: many real clients that share no code with the server."""
