"""What the check scripts share: their arguments, and how they say what they found."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from typing import Any, Awaitable, Callable

from croupier_client import ACCEPTED, Table
from croupier_seal import bench_keys

WAIT = 90.0
"""Generous, because a loaded machine may be slow; a good run never waits this long."""


class Failed(Exception):
    """What a check found wrong, in a sentence."""


def require(holds: bool, sentence: str) -> None:
    """Ends the check with the sentence unless it holds."""
    if not holds:
        raise Failed(sentence)


def result_of(answer: Any) -> str:
    """What became of a request, by its name in the DSDL."""
    kind = type(answer.answer.result)
    names = (name for name in vars(kind) if name.isupper())
    code = answer.answer.result.value
    return next((name for name in names if getattr(kind, name) == code), f"code {code}")


def accepted(answer: Any) -> Any:
    """The answer, which must be ACCEPTED."""
    require(answer.answer.result.value == ACCEPTED, f"was answered {result_of(answer)}")
    return answer


async def until(
    table: Table, holds: Callable[[], bool], sentence: str, within: float = WAIT
) -> None:
    """Waits until something holds that arriving messages bring about."""
    deadline = time.monotonic() + within
    while not holds():
        table.changed.clear()
        try:
            await asyncio.wait_for(table.changed.wait(), deadline - time.monotonic())
        except asyncio.TimeoutError:
            require(holds(), f"waited {within} s for {sentence}, in vain")


def parser(about: str | None) -> argparse.ArgumentParser:
    """The arguments every check has."""
    arguments = argparse.ArgumentParser(description=about)
    arguments.add_argument("--link", required=True, help="can:HOST:PORT or serial:HOST:PORT")
    return arguments


def run(check: Callable[[Table, Any], Awaitable[dict[str, Any]]], arguments: Any) -> None:
    """Runs a check at the table; prints what it found as one line of JSON, or what was wrong."""

    async def at_the_table() -> dict[str, Any]:
        async with Table.open(arguments.link, bench_keys()) as table:
            return await check(table, arguments)

    try:
        found = asyncio.run(at_the_table())
    except Exception as problem:  # pylint: disable=broad-except
        print(f"FAILED on {arguments.link}: {type(problem).__name__}: {problem}", file=sys.stderr)
        if not isinstance(problem, Failed):
            raise
        sys.exit(1)
    print(json.dumps(found))
