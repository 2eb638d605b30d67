"""How the process starts and serves. Nothing here knows of tournaments.

`environment` reads settings. `sqlite` opens the database, `write_queue` limits who waits for it,
`checks` refuses an unsafe start. `venue` has a laptop's secret key, first account and addresses,
`certificates` its https certificate. `log_formatter` hides tokens. `worker` is gunicorn's worker
class, built on waitress by `connections`. `scripts` and `styles` prepare static files.
"""
