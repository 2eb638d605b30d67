"""Facts: who plays where and what tables wrote down, every write of it, and what is in force.

`registration` writes tournaments, players, seating and staff; `reseating` seats a session anew
before it begins; `recording` writes what a table wrote down; `closing` ends an event. `sheets`
reads what is in force and has it scored; `progress` counts how far all has come, `seating` draws,
`backing_up` has a backup taken when a session is over. Nothing here ranks anybody, nor knows who
asks. What is `not_done` says why, in words for people.
"""
