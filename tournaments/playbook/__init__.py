"""What a phone without network looks up, as data: outcomes of every deal, advice, sentences."""
