"""Tables on a running node: rooms, bots that think, deadlines, chat."""
