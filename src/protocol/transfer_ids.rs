//! Which number the next transfer of a port gets, from a table of fixed size.
//!
//! Cyphal counts the transfers of each port on its own, so that a listener sees a gap.
//! When more ports are used than the table has lines, the one used longest ago is
//! forgotten. A port that is new, or back, begins above every number given so far: on
//! serial, where a number has 64 bits, none is ever given twice to one port.

use super::transfer::Port;

/// The next numbers of up to `PORTS` ports. A response takes the number of its request
/// instead.
#[derive(Debug, Clone)]
pub(crate) struct TransferIds<const PORTS: usize> {
    /// Most recently used first.
    lines: [Option<(Port, u64)>; PORTS],
    /// Above all numbers given so far.
    fresh: u64,
}

impl<const PORTS: usize> TransferIds<PORTS> {
    /// A table whose first number is `first`.
    ///
    /// Listeners remember the last number for two seconds and drop what looks like a
    /// repeat. A first number above all those before the restart, such as the reserved
    /// sequence number, lets them take the first transfer at once.
    pub(crate) const fn starting_at(first: u64) -> Self {
        Self { lines: [None; PORTS], fresh: first }
    }

    /// The number for the next transfer on `port`.
    pub(crate) fn next(&mut self, port: Port) -> u64 {
        let known = (0..).zip(self.lines.iter().flatten()).find(|(_, line)| line.0 == port);
        let (line, number) = match known {
            Some((line, &(_, number))) => (line, number),
            None => (PORTS.saturating_sub(1), self.fresh),
        };
        let after = number.wrapping_add(1);
        self.fresh = self.fresh.max(after);
        if let Some(used @ [_, ..]) = self.lines.get_mut(..=line) {
            used.rotate_right(1);
            used[0] = Some((port, after));
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::super::transfer::{NodeId, ServiceId, SubjectId};
    use super::*;

    fn subject(number: u16) -> Port {
        Port::Message(SubjectId::new(number).unwrap())
    }

    #[test]
    fn each_port_counts_on_its_own_without_gaps() {
        let mut numbers = TransferIds::<4>::starting_at(100);
        assert_eq!(numbers.next(subject(1)), 100);
        let second = numbers.next(subject(2));
        for count in 1..1_000 {
            assert_eq!(numbers.next(subject(1)), 100 + count);
            assert_eq!(numbers.next(subject(2)), second + count);
        }
    }

    #[test]
    fn a_service_counts_per_server() {
        let mut numbers = TransferIds::<2>::starting_at(0);
        let ask = |node| Port::Request(ServiceId::new(256).unwrap(), NodeId::new(node).unwrap());
        let first = numbers.next(ask(10));
        let other = numbers.next(ask(11));
        assert_eq!([numbers.next(ask(10)), numbers.next(ask(11))], [first + 1, other + 1]);
    }

    #[test]
    fn a_port_that_was_forgotten_comes_back_above_its_old_numbers() {
        let mut numbers = TransferIds::<2>::starting_at(0);
        let last = (0..50).map(|_| numbers.next(subject(1))).max().unwrap();
        numbers.next(subject(2));
        numbers.next(subject(3));
        assert!(numbers.next(subject(1)) > last);
    }

    #[test]
    fn the_port_used_longest_ago_is_the_one_forgotten() {
        let mut numbers = TransferIds::<2>::starting_at(0);
        let first = numbers.next(subject(1));
        numbers.next(subject(2));
        assert_eq!(numbers.next(subject(1)), first + 1);
        numbers.next(subject(3));
        assert_eq!(numbers.next(subject(1)), first + 2);
    }

    #[test]
    fn a_table_without_lines_still_never_repeats() {
        let mut numbers = TransferIds::<0>::starting_at(7);
        assert_eq!([numbers.next(subject(1)), numbers.next(subject(1))], [7, 8]);
    }
}
