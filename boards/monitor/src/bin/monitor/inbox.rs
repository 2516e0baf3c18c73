//! What the bench has written: bytes for the links, and words for the monitor.

use monitor::Stream;
use monitor::models::gpio::{Pin, Sensed};
use monitor::models::rng::RngFault;

use crate::arguments::{decimal, hex};
use crate::fault::Fault;
use crate::run::State;
use crate::shared::{self, Word};

/// Whether the bench has written nothing.
pub(crate) fn is_empty() -> bool {
    shared::get(Word::Head) == shared::get(Word::Tail)
}

/// Takes every whole record whose link has room for it.
pub(crate) fn take(state: &mut State) {
    let head = shared::get(Word::Head);
    let mut tail = shared::get(Word::Tail);
    let mut record = [0; 255];
    while head.wrapping_sub(tail) >= 2 {
        let (stream, length) = (shared::inbox(tail), shared::inbox(tail.wrapping_add(1)));
        let whole = 2 + u32::from(length);
        if head.wrapping_sub(tail) < whole {
            break;
        }
        let Some(bytes) = record.get_mut(..usize::from(length)) else { break };
        for (at, byte) in (tail.wrapping_add(2)..).zip(bytes.iter_mut()) {
            *byte = shared::inbox(at);
        }
        let rest = bytes.get(state.taken..).unwrap_or_default();
        state.taken += deliver(state, stream, rest);
        if state.taken < bytes.len() {
            // Its link is full. In step, time goes on all the same: it will have room then.
            if ends_with_go(head) {
                state.go = true;
            }
            break;
        }
        state.taken = 0;
        tail = tail.wrapping_add(whole);
        shared::put(Word::Tail, tail);
    }
}

fn ends_with_go(head: u32) -> bool {
    (0..4).map(|back| shared::inbox(head.wrapping_sub(4 - back))).eq([0, 2, b'g', b'o'])
}

/// Hands a record on, as far as there is room for it; how much was taken.
fn deliver(state: &mut State, stream: u8, bytes: &[u8]) -> usize {
    let stream = match stream {
        1 => Stream::Link,
        2 => Stream::Bus,
        4 => Stream::Motion,
        _ => {
            obey(state, bytes);
            return bytes.len();
        }
    };
    let now = state.time.now();
    match state.chip.receive(stream, bytes, now, &mut state.host) {
        Ok(taken) => taken,
        Err(breach) => {
            state.check(0, Err(breach));
            bytes.len()
        }
    }
}

fn obey(state: &mut State, words: &[u8]) {
    let mut parts = words.split(|byte| *byte == b' ');
    let mut next = || parts.next().unwrap_or_default();
    let (word, first, second) = (next(), next(), next());
    let known = match word {
        b"begin" | b"go" => {
            state.go = true;
            true
        }
        b"sense" => sense(state, first, second),
        b"chain" => hex(first).is_some_and(|inputs| state.chip.set_chain(inputs as u16)),
        b"rng" => rng(state, first),
        b"can" => {
            state.chip.can.set_alone(first == b"off");
            matches!(first, b"off" | b"on")
        }
        b"hold" => state.chip.hold(first),
        b"fault" => {
            state.fault = fault(first, second);
            state.fault.is_some()
        }
        b"cut" => {
            state.host.cut = decimal(first);
            state.host.cut.is_some()
        }
        _ => false,
    };
    if !known {
        let text = core::str::from_utf8(words).unwrap_or("?");
        state.host.say(format_args!("these words mean nothing: {text}"));
    }
}

fn sense(state: &mut State, pin: &[u8], level: &[u8]) -> bool {
    let pin = core::str::from_utf8(pin).ok().and_then(Pin::parse);
    let level = match level {
        b"low" => Sensed::Low,
        b"high" => Sensed::High,
        b"follow" => Sensed::Follow,
        _ => return false,
    };
    pin.is_some_and(|pin| state.chip.gpio.sense(pin, level))
}

fn rng(state: &mut State, fault: &[u8]) -> bool {
    let fault = match fault {
        b"seed" => RngFault::Seed,
        b"clock" => RngFault::Clock,
        b"good" => RngFault::None,
        _ => return false,
    };
    state.chip.rng.set_fault(fault);
    true
}

fn fault(kind: &[u8], number: &[u8]) -> Option<Fault> {
    Some(match kind {
        b"hard" => Fault::Hard,
        b"panic" => Fault::Panic(hex(number)?),
        b"hang" => Fault::Hang,
        b"dead" => Fault::Dead,
        b"stray" => Fault::Stray(decimal(number)?),
        b"stack" => Fault::Stack,
        _ => return None,
    })
}
