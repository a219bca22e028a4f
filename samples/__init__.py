"""One complete invented event, and the generator that fills its blanks and scans them."""
