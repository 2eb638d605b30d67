"""Lists of players read from CSV and Excel files within limits, exactly or not at all."""
