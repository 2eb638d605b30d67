"""Printed documents: contexts for their templates, and PDF bytes of a template and its context.

`contents` has the chart and the score sheet, `serials` the numbers on sheets, `names` the lines of
names on them, `phone_chart` the chart for a phone. `rendering` makes PDFs in jobs, which
`layout` lays out, with `fonts` and `stamping`, if `pango` finds the library.
"""
