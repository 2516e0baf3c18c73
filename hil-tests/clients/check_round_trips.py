"""Sealed round trips without end: none lost, none wrong, and every loss noticed.

Questions of four kinds take turns, each with an answer that can be predicted, and every tenth is a
command that changes the game and so makes an event. On a good link every one is answered right.
With --lossy frames may get lost or bent on the way: then a question may stay without an answer and
an event may not come, but what is believed is true, and what is missing is known to be missing and
comes when asked for. At the end the device's own account of what it did is compared with ours.
"""

from __future__ import annotations

import time
from typing import Any, Awaitable, Callable

from checks import Failed, WAIT, accepted, parser, require, run, until
from croupier.common import ClockGet_1_0, Dealing_1_0, Game_1_0, ProfileChanged_1_0, ProfileGet_1_0
from croupier.common import ProfileSet_1_0, Refusals_1_0
from croupier_client import Table, Unanswered
from croupier_seal import Refused, Role

GAME = Game_1_0.FREE_BET_TEMPORARY
"""Played with any number of decks, so that the decks can number the commands."""
MOST_DECKS = 8
NEXT_SEQUENCE_EVERY = 2000
# A role's commands may change 256 things in a row and then one in ten seconds.
MOST_COMMANDS = 200
LOSSY_PATIENCE = 0.3


class Trips:
    """The round trips of one run, with one device."""

    def __init__(self, table: Table, node: int) -> None:
        self.table, self.node = table, node
        self.answered = self.unanswered = 0
        self.obeyed: list[int] = []
        self.sent: list[int] = []
        self.slowest = 0.0
        self._decks_in_force: set[int] = set()
        self._time_ms = 0

    async def one(self, number: int) -> None:
        """One round trip; counts it as answered only if the answer was believed, and true."""
        turns: list[Callable[[], Awaitable[None]]] = [
            self.set_profile, self.get_profile, self.get_clock, self.get_refusals, self.get_profile,
            self.get_clock,
        ]  # fmt: skip
        turn = turns[number % len(turns)]
        if turn == self.set_profile and len(self.sent) >= MOST_COMMANDS:
            turn = self.get_profile
        if number % NEXT_SEQUENCE_EVERY == 1:
            turn = self.ask_next_sequence
        begun = time.monotonic()
        try:
            await turn()
            self.answered += 1
            self.slowest = max(self.slowest, time.monotonic() - begun)
        except (Unanswered, Refused):
            self.unanswered += 1

    async def set_profile(self) -> None:
        """A command; when its answer is lost, either game may be in force."""
        decks = len(self.sent) % MOST_DECKS + 1
        request = ProfileSet_1_0.Request(
            game=Game_1_0(GAME), decks=decks, dealing=Dealing_1_0(Dealing_1_0.MANUAL_SHOE), seats=6
        )
        number = await self.table.take_number(self.node, Role.FLOORPERSON)
        sealed = self.table.sealed(self.node, request, Role.FLOORPERSON, number)
        self.sent.append(decks)
        self._decks_in_force.add(decks)
        accepted(await self.table.ask_sealed(self.node, sealed))
        self._decks_in_force = {decks}
        self.obeyed.append(len(self.sent) - 1)

    async def get_profile(self) -> None:
        """The game in force is one we set."""
        answer = accepted(await self.table.ask(self.node, ProfileGet_1_0.Request(), Role.DEALER))
        if self._decks_in_force:
            require(answer.game.value == GAME, f"the game in force is {answer.game}")
            require(answer.decks in self._decks_in_force, f"{answer.decks} decks are in force")
            self._decks_in_force = {int(answer.decks)}

    async def ask_next_sequence(self) -> None:
        """The nonce comes back; `next_sequence` checks it."""
        await self.table.next_sequence(self.node, Role.DEALER)

    async def get_clock(self) -> None:
        """The device's own clock never runs backwards."""
        answer = accepted(await self.table.ask(self.node, ClockGet_1_0.Request(), Role.SERVICE))
        require(answer.time_ms >= self._time_ms, "its clock ran backwards")
        self._time_ms = int(answer.time_ms)

    async def get_refusals(self) -> None:
        """Nothing of ours reached the device and was taken for another sender's."""
        answer = accepted(await self.table.ask(self.node, Refusals_1_0.Request(), Role.CONTROLLER))
        require(answer.not_authorised == 0, f"{answer.not_authorised} were not authorised")


async def check(table: Table, arguments: Any) -> dict[str, Any]:
    """All round trips, then the account."""
    trips = Trips(table, arguments.node)
    await table.next_sequence(arguments.node, Role.CONTROLLER)
    events = table.events[arguments.node]
    table.listen()
    await until(table, lambda: events.start is not None, "a word of the device")
    began = events.end

    print("begun", flush=True)  # the bench starts its faults now
    if arguments.lossy:
        table.patience = LOSSY_PATIENCE
    begun = time.monotonic()
    for number in range(arguments.count):
        await trips.one(number)
        if not arguments.lossy:
            require(trips.unanswered == 0, f"question {number} was not answered")
            require(not events.missing(), f"events {events.missing()} were lost")
        elif events.missing():
            await fetch(table, arguments.node)
    seconds = time.monotonic() - begun
    lossless = await all_events(table, arguments.node)
    compare(trips, [e for e in events.in_order() if int(e.stamp.number) >= began])
    return {
        "round_trips": arguments.count,
        "answered": trips.answered,
        "unanswered": trips.unanswered,
        "questions_unanswered": table.unanswered,
        "seconds": round(seconds, 2),
        "ms_each": round(1000 * seconds / arguments.count, 3),
        "ms_slowest": round(1000 * trips.slowest, 1),
        "events": lossless,
        "events_noticed_missing": len(events.noticed),
        "refused_here": len(table.refused),
        "restarts": events.restarts,
    }


async def fetch(table: Table, node: int) -> None:
    """Asks for what is missing; asks again later if that gets lost too."""
    try:
        await table.fetch_missing(node)
    except (Unanswered, Refused):
        pass


async def all_events(table: Table, node: int) -> int:
    """Every event of this start, to the last that the next Status counts."""
    events = table.events[node]
    newest = events.newest
    deadline = time.monotonic() + WAIT
    await until(table, lambda: events.newest > newest, "a Status")
    while events.missing():
        require(time.monotonic() < deadline, f"events {events.missing()} do not come")
        await fetch(table, node)
        try:
            await until(table, lambda: not events.missing(), "what is missing", within=1.0)
        except Failed:
            continue
    return len(events.kept)


def compare(trips: Trips, events: list[Any]) -> None:
    """What the device says it did is what we asked for: in order, each at most once, all answered."""
    done = [int(event.decks) for event in events if isinstance(event, ProfileChanged_1_0)]
    at = 0
    matched = []
    for decks in done:
        while at < len(trips.sent) and trips.sent[at] != decks:
            at += 1
        require(at < len(trips.sent), f"{decks} decks were set without a request")
        matched.append(at)
        at += 1
    missed = set(trips.obeyed) - set(matched)
    require(not missed, f"commands {sorted(missed)} were answered and no event followed")


if __name__ == "__main__":
    options = parser(__doc__)
    options.add_argument("--node", type=int, required=True, help="the device's number")
    options.add_argument("--count", type=int, default=300)
    options.add_argument("--lossy", action="store_true", help="frames may get lost or bent")
    run(check, options.parse_args())
