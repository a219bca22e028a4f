"""Paper → readings: the blank's geometry, pages out of files, registration, ink, readers."""
