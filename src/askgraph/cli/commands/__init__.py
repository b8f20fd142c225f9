"""The commands, one module each. What a command needs beyond its own words is imported when it runs."""
