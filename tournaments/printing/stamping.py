"""Drawing on the pages of a PDF: blank forms, each once in the file, and QR codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pydyf

POINTS = 0.75  # of a PDF, in a pixel of CSS


def put_forms_under(pdf: Any, form_indexes: Sequence[int]) -> None:
    """Turn the last pages of a PDF into form XObjects, and draw one under each of the other pages.

    `form_indexes` has the index of the form for each of the other pages. Called by WeasyPrint
    before it writes the PDF.
    """
    numbers = pdf.pages["Kids"][::3]  # a reference has three parts: number, generation, R
    pages = [pdf.objects[number] for number in numbers]
    filled, blanks = pages[: len(form_indexes)], pages[len(form_indexes) :]
    # All pages share their resources. A form must not be among its own, so the filled pages get a
    # dictionary of their own.
    resources = _object_of(pdf, blanks[0]["Resources"])
    forms = {f"blank{i}": _as_form(pdf, page) for i, page in enumerate(blanks)}
    x_objects = pydyf.Dictionary(resources["XObject"] | forms)
    with_forms = pydyf.Dictionary(resources | {"XObject": x_objects})
    pdf.add_object(with_forms)
    for page, index in zip(filled, form_indexes, strict=True):
        page["Resources"] = with_forms.reference
        _object_of(pdf, page["Contents"]).stream.insert(0, f"q /blank{index} Do Q".encode())
    pdf.pages["Kids"] = pydyf.Array(pdf.pages["Kids"][: 3 * len(filled)])
    pdf.pages["Count"] = len(filled)


def draw_codes(document: Any, pdf: Any) -> None:
    """Draw the QR codes of `web.qr_codes.stamped` into their elements, in the middle.

    They are inline images of the page's content stream, drawn before everything else on the page.
    Called by WeasyPrint before it writes the PDF.
    """
    for page, number in zip(document.pages, pdf.pages["Kids"][::3], strict=True):
        codes = [
            _code_in(box, page.height)
            for box in page._page_box.descendants(placeholders=True)  # noqa: SLF001
            if box.element is not None and "data-code" in box.element.attrib
        ]
        if codes:
            drawing = _object_of(pdf, pdf.objects[number]["Contents"])
            drawing.stream.insert(0, "\n".join(codes).encode())


def _code_in(box: Any, page_height: float) -> str:
    """Return the operators that draw the QR code of a square box."""
    code = box.element.attrib
    share = float(code["data-share"])
    side, border = box.width * share, box.width * (1 - share) / 2
    left = box.position_x + border
    below = page_height - box.position_y - border - side
    placed = " ".join(f"{POINTS * each:.3f}" for each in (side, 0, 0, side, left, below))
    dots = code["data-dots"]
    image = f"BI /W {dots} /H {dots} /IM true /F /AHx ID {code['data-code']}> EI"
    return f"q 0 g {placed} cm {image} Q"


def _as_form(pdf: Any, page: pydyf.Dictionary) -> bytes:
    """Turn the content stream of a page into a form XObject; return the reference to it."""
    drawing = _object_of(pdf, page["Contents"])
    drawing.extra |= {
        "Type": "/XObject",
        "Subtype": "/Form",
        "BBox": page["MediaBox"],
        "Resources": page["Resources"],
    }
    reference: bytes = drawing.reference
    return reference


def _object_of(pdf: Any, reference: bytes) -> Any:
    return pdf.objects[int(reference.split()[0])]
