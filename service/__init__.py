"""What runs: the event's store, its jobs, the web application and the command line."""
