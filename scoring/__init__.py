"""What an answer is worth and who goes on: pure functions over players, keys and verdicts."""
