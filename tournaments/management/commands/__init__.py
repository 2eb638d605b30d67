"""One module per command, named as it is typed after `python manage.py`."""
