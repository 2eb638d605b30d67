"""Putting blank forms under the pages of a PDF. The file has each form once, for all its pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pydyf


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
