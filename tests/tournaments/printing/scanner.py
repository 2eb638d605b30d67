"""What a scanner reads off a printed page (`scanned`)."""

import subprocess

from tests.programs import find_program


def scanned(pdf: bytes) -> set[str]:
    """Return the codes that a scanner reads on the first page."""
    draw = [find_program("pdftoppm"), "-r", "100", "-f", "1", "-singlefile", "-png", "-"]
    picture = subprocess.run(draw, input=pdf, capture_output=True, check=True).stdout
    scan = [find_program("zbarimg"), "--quiet", "--raw", "--nodbus", "-"]
    found = subprocess.run(scan, input=picture, capture_output=True, check=True).stdout
    return set(found.decode().split())
