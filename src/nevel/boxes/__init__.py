"""What is in each box, as data that owners can correct without touching code."""

from nevel.boxes.box import Box, BoxError

__all__ = ["Box", "BoxError"]
