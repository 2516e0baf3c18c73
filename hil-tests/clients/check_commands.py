"""A device obeys a sender that holds the right key, and no other, however it tries.

Shows CM-03 and CM-07: authority is which key sealed a command. What is forged, replayed, meant for
another device or sealed by another role gets no answer, changes nothing, and is counted by kind.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pycyphal.transport
from checks import WAIT, accepted, parser, require, result_of, run, until
from croupier.common import ClockGet_1_0, ClockSet_1_0, Dealing_1_0, Game_1_0, Irregularity_1_0
from croupier.common import ProfileChanged_1_0, ProfileGet_1_0, ProfileSet_1_0, Refusals_1_0
from croupier.common import Trouble_1_0
from croupier_client import Table, bytes_of, port_of
from croupier_seal import Address, Kind, Role, seal
from croupier_words import clause_words

PROFILES = {
    "reader": [
        (Game_1_0.DOWN_UNDER_BLACKJACK, 8, Dealing_1_0.MANUAL_SHOE),
        (Game_1_0.DOWN_UNDER_BLACKJACK, 6, Dealing_1_0.MANUAL_SHOE),
    ],
    "shuffler": [
        (Game_1_0.FREE_BET, 6, Dealing_1_0.MANUAL_SHOE),
        (Game_1_0.FREE_BET, 8, Dealing_1_0.MANUAL_SHOE),
    ],
    "paigow": [
        (Game_1_0.SIX_CARD_FORTUNE_PAI_GOW, 1, Dealing_1_0.AUTOMATED_SHOE),
        (Game_1_0.SIX_CARD_FORTUNE_PAI_GOW, 1, Dealing_1_0.HAND),
    ],
}


def profiles(device: str) -> list[ProfileSet_1_0.Request]:
    """Two games this device may be set to."""
    return [
        ProfileSet_1_0.Request(
            game=Game_1_0(game), decks=decks, dealing=Dealing_1_0(dealing), seats=6
        )
        for game, decks, dealing in PROFILES[device]
    ]


def profile(device: str) -> ProfileSet_1_0.Request:
    """The second of them."""
    return profiles(device)[-1]


async def check(table: Table, arguments: Any) -> dict[str, Any]:
    """Both halves, on the device named as NAME=NODE."""
    name, number = arguments.device.split("=")
    node = int(number)
    table.listen()
    obeyed = await obeys_the_right_key(table, name, node)
    return await refuses_all_others(table, name, node, obeyed)


def events_of(table: Table, node: int, kind: type) -> list[Any]:
    """The device's events of one kind, in order."""
    return [event for event in table.events[node].in_order() if isinstance(event, kind)]


async def obeys_the_right_key(table: Table, name: str, node: int) -> bytes:
    """CM-07, CM-09. Gives the command that set the profile."""
    wanted = profiles(name)
    for wish in wanted:  # at once: each must be published all the same
        number = await table.take_number(node, Role.FLOORPERSON)
        request = table.sealed(node, wish, Role.FLOORPERSON, number)
        accepted(await table.ask_sealed(node, request))
    await until(
        table,
        lambda: len(events_of(table, node, ProfileChanged_1_0)) >= len(wanted),
        f"{len(wanted)} times ProfileChanged",
    )
    for event, wish in zip(events_of(table, node, ProfileChanged_1_0), wanted):
        said = (event.to_game.value, event.decks, event.dealing.value, event.by.value)
        asked = (wish.game.value, wish.decks, wish.dealing.value, Role.FLOORPERSON)
        require(said == asked, f"published {said} and not of {asked}")

    inforce = accepted(await table.ask(node, ProfileGet_1_0.Request(), Role.DEALER))
    said = (inforce.game.value, inforce.decks, inforce.seats, inforce.by.value)
    asked = (request.game.value, request.decks, request.seats, Role.FLOORPERSON)
    require(said == asked, f"has the profile {said}, not {asked}")

    now = int(time.time() * 1000)
    accepted(await table.ask(node, ClockSet_1_0.Request(utc_ms=now), Role.FLOORPERSON))
    clock = accepted(await table.ask(node, ClockGet_1_0.Request(), Role.DEALER))
    late = clock.utc_ms - now
    require(0 <= late <= 5_000, f"its clock is {late} ms off")

    hour = ClockSet_1_0.Request(utc_ms=now + 3_600_000)
    answer = await table.ask(node, hour, Role.CONTROLLER)
    require(result_of(answer) == "NOT_AUTHORISED", f"a step by a controller: {result_of(answer)}")
    return bytes_of(request)


