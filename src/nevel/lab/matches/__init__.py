"""Games between players on numbered deals, what they say of strength, on threads or on a GPU."""
