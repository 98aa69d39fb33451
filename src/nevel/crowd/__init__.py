"""A load for a server: many real clients. They know nothing of ours but what goes over the network."""
