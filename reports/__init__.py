"""Results to paper and screen files: blanks, standings, protocols, workbook and table."""
