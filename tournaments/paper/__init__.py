"""Paper: the `contents` of chart and score sheet, and `printing` of whatever is laid out as PDF."""
