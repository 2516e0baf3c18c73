"""The seal, in nothing but Python's own library.

Every croupier object ends in 25 bytes: a sequence number (8, little endian), a role (1) and a
code (16). The code is the first half of HMAC-SHA-256 under the role's key, over where the object
goes and all of its bytes before the code. `dsdl/croupier/common/Seal.1.0.dsdl` is the
definition; this was written from it and from nothing else.
"""

from __future__ import annotations

import enum
import hashlib
import hmac
import struct
from dataclasses import dataclass
from typing import Callable, Mapping

SEAL_BYTES = 25
MAC_BYTES = 16
EVERYBODY = 255


class Role(enum.IntEnum):
    """Whose authority a key is."""

    DEVICE = 0
    DEALER = 1
    FLOORPERSON = 2
    SERVICE = 3
    CONTROLLER = 4


class Kind(enum.IntEnum):
    """What a port is for."""

    MESSAGE = 0
    REQUEST = 1
    RESPONSE = 2


Keys = Mapping[Role, bytes]


def bench_keys() -> Keys:
    """The keys of every device on the bench, for all to read: never give them to another."""
    words = {role: f"croupier bench key: {role.name.lower()}".encode() for role in Role}
    return {role: hashlib.sha256(word).digest() for role, word in words.items()}


@dataclass(frozen=True)
class Address:
    """Where an object goes. The seal covers it."""

    source: int
    destination: int
    kind: Kind
    port: int

    def to_bytes(self) -> bytes:
        """As the seal covers it."""
        return struct.pack("<BBBH", self.source, self.destination, self.kind, self.port)


@dataclass(frozen=True)
class Verified:
    """What an authentic object turned out to be. Whether it is new is for the caller to judge."""

    role: Role
    sequence: int
    content: bytes


class Refused(Exception):
    """The object is not what it says it is; no receiver may act on it."""


def mac(key: bytes, address: Address, covered: bytes) -> bytes:
    """The code over everything before it."""
    text = b"croupier seal 1" + address.to_bytes() + covered
    return hmac.new(key, text, hashlib.sha256).digest()[:MAC_BYTES]


def seal(key: bytes, role: int, sequence: int, address: Address, payload: bytes) -> bytes:
    """The payload with its last 25 bytes made a seal. Never use a sequence number twice."""
    covered = payload[:-SEAL_BYTES] + struct.pack("<QB", sequence, role)
    return covered + mac(key, address, covered)


def verify(key_of: Callable[[Role], bytes], address: Address, payload: bytes) -> Verified:
    """What is under the seal, or `Refused`."""
    if len(payload) < SEAL_BYTES:
        raise Refused(f"{len(payload)} bytes hold no seal")
    covered, code = payload[:-MAC_BYTES], payload[-MAC_BYTES:]
    sequence, role = struct.unpack("<QB", covered[-9:])
    try:
        key = key_of(Role(role))
    except (KeyError, ValueError):
        raise Refused(f"no key for role {role}") from None
    if not hmac.compare_digest(mac(key, address, covered), code):
        raise Refused("the seal does not verify")
    return Verified(Role(role), sequence, covered[:-9])
