class Error:
    code: int
    reason: str
    body: str

    def __init__(self, body: str) -> None: ...
    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]: ...
