from waitress.adjustments import Adjustments
from waitress.utilities import Error

class HTTPRequestParser:
    completed: bool
    expect_continue: bool
    headers_finished: bool
    chunked: bool
    content_length: int
    body_rcv: object | None
    error: Error | None
    headers: dict[str, str]
    command: str
    path: str

    def __init__(self, adj: Adjustments) -> None: ...
    def received(self, data: bytes) -> int: ...
    def parse_header(self, header_plus: bytes) -> None: ...
