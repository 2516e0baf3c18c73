//! The last events, kept until every link has sent them, and for a controller that missed some.
//!
//! One ring serves all links: each has a cursor of its own, so a link that is down delays no
//! other and finds its events waiting. Sealing happens when a link takes an event, since a
//! repeat needs a new seal.

use crate::protocol::codec::{Event, Object};
use crate::protocol::generated::croupier::common::Stamp;
use crate::protocol::seal::{EVENT_CONTENT, SEAL_BYTES};
use crate::protocol::transfer::{Priority, SubjectId};
use crate::time::Instant;

/// The stamp counts with 24 bits.
const LAST_NUMBER: u32 = 0xFF_FFFF;

/// An event with its seal.
const EVENT_BYTES: usize = EVENT_CONTENT + SEAL_BYTES;

/// One event, ready to be sealed.
#[derive(Debug, Clone, Copy)]
pub struct StoredEvent {
    pub(super) subject: SubjectId,
    pub(super) priority: Priority,
    length: u8,
    content: [u8; EVENT_CONTENT],
}

impl StoredEvent {
    /// Stamp and particulars.
    pub fn content(&self) -> &[u8] {
        self.content.get(..usize::from(self.length)).unwrap_or_default()
    }
}

/// The last `EVENTS` events of this start.
#[derive(Debug)]
pub struct Events<const EVENTS: usize> {
    ring: [Option<StoredEvent>; EVENTS],
    /// The number of the next event.
    next: u32,
}

impl<const EVENTS: usize> Events<EVENTS> {
    pub(super) const fn new() -> Self {
        const { assert!(EVENTS > 0, "an event needs a place") };
        Self { ring: [None; EVENTS], next: 0 }
    }

    /// The number the next event will have.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// The oldest event still kept; [`Events::next`] if none is.
    pub fn oldest(&self) -> u32 {
        self.next.saturating_sub(EVENTS as u32)
    }

    /// Keeps an event, in place of the oldest if need be, and says its number.
    ///
    /// None is kept when a start's numbers are used up, which takes four events a second for
    /// 48 days.
    pub(super) fn keep<E: Event>(
        &mut self,
        event: &E,
        priority: Priority,
        start: u8,
        now: Instant,
    ) -> Option<u32> {
        const { assert!(E::LONGEST <= EVENT_BYTES, "six CAN frames") };
        let mut bytes = [0; EVENT_BYTES];
        let length = event.encode(&mut bytes)?.checked_sub(SEAL_BYTES)?;
        let content = *bytes.first_chunk()?;
        let kept = StoredEvent { subject: E::SUBJECT, priority, length: length as u8, content };
        self.stamp_and_keep(kept, start, now)
    }

    #[inline(never)] // once for all types of events
    fn stamp_and_keep(&mut self, mut kept: StoredEvent, start: u8, now: Instant) -> Option<u32> {
        let number = self.next;
        if number > LAST_NUMBER {
            return None;
        }
        Stamp { start, number, time_ms: now.as_millis() }.encode(&mut kept.content)?;
        *self.ring.get_mut(number as usize % EVENTS)? = Some(kept);
        self.next += 1;
        Some(number)
    }

    /// The event with this number, if it is still kept.
    pub fn get(&self, number: u32) -> Option<&StoredEvent> {
        if number < self.oldest() || number >= self.next {
            return None;
        }
        self.ring.get(number as usize % EVENTS)?.as_ref()
    }

    /// The most urgent priority among the events from `number` on.
    pub(super) fn urgency(&self, number: u32) -> Option<Priority> {
        (number..self.next).filter_map(|number| self.get(number)).map(|kept| kept.priority).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::generated::croupier::common::Irregularity;

    /// CM-08: no number above three bytes is given, so none comes twice.
    #[test]
    fn cm_08_event_numbers_end_with_their_three_bytes() {
        let mut events = Events::<2>::new();
        events.next = LAST_NUMBER;
        let mut keep = || events.keep(&Irregularity::default(), Priority::High, 1, Instant::START);
        assert_eq!(keep(), Some(LAST_NUMBER));
        assert_eq!(keep(), None);
        assert_eq!(events.next(), LAST_NUMBER + 1);
    }
}
