"""Format style sheets: `python tests/format_styles.py [--check] static/css/*.css`."""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path

import cssbeautifier  # type: ignore[import-untyped]


def formatted(style: str) -> str:
    options = cssbeautifier.default_options()
    options.indent_size = 2
    options.end_with_newline = True
    options.newline_between_rules = False
    options.preserve_newlines = True
    options.max_preserve_newlines = 2
    options.space_around_combinator = True
    return str(cssbeautifier.beautify(style, options))


def main() -> int:
    parser = argparse.ArgumentParser(description="Format style sheets, one declaration a line.")
    parser.add_argument("--check", action="store_true", help="show what differs, write nothing")
    parser.add_argument("sheets", nargs="+", type=Path)
    asked = parser.parse_args()
    failed = False
    for sheet in asked.sheets:
        written = sheet.read_text("utf-8")
        wanted = formatted(written)
        if written == wanted:
            continue
        if asked.check:
            failed = True
            lines = written.splitlines(keepends=True), wanted.splitlines(keepends=True)
            sys.stdout.writelines(difflib.unified_diff(*lines, str(sheet), "formatted"))
        else:
            sheet.write_text(wanted, "utf-8")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
