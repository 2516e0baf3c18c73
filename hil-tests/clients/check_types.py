"""Both ways, every type: our bytes are nunavut's bytes, and nunavut reads ours back unchanged.

Reads the vectors of `cargo run -p dsdl -- vectors` from the file named.
"""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any

import pycyphal
import pycyphal.dsdl
from croupier_client import bytes_of


def find(name: str) -> Any:
    """`croupier.reader.Arm.1.0.Request` as nunavut's class."""
    parts = name.split(".")
    half = parts.pop() if parts[-1] in ("Request", "Response") else None
    *path, short, major, minor = parts
    whole = getattr(importlib.import_module(".".join(path)), f"{short}_{major}_{minor}")
    return getattr(whole, half) if half else whole


def compare(row: dict[str, Any]) -> str | None:
    """What is wrong with one vector."""
    kind, ours = find(row["type"]), bytes.fromhex(row["bytes"])
    theirs = bytes_of(pycyphal.dsdl.update_from_builtin(kind(), row["value"]))
    if theirs != ours:
        return f"{row['type']}: {row['value']}\n  ours  {ours.hex()}\n  their {theirs.hex()}"
    back = pycyphal.dsdl.deserialize(kind, [memoryview(ours)])
    if back is None or bytes_of(back) != ours:
        return f"{row['type']}: {ours.hex()} does not read back"
    return None


def main(path: str) -> None:
    """Compares every vector in the file."""
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)
    wrong = [fault for fault in map(compare, rows) if fault]
    print("\n".join(wrong), file=sys.stderr)
    print(json.dumps({"values": len(rows), "types": len({row["type"] for row in rows})}))
    sys.exit(1 if wrong or not rows else 0)


if __name__ == "__main__":
    main(sys.argv[1])
