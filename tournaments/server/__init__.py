"""How the process starts and serves. Independent of tournaments.

`environment` reads settings. `databases` and `sqlite` configure the database, `write_queue` queues
the writes to SQLite, `replica` reads from a second PostgreSQL, and `checks` refuses an unsafe
start. `venue` makes a laptop's secret key and first account and finds its addresses;
`certificates` makes its https certificate. `log_formatter` hides tokens. `serving` is a process
that serves, built on waitress by `connections` and `dispatcher`: that of gunicorn's `worker`, or
the only one, `one_process`, where there is no fork. `scripts`, `styles`, `static_files` and
`templates` prepare what pages are made of. `draw_searches` runs longer searches for a better draw,
`jobs` with `job_server` or `spawned_jobs` what takes a second or more, `kept_jobs` what takes
longer than a request.
"""