async def refuses_all_others(table: Table, name: str, node: int, obeyed: bytes) -> dict[str, Any]:
    """Each attempt by itself, counted where it should be."""
    before = await counts(table, node)
    answer = await table.ask(node, profile(name), Role.DEALER)
    require(result_of(answer) == "NOT_AUTHORISED", f"a dealer's profile: {result_of(answer)}")

    attempts = await forgeries(table, name, node, obeyed)
    for what, payload in attempts.items():
        require(not await answers(table, node, payload), f"{what} was answered")
    after = await counts(table, node)
    rise = {kind: after[kind] - before[kind] for kind in after}
    expected = {"malformed": 2, "unknown_role": 2, "forged": 6, "replayed": 3, "not_authorised": 1}
    require(rise == expected, f"counted {rise}, not {expected}")

    def alarmed() -> bool:
        events = events_of(table, node, Irregularity_1_0)
        told = [event for event in events if event.trouble.value == Trouble_1_0.SEALS_REFUSED]
        return any(clause_words(event.clause) == "no clause" for event in told)

    await until(table, alarmed, "the report of refused seals")
    changes = len(events_of(table, node, ProfileChanged_1_0))
    require(changes == len(profiles(name)), f"{changes} changes of profile were published")
    require(not table.refused, f"the client itself refused {table.refused}")
    return {"refused": list(attempts)}


async def forgeries(table: Table, name: str, node: int, obeyed: bytes) -> dict[str, bytes]:
    """A good command, and everything one can do to it but send it."""
    request = profile(name)
    first = await table.next_sequence(node, Role.FLOORPERSON)
    good = bytes_of(table.sealed(node, request, Role.FLOORPERSON, first))
    flipped = bytearray(good)
    flipped[-1] ^= 1
    decks = bytearray(good)
    decks[1] ^= 1
    here = Address(table.own_node(), node, Kind.REQUEST, port_of(ProfileSet_1_0))
    blank = bytes_of(request)

    def by(key: bytes, role: int, where: Address, sequence: int = first) -> bytes:
        return seal(key, role, sequence, where, blank)

    floorperson, dealer = table.keys[Role.FLOORPERSON], table.keys[Role.DEALER]
    other = Address(here.source, node + 1, here.kind, here.port)
    elsewhere = Address(here.source + 1, node, here.kind, here.port)
    another_port = Address(here.source, node, here.kind, here.port + 1)
    return {
        "a bit of the code changed": bytes(flipped),
        "a bit of the content changed": bytes(decks),
        "the floorperson's role with the dealer's key": by(dealer, Role.FLOORPERSON, here),
        "sealed for another device": by(floorperson, Role.FLOORPERSON, other),
        "sealed by another node": by(floorperson, Role.FLOORPERSON, elsewhere),
        "sealed for another service": by(floorperson, Role.FLOORPERSON, another_port),
        "the device's own role": by(table.keys[Role.DEVICE], Role.DEVICE, here),
        "a role that there is not": by(floorperson, 9, here),
        "a command obeyed before, as it stood": obeyed,
        "the first number of all": by(floorperson, Role.FLOORPERSON, here, 0),
        "a number far ahead": by(floorperson, Role.FLOORPERSON, here, first + 2**40),
        "a byte short": good[1:],
        "a byte long": b"\0" + good,
    }


async def answers(table: Table, node: int, payload: bytes) -> bool:
    """Sends these bytes as they stand; whether a device answers the profile service."""
    service = pycyphal.transport.ServiceDataSpecifier
    data = service(port_of(ProfileSet_1_0), service.Role.REQUEST)
    session = table.node.presentation.transport.get_output_session(
        pycyphal.transport.OutputSessionSpecifier(data, node), pycyphal.transport.PayloadMetadata(0)
    )
    client = table.node.make_client(ProfileSet_1_0, node)
    number = client.transfer_id_counter.get_then_increment()
    before = client.sample_statistics()
    transfer = pycyphal.transport.Transfer(
        timestamp=pycyphal.transport.Timestamp.now(),
        priority=pycyphal.transport.Priority.NOMINAL,
        transfer_id=number,
        fragmented_payload=[memoryview(payload)],
    )
    deadline = asyncio.get_running_loop().time() + WAIT
    require(await session.send(transfer, deadline), "the link did not take a request")
    # A question that is answered shows that the device has dealt with everything before it.
    await table.next_sequence(node, Role.FLOORPERSON)
    after = client.sample_statistics()
    client.close()
    return after.unexpected_responses != before.unexpected_responses


async def counts(table: Table, node: int) -> dict[str, int]:
    """What the device turned away since its start, by kind."""
    answer = accepted(await table.ask(node, Refusals_1_0.Request(), Role.SERVICE))
    kinds = ("malformed", "unknown_role", "forged", "replayed", "not_authorised")
    return {kind: int(getattr(answer, kind)) for kind in kinds}


if __name__ == "__main__":
    options = parser(__doc__)
    options.add_argument("--device", required=True, metavar="NAME=NODE")
    run(check, options.parse_args())
