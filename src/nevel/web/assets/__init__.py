"""Files browsers keep: styles, scripts, fonts, drawings."""
