"""The client's own rules, without a link: run by `python -m unittest`."""

from __future__ import annotations

import unittest
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from croupier_events import Events
from croupier_words import clause_words, words_of_name
from croupier_seal import Address, Kind, Refused, Role, SEAL_BYTES, bench_keys, seal, verify

KEYS = bench_keys()
HERE = Address(source=1, destination=11, kind=Kind.REQUEST, port=256)


class Seals(unittest.TestCase):
    """A seal covers every bit of what it seals, and where that goes."""

    def setUp(self) -> None:
        self.payload = seal(KEYS[Role.DEALER], Role.DEALER, 7, HERE, b"ace" + bytes(SEAL_BYTES))

    def test_what_was_sealed_verifies(self) -> None:
        verified = verify(KEYS.__getitem__, HERE, self.payload)
        self.assertEqual((verified.role, verified.sequence, verified.content), (1, 7, b"ace"))

    def test_any_bit_changed_is_refused(self) -> None:
        for bit in range(8 * len(self.payload)):
            bent = bytearray(self.payload)
            bent[bit // 8] ^= 1 << bit % 8
            with self.assertRaises(Refused):
                verify(KEYS.__getitem__, HERE, bytes(bent))

    def test_any_other_address_is_refused(self) -> None:
        others = [
            Address(2, 11, Kind.REQUEST, 256),
            Address(1, 12, Kind.REQUEST, 256),
            Address(1, 11, Kind.RESPONSE, 256),
            Address(1, 11, Kind.REQUEST, 257),
        ]
        for other in others:
            with self.assertRaises(Refused):
                verify(KEYS.__getitem__, other, self.payload)

    def test_what_is_too_short_for_a_seal_is_refused(self) -> None:
        with self.assertRaises(Refused):
            verify(KEYS.__getitem__, HERE, self.payload[-SEAL_BYTES + 1 :])

    def test_bench_keys_are_the_bench_s_and_differ(self) -> None:
        # src/keys.rs has the same four bytes.
        self.assertEqual(KEYS[Role.DEALER][:4].hex(), "3da54756")
        self.assertEqual(len(set(KEYS.values())), len(Role))
        self.assertEqual({len(key) for key in KEYS.values()}, {32})

    def test_the_seal_is_the_firmwares_to_the_byte(self) -> None:
        # tests/wire/python_clients.rs has the firmware's own code make the same.
        sealed = seal(KEYS[Role.DEALER], Role.DEALER, 0x0102030405060708, HERE, b"ace" + bytes(25))
        known = "6163650807060504030201015c056258666ee19867b6608fa7f2194b"
        self.assertEqual(sealed.hex(), known)


def event(number: int, sequence: int, start: int = 5) -> Any:
    """An event, as far as its order is concerned."""
    stamp, sealed = SimpleNamespace(start=start, number=number), SimpleNamespace(sequence=sequence)
    return SimpleNamespace(stamp=stamp, seal=sealed)


def status(next_event: int, sequence: int, start: int = 5) -> Any:
    """A Status, as far as the order of events is concerned."""
    sealed = SimpleNamespace(sequence=sequence)
    return SimpleNamespace(start=start, next_event=next_event, seal=sealed)


class Words(unittest.TestCase):
    """A clause in words, from the name of its code."""

    def test_every_name_in_the_dsdl_is_its_comment(self) -> None:
        dsdl = Path(__file__).parents[2] / "dsdl/croupier/common/Clause.1.0.dsdl"
        lines = [line for line in dsdl.read_text("utf-8").splitlines() if "= " in line]
        self.assertGreater(len(lines), 150)
        for line in lines[1:]:  # the first is no clause
            name, comment = line.removeprefix("uint8 ").split()[0], line.split("# ")[1]
            self.assertEqual(f"{words_of_name(name)}.".lower(), comment.lower())

    def test_a_code_is_said_in_words(self) -> None:
        class Clause:  # pylint: disable=too-few-public-methods
            """As nunavut writes it."""

            PA_672A_12_K = 3
            BY_ANALOGY_PA_583_5_B = 4

            def __init__(self, value: int) -> None:
                self.value = value

        self.assertEqual(clause_words(Clause(3)), "Pa. 672a.12(k)")
        self.assertEqual(clause_words(Clause(4)), "by analogy with Pa. 583.5(b)")
        self.assertEqual(clause_words(Clause(0)), "no clause")
        self.assertEqual(clause_words(Clause(5)), "clause 5, newer than this client")


class Order(unittest.TestCase):
    """Each event once, and none missed without notice."""

    def test_a_gap_is_noticed_and_filled_by_a_repeat(self) -> None:
        events = Events(newest=100)
        self.assertTrue(events.take(event(3, 101)))
        self.assertTrue(events.take(event(6, 104)))
        self.assertEqual(events.missing(), [4, 5])
        self.assertTrue(events.take(event(5, 105)))
        self.assertTrue(events.take(event(4, 106)))
        self.assertEqual((events.missing(), events.noticed), ([], {4, 5}))
        self.assertEqual([kept.stamp.number for kept in events.in_order()], [3, 4, 5, 6])

    def test_the_last_event_lost_shows_in_status(self) -> None:
        events = Events(newest=100)
        events.take(event(3, 101))
        events.take_status(status(5, 103))
        self.assertEqual(events.missing(), [4])

    def test_a_repeat_is_not_new(self) -> None:
        events = Events(newest=100)
        self.assertTrue(events.take(event(3, 101)))
        self.assertFalse(events.take(event(3, 102)))
        self.assertEqual((events.repeats, len(events.kept)), (1, 1))

    def test_the_last_one_of_a_kind_is_found_whatever_came_behind_it(self) -> None:
        events = Events(newest=100)
        for number in (3, 5, 4):
            events.take(event(number, 98 + number))
        found = events.last(lambda kept: kept.stamp.number < 5)
        self.assertEqual(found.stamp.number, 4)
        self.assertIsNone(events.last(lambda kept: kept.stamp.number > 5))

    def test_a_new_start_begins_anew_and_an_old_one_is_a_replay(self) -> None:
        events = Events(newest=100)
        self.assertFalse(events.take(event(9, 50, start=4)))
        events.take(event(3, 101))
        self.assertTrue(events.take(event(1, 2000, start=6)))
        self.assertEqual((events.restarts, events.missing()), (1, [0]))
        self.assertFalse(events.take(event(4, 102, start=5)))
        self.assertEqual(events.start, 6)


if __name__ == "__main__":
    unittest.main()
