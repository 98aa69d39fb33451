"""The referee of the chat: reads numbers however they are written."""
