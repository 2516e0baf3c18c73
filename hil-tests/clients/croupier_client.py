"""A table controller's side of the wire in Python: a place for a vendor to start from.

pycyphal moves the transfers; here is what croupier adds: sealing commands, checking what comes
back, sequence numbers, and events in order. pycyphal compiles the DSDL when it is first imported, from the
folders named by CYPHAL_PATH to the one named by PYCYPHAL_PATH (see README.md).

    async with Table.open("can:127.0.0.1:4000", bench_keys()) as table:
        answer = await table.ask(11, ProfileGet_1_0.Request(), Role.DEALER)
"""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict
from contextlib import asynccontextmanager
from typing import Any, AsyncIterator, Callable

import pycyphal
import pycyphal.application
import pycyphal.dsdl
import pycyphal.presentation
import pycyphal.transport

import croupier.common
import croupier.paigow
import croupier.reader
import croupier.shuffler
import uavcan.node
from croupier_events import Events
from croupier_seal import Address, EVERYBODY, Keys, Kind, Refused, Role, seal, verify

CONTROLLER_NODE = 1
BIT_RATE = 500_000
STATUS_WITHIN = 2.5
"""Seconds in which a device has sent its Status."""
ACCEPTED = croupier.common.Result_1_0.ACCEPTED


class Unanswered(Exception):
    """No answer in time. The command may have been obeyed and only its answer been lost."""

    def __init__(self, device: int, sequence: int) -> None:
        super().__init__(f"node {device} did not answer number {sequence}")
        self.device, self.sequence = device, sequence


def open_transport(link: str, node: int = CONTROLLER_NODE) -> pycyphal.transport.Transport:
    """`can:` or `serial:`, then HOST:PORT, a device file, or what pySerial takes as a URL."""
    kind, _, place = link.partition(":")
    if not place.startswith("/") and "://" not in place:
        place = f"socket://{place}"
    if kind == "can":
        from pycyphal.transport.can import CANTransport
        from pycyphal.transport.can.media.pythoncan import PythonCANMedia

        media = PythonCANMedia(f"slcan:{place}", bitrate=BIT_RATE, mtu=8)
        return CANTransport(media, local_node_id=node)
    if kind == "serial":
        from pycyphal.transport.serial import SerialTransport

        # pycyphal would send each request twice, and a device counts the second as a replay.
        return SerialTransport(place, node, service_transfer_multiplier=1)
    raise ValueError(f"`{link}` is no link: it begins neither with can: nor with serial:")


def event_types() -> list[type]:
    """Every croupier message that reports something that happened once."""
    spaces = (croupier.common, croupier.reader, croupier.shuffler, croupier.paigow)
    found = {value for space in spaces for value in vars(space).values() if isinstance(value, type)}
    messages = {found for found in found if not hasattr(found, "Request")}
    events = {found for found in messages if hasattr(found, "stamp") and hasattr(found, "seal")}
    return sorted(events, key=lambda found: found.__name__)


def bytes_of(value: Any) -> bytes:
    """The serialised object."""
    return b"".join(pycyphal.dsdl.serialize(value))


def payload_of(transfer: pycyphal.transport.TransferFrom) -> bytes:
    """The bytes that came, which is what a seal covers."""
    return b"".join(transfer.fragmented_payload)


