"""Who people are, their links, whom they mute and block."""
