"""What a server needs, in a gym or in production. Nothing here knows of tournaments.

`environment` reads settings; `sqlite`, `writers` and `checks` are how the database is opened,
waited for and refused; `venue` is a laptop's keys and addresses, `certificates` its https,
`log_lines` the log; `worker` is gunicorn's process, which reads and sends by `connections`;
`scripts` and `styles` are what browsers get.
"""
