"""What is in a box, as plain values for the form in which it is corrected and for the tables that list it."""

from collections.abc import Mapping
from typing import Any

from nevel.game.boxes.sheet import BoxField, BoxRow, BoxSection, BoxSheet
from nevel.languages import Language, SpokenError
from nevel.web.rendering.fragment import Values


def draw_box(
    sheet: BoxSheet, texts: Mapping[str, str], language: Language, wrong: Mapping[str, SpokenError] | None = None
) -> list[Values]:
    """The sections of a box that says these texts, compared with ours, and with what is wrong where."""
    ours, errors = sheet.texts(sheet.ours), {key: problem.sentence(language) for key, problem in (wrong or {}).items()}
    drawn = [draw_section(section, {**ours, **texts}, ours, language, errors) for section in sheet.sections]
    if errors and drawn:  # what belongs to no section is told at the first
        drawn[0]["errors"] += list(errors.values())
    return drawn


def draw_section(
    section: BoxSection, texts: Mapping[str, str], ours: Mapping[str, str], language: Language, errors: dict[str, str]
) -> Values:
    columns = [column.say(language) for column in section.columns]
    rows = [draw_row(row, columns, texts, ours, language, errors) for row in section.rows]
    firsts = [texts[field.key].strip() for row in section.rows if (field := row.fields[0])]
    return {
        "key": section.key,
        "clause": section.clause,
        "title": language.say(section.title),
        "source": language.say(section.source),
        "is_reconstructed": section.is_reconstructed,
        "columns": columns,
        "has_choices": any(field.choices for field in section.fields),
        "rows": rows,
        "total": section.total,
        "found": sum(int(text) for text in firsts if text.isdecimal() and len(text) < 5) if section.total else None,
        "errors": [errors.pop(section.key)] if section.key in errors else [],
        "changes": sum(cell["is_changed"] for row in rows for cell in row["cells"]),
    }


def draw_row(
    row: BoxRow,
    columns: list[str],
    texts: Mapping[str, str],
    ours: Mapping[str, str],
    language: Language,
    errors: dict[str, str],
) -> Values:
    label = row.title(language)
    cells = [
        draw_field(field, label, column, texts, ours, language, errors) if field else None
        for column, field in zip(columns, row.fields, strict=True)
    ]
    # An error of a whole row is told by the key its fields have before their last dot.
    key = next(field.key for field in row.fields if field).rpartition(".")[0]
    error = errors.pop(key) if len(cells) > 1 and key in errors else ""
    return {"label": label, "cells": [cell or EMPTY for cell in cells], "error": error}


#: A place in a table where there is nothing to say.
EMPTY: dict[str, Any] = {"key": "", "is_changed": False, "word": "", "error": ""}


def draw_field(
    field: BoxField,
    row: str,
    column: str,
    texts: Mapping[str, str],
    ours: Mapping[str, str],
    language: Language,
    errors: dict[str, str],
) -> Values:
    words = {value: language.say(word) for value, word in field.choices}
    text, usual = texts[field.key], ours[field.key]
    return {
        "key": field.key,
        "id": f"box-{field.key.replace('.', '-')}",
        "text": text,
        "word": words.get(text, text),
        "ours": usual,
        "ours_word": words.get(usual, usual),
        "is_changed": text.strip() != usual,
        "column": column,
        "label": f"{row}, {column}",
        "low": field.low,
        "high": field.high,
        "choices": list(words.items()),
        "error": errors.pop(field.key, ""),
    }
