"""The readers: engines behind the `Reader` protocol, chosen by name."""
