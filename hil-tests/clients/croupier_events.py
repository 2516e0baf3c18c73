"""One device's events, each once, and which ones are missing.

An event's stamp says which it is: `start` counts the device's starts, `number` the events of this
start. A frame that is lost shows as a jump of the number; the last one lost shows in Status, which
says the number the next event will have. Pure: verified objects in, what to do out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Optional


@dataclass
class Events:
    """What came from one device since its first fresh answer, whose seal had the number `newest`.

    What a device said before that could be a recording: no one can replay an answer to a question
    with a number never used before.
    """

    newest: int
    start: Optional[int] = None
    end: int = 0
    kept: dict[int, Any] = field(default_factory=dict)
    restarts: int = 0
    repeats: int = 0
    noticed: set[int] = field(default_factory=set)
    """Numbers that were once seen to be missing."""

    _first: Optional[int] = None

    def take(self, event: Any) -> bool:
        """Takes an authentic event; returns whether it is new."""
        stamp = event.stamp
        if not self._belongs(stamp.start, event.seal.sequence):
            return False
        number = int(stamp.number)
        if self._first is None:
            self._first = number
        if number in self.kept:
            self.repeats += 1
            return False
        self.kept[number] = event
        self._exist_below(number + 1)
        return True

    def take_status(self, status: Any) -> None:
        """Takes an authentic Status or Progress: all events below its number have happened."""
        if self._belongs(status.start, status.seal.sequence):
            if self._first is None:
                self._first = int(status.next_event)
            self._exist_below(int(status.next_event))

    def missing(self) -> list[int]:
        """Events that happened and did not come, since the first that did."""
        first = self.end if self._first is None else self._first
        return [number for number in range(first, self.end) if number not in self.kept]

    def want_from(self, number: int) -> None:
        """Also those from `number` on are wanted, though they were before our time."""
        self._first = number if self._first is None else min(self._first, number)
        self.noticed.update(self.missing())

    def in_order(self) -> list[Any]:
        """All that came, in the order they happened."""
        return [self.kept[number] for number in sorted(self.kept)]

    def last(self, wanted: Callable[[Any], bool]) -> Optional[Any]:
        """The newest event for which `wanted` is true."""
        return next((event for event in reversed(self.in_order()) if wanted(event)), None)

    def _exist_below(self, end: int) -> None:
        self.end = max(self.end, end)
        self.noticed.update(self.missing())

    def _belongs(self, start: int, sequence: int) -> bool:
        """A start never seen is a new one only if its seal is newer than all before: no replay."""
        newest, self.newest = self.newest, max(self.newest, int(sequence))
        if start == self.start:
            return True
        if sequence <= newest:
            return False
        if self.start is not None:
            self.restarts += 1
        self.start, self.end, self._first = start, 0, (0 if self.start is not None else None)
        self.kept, self.noticed = {}, set()
        return True
