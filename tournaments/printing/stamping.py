"""Blank forms under the pages of a PDF: each is in the file once, whatever is written on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pydyf


def put_forms_under(pdf: Any, form_indexes: Sequence[int]) -> None:
    """Turn the last pages of a PDF into forms, and draw one under each of the others.

    `form_indexes` has for each of the other pages the index of its form. The pages of WeasyPrint,
    which calls this before it writes the PDF, share their resources; a form must not be among its
    own, so that the pages get another dictionary.
    """
    numbers = pdf.pages["Kids"][::3]  # of each reference: number, generation, R
    pages = [pdf.objects[number] for number in numbers]
    written, blanks = pages[: len(form_indexes)], pages[len(form_indexes) :]
    resources = _object_of(pdf, blanks[0]["Resources"])
    forms = {f"blank{i}": _as_form(pdf, page) for i, page in enumerate(blanks)}
    x_objects = pydyf.Dictionary(resources["XObject"] | forms)
    with_forms = pydyf.Dictionary(resources | {"XObject": x_objects})
    pdf.add_object(with_forms)
    for page, index in zip(written, form_indexes, strict=True):
        page["Resources"] = with_forms.reference
        _object_of(pdf, page["Contents"]).stream.insert(0, f"q /blank{index} Do Q".encode())
    pdf.pages["Kids"] = pydyf.Array(pdf.pages["Kids"][: 3 * len(written)])
    pdf.pages["Count"] = len(written)


def _as_form(pdf: Any, page: pydyf.Dictionary) -> bytes:
    """Make what is drawn on a page a form, and return a reference to it."""
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
    """Return the object that a reference names."""
    return pdf.objects[int(reference.split()[0])]