class Table:
    """This client's place at a table."""

    def __init__(self, node: pycyphal.application.Node, keys: Keys) -> None:
        self.node = node
        self.keys = keys
        self.device_keys: dict[int, bytes] = {}
        """The keys of devices that have one of their own, by node; others share `keys[DEVICE]`."""
        self.events: dict[int, Events] = {}
        self.refused: list[str] = []
        """What was received and not believed."""
        self.unanswered = 0
        """Questions whose answer did not come, or was not believed."""
        self.changed = asyncio.Event()
        """Set when something authentic was received."""
        self.patience = 20.0
        """Seconds that a question waits for its answer."""
        self._next: dict[tuple[int, Role], int] = {}
        self._highest: defaultdict[int, int] = defaultdict(int)
        self._named: dict[tuple[int, Role], int] = {}
        self._heard = asyncio.Event()
        node.make_subscriber(croupier.common.Status_1_0).receive_in_background(self._hear)
        self._clients: dict[tuple[type, int], pycyphal.presentation.Client] = {}

    @staticmethod
    @asynccontextmanager
    async def open(link: str, keys: Keys, node: int = CONTROLLER_NODE) -> AsyncIterator["Table"]:
        """Takes a place on the link and leaves it in order."""
        info = uavcan.node.GetInfo_1_0.Response(name="croupier.client")
        transport = open_transport(link, node)
        with pycyphal.application.make_node(info, transport=transport) as here:
            here.start()
            yield Table(here, keys)

    def own_node(self) -> int:
        """Our number."""
        number = self.node.id
        assert number is not None, "a place at the table has a number"
        return number

    # -- asking ------------------------------------------------------------------------------

    async def info(self, device: int) -> Any:
        """What a node says it is; it has no seal."""
        answer = await self._client(uavcan.node.GetInfo_1_0, device).call(
            uavcan.node.GetInfo_1_0.Request()
        )
        if answer is None:
            raise Unanswered(device, 0)
        return answer[0]

    async def ask(self, device: int, request: Any, role: Role) -> Any:
        """Seals a command with the role's key and gives the device's authentic answer."""
        sequence = await self.take_number(device, role)
        return await self.ask_sealed(device, self.sealed(device, request, role, sequence))

    async def next_sequence(self, device: int, role: Role) -> int:
        """The lowest number the device takes from a role. The nonce proves the answer fresh.

        The question names the highest number that the device was heard to send, and a higher one each
        time: the device answers no recording.
        """
        heard = await self._new_number(device, role)
        nonce = secrets.randbits(64)
        request = croupier.common.NextSequence_1_0.Request(nonce=nonce)
        answer = await self.ask_sealed(device, self.sealed(device, request, role, heard))
        if answer.answer.result.value != ACCEPTED or answer.nonce != nonce:
            raise Refused("an answer to another question about the next sequence")
        return int(answer.next_sequence)

    async def _new_number(self, device: int, role: Role) -> int:
        """A number of the device above the one that the role named last; a Status brings one a second."""
        key = (device, role)
        while self._highest[device] <= self._named.get(key, 0):
            self._heard.clear()
            try:
                await asyncio.wait_for(self._heard.wait(), max(self.patience, STATUS_WITHIN))
            except asyncio.TimeoutError:
                self.unanswered += 1
                raise Unanswered(device, 0) from None
        self._named[key] = self._highest[device]
        return self._named[key]

    async def _hear(self, _status: Any, transfer: pycyphal.transport.TransferFrom) -> None:
        """Notes the number of an authentic Status, which may yet be a recording."""
        port = port_of(croupier.common.Status_1_0)
        if transfer.source_node_id is None:
            return
        try:
            self._authentic(Address(transfer.source_node_id, EVERYBODY, Kind.MESSAGE, port), transfer)
        except Refused:
            return  # listen() counts it

    def sealed(self, device: int, request: Any, role: Role, sequence: int) -> Any:
        """The request with its seal filled in."""
        where = Address(self.own_node(), device, Kind.REQUEST, port_of(service_of(request)))
        payload = seal(self.keys[role], role, sequence, where, bytes_of(request))
        return pycyphal.dsdl.deserialize(type(request), [memoryview(payload)])

    async def ask_sealed(self, device: int, request: Any) -> Any:
        """Sends a request as it stands, once; its answer must be authentic and belong to it."""
        sequence, before = int(request.seal.sequence), self._highest[device]
        service = service_of(request)
        client = self._client(service, device)
        client.response_timeout = self.patience
        answer = await client.call(request)
        if answer is None:
            self.unanswered += 1
            # Perhaps it was refused for its number: ask for the next sequence before the next one.
            self._next = {key: n for key, n in self._next.items() if key[0] != device}
            raise Unanswered(device, sequence)
        response, transfer = answer
        where = Address(device, self.own_node(), Kind.RESPONSE, port_of(service))
        try:
            verified = self._authentic(where, transfer)
            if verified.sequence <= before or response.answer.request != sequence:
                raise Refused(f"node {device} answered another question")
        except Refused as why:
            self.unanswered += 1
            self.refused.append(str(why))
            raise
        self.events.setdefault(device, Events(newest=verified.sequence))
        return response

    async def forward_certificate(self, shuffler: int, generator: int, game_round: int) -> Any:
        """Forwards what the shuffler last released or revoked, as it was sealed (PG-10).

        Call it when a Certificate comes with the reason RELEASED, and again when one comes with the
        state REVOKED. The generator checks the shuffler's seal, so not a byte may change.
        """
        events = self.events.get(shuffler)
        certificate = events and events.last(is_released_or_revoked)
        if certificate is None:
            raise Refused(f"node {shuffler} has released nothing")
        request = croupier.paigow.Shuffled_1_0.Request(
            round=game_round, node=shuffler, certificate=certificate
        )
        return await self.ask(generator, request, Role.CONTROLLER)

    async def take_number(self, device: int, role: Role) -> int:
        """A number the device will take from the role, and that is then used up."""
        key = (device, role)
        if key not in self._next:
            self._next[key] = await self.next_sequence(device, role)
        number = self._next[key]
        self._next[key] = number + 1
        return number

    def _client(self, service: type, device: int) -> pycyphal.presentation.Client:
        key = (service, device)
        if key not in self._clients:
            self._clients[key] = self.node.make_client(service, device)
        return self._clients[key]

    # -- listening ---------------------------------------------------------------------------

    def listen(self, received: Callable[[int, Any], None] = lambda _node, _event: None) -> None:
        """Keeps the events of every device that has answered, and reports each new one.

        A device that has answered nothing yet is not believed: ask for its next sequence to begin with.
        """
        for kind in event_types():
            self._subscribe(kind, lambda node, event: self.events[node].take(event), received)
        for status in (croupier.common.Status_1_0, croupier.shuffler.Progress_1_0):
            self._subscribe(status, lambda node, said: self.events[node].take_status(said), received)

    def _subscribe(self, kind: type, keep: Callable, received: Callable[[int, Any], None]) -> None:
        async def receive(message: Any, transfer: pycyphal.transport.TransferFrom) -> None:
            source = transfer.source_node_id
            if source not in self.events:
                return
            try:
                self._authentic(Address(source, EVERYBODY, Kind.MESSAGE, port_of(kind)), transfer)
            except Refused as why:
                self.refused.append(f"node {source}: {kind.__name__}: {why}")
                return
            if keep(source, message) is not False:
                received(source, message)
            self.changed.set()

        self.node.make_subscriber(kind).receive_in_background(receive)

    async def fetch_missing(self, device: int) -> None:
        """Asks for the events that got lost; they come like any other, with the same stamps."""
        events = self.events[device]
        missing = events.missing()
        if not missing:
            return
        request = croupier.common.Resend_1_0.Request(
            start=events.start, first=missing[0], last=missing[-1]
        )
        answer = await self.ask(device, request, Role.CONTROLLER)
        if answer.answer.result.value != ACCEPTED:
            raise Refused(f"node {device} no longer has events {missing[0]} to {missing[-1]}")

    def _authentic(self, where: Address, transfer: pycyphal.transport.TransferFrom) -> Any:
        own = self.device_keys.get(where.source)
        only_devices = {Role.DEVICE: self.keys[Role.DEVICE] if own is None else own}
        verified = verify(only_devices.__getitem__, where, payload_of(transfer))
        self._highest[where.source] = max(self._highest[where.source], verified.sequence)
        self._heard.set()
        return verified


def is_released_or_revoked(event: Any) -> bool:
    """Whether an event is a certificate that the generator must know of."""
    if not isinstance(event, croupier.shuffler.Certificate_1_0):
        return False
    released = croupier.shuffler.CertificateReason_1_0.RELEASED
    revoked = croupier.shuffler.CertificateState_1_0.REVOKED
    return bool(event.reason.value == released or event.state.value == revoked)


def service_of(request: Any) -> type:
    """The service whose question this is."""
    module = __import__(type(request).__module__, fromlist=["_"])
    service: type = getattr(module, type(request).__qualname__.split(".")[0])
    return service


def port_of(kind: type) -> int:
    """The port that the DSDL fixes for a type."""
    port = pycyphal.dsdl.get_fixed_port_id(kind)
    assert port is not None, f"{kind} travels only inside others"
    return port
