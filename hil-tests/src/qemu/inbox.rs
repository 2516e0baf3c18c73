//! The monitor's inbox: a ring in the guest's memory, which the bench fills through qtest.
//!
//! Both counters are read from the guest each time, never kept here: the monitor sets them to
//! zero at its start, and the two sides need not agree when that was. Only whole records are
//! written.

use std::collections::VecDeque;

use crate::error::Result;

/// The words shared with the monitor (boards/monitor/README.md).
pub(super) const SHARED: u32 = 0x1000_2000;
const HEAD: u32 = SHARED + 0x04;
const TAIL: u32 = SHARED + 0x08;
const RING: u32 = SHARED + 0x100;
const RING_BYTES: u32 = 4096;

/// The guest's memory, and the line that makes the monitor look into it.
pub trait Memory {
    /// Reads a word.
    fn word(&self, address: u32) -> Result<u32>;
    /// Writes these bytes, then the word, then rings, with nothing between.
    fn hand_over(&self, parts: &[(u32, &[u8])], word: (u32, u32)) -> Result<()>;
    /// Rings only: in step, with nothing in the inbox, that is the word to go on.
    fn ring(&self) -> Result<()>;
}

/// Records that wait for room.
#[derive(Debug, Default)]
pub(super) struct Inbox(VecDeque<Vec<u8>>);

impl Inbox {
    /// Adds a record.
    pub(super) fn push(&mut self, record: Vec<u8>) {
        self.0.push_back(record);
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets what waits.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Writes as many whole records as there is room for.
    pub(super) fn flush(&mut self, memory: &dyn Memory) -> Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        let (head, tail) = (memory.word(HEAD)?, memory.word(TAIL)?);
        let room = RING_BYTES.saturating_sub(head.wrapping_sub(tail)) as usize;
        let mut bytes = Vec::new();
        while self.0.front().is_some_and(|record| bytes.len() + record.len() <= room) {
            bytes.extend(self.0.pop_front().unwrap_or_default());
        }
        if bytes.is_empty() {
            return Ok(());
        }
        let start = head % RING_BYTES;
        let to_the_end = bytes.len().min((RING_BYTES - start) as usize);
        let (first, rest) = bytes.split_at(to_the_end);
        let parts = [(RING + start, first), (RING, rest)];
        let parts = if rest.is_empty() { &parts[..1] } else { &parts[..] };
        memory.hand_over(parts, (HEAD, head.wrapping_add(bytes.len() as u32)))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::sync::Mutex;

    /// A guest's memory with a monitor that takes what it is told to take.
    #[derive(Default)]
    pub(crate) struct Guest(Mutex<(u32, u32, Vec<u8>, u32)>);

    impl Guest {
        /// A guest whose counters stand there.
        pub(crate) fn at(count: u32) -> Self {
            Self(Mutex::new((count, count, vec![0; RING_BYTES as usize], 0)))
        }

        /// How often it was rung without a word.
        pub(crate) fn rings(&self) -> u32 {
            self.0.lock().unwrap().3
        }

        /// Takes all that was written.
        pub(crate) fn take(&self) -> Vec<u8> {
            let mut state = self.0.lock().unwrap();
            let (head, tail) = (state.0, state.1);
            let place = |at: u32| state.2[(at % RING_BYTES) as usize];
            let count = head.wrapping_sub(tail);
            let taken = (0..count).map(|n| place(tail.wrapping_add(n))).collect();
            state.1 = head;
            taken
        }
    }

    impl Memory for Guest {
        fn word(&self, address: u32) -> Result<u32> {
            let state = self.0.lock().unwrap();
            Ok(if address == HEAD { state.0 } else { state.1 })
        }

        fn ring(&self) -> Result<()> {
            self.0.lock().unwrap().3 += 1;
            Ok(())
        }

        fn hand_over(&self, parts: &[(u32, &[u8])], (address, head): (u32, u32)) -> Result<()> {
            assert_eq!(address, HEAD);
            let mut state = self.0.lock().unwrap();
            if state.2.is_empty() {
                state.2 = vec![0; RING_BYTES as usize];
            }
            for (at, bytes) in parts {
                let at = (at - RING) as usize;
                state.2[at..at + bytes.len()].copy_from_slice(bytes);
            }
            state.0 = head;
            assert!(head.wrapping_sub(state.1) <= RING_BYTES, "written over what was not taken");
            Ok(())
        }
    }

    #[test]
    fn every_byte_arrives_once_and_in_order_however_slowly_they_are_taken() {
        // Near the end of the counters, so that they go round too.
        let guest = Guest::at(u32::MAX - 3000);
        let mut inbox = Inbox::default();
        let sent: Vec<Vec<u8>> = (0..500_usize).map(|n| vec![n as u8; 2 + n % 256]).collect();
        let mut got = Vec::new();
        for record in &sent {
            inbox.push(record.clone());
        }
        while !inbox.is_empty() {
            inbox.flush(&guest).unwrap();
            inbox.flush(&guest).unwrap();
            let taken = guest.take();
            assert!(taken.len() <= RING_BYTES as usize);
            got.extend(taken);
        }
        assert!(got == sent.concat());
    }

    #[test]
    fn a_record_waits_until_all_of_it_has_room() {
        let guest = Guest::at(0);
        let mut inbox = Inbox::default();
        (0..17).for_each(|n| inbox.push(vec![n; 250]));
        inbox.flush(&guest).unwrap();
        assert!(!inbox.is_empty());
        assert_eq!(guest.take().len(), 16 * 250);
        inbox.flush(&guest).unwrap();
        assert_eq!(guest.take(), [16; 250]);
    }
}
