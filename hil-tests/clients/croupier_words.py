"""Codes in words, for a screen or a log.

A code of `croupier.common.Clause` is named after its clause, so the name is all it takes.
"""

from __future__ import annotations

import re
from typing import Any

_NAME = re.compile(r"(BY_ANALOGY_)?PA_(\d+A?)_(\d+)((?:_[A-Z0-9]+)*)")


def clause_words(clause: Any) -> str:
    """What an irregularity rests on: `Pa. 583.13(d)`, or `by analogy with Pa. 583.5(b)`."""
    kind, code = type(clause), int(clause.value)
    if code == 0:
        return "no clause"
    names = (name for name in dir(kind) if _NAME.fullmatch(name))
    found = next((name for name in names if int(getattr(kind, name)) == code), None)
    return f"clause {code}, newer than this client" if found is None else words_of_name(found)


def words_of_name(name: str) -> str:
    """`BY_ANALOGY_PA_583_5_B` is `by analogy with Pa. 583.5(b)`."""
    match = _NAME.fullmatch(name)
    if match is None:
        raise ValueError(f"{name} is no clause")
    analogy, chapter, section, parts = match.groups()
    inner = "".join(f"({part.lower()})" for part in parts.split("_")[1:])
    return f"{'by analogy with ' if analogy else ''}Pa. {chapter.lower()}.{section}{inner}"
