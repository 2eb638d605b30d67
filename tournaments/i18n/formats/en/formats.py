"""Dates of English pages, as in Britain: 21 Nov 2026. Django's are American."""

DATE_FORMAT = "j M Y"
SHORT_DATE_FORMAT = "j M Y"
MONTH_DAY_FORMAT = "j F"
