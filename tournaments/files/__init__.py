"""Files that come from outside, read within limits: exactly, or not at all.

`sealed` ones notice any change, `workbooks` are the cells of an Excel file, `entry_files` the
players in one or in CSV. Nothing here asks the database.
"""
