class Adjustments:
    cleanup_interval: int
    recv_bytes: int

    def __init__(self, **kw: object) -> None: ...
