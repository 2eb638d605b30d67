"""What differs between operating systems, and nothing else.

`locks` locks files between processes, `files` names and syncs files, `processes`
starts commands of ours and lowers priorities.
"""
