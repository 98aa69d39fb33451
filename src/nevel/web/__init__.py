"""The network: the JSON API, the socket, who people are and what they may see."""
