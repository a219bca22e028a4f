"""From readings to rulings: suggestions, the wall of a question, the log of what was ruled. Pure."""
