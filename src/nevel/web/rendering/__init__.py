"""From a table to markup: templates, boards, frames, assets."""
