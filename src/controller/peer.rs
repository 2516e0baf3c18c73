//! What a controller knows of one device.

use crate::protocol::generated::croupier::common::{Role, Status};
use crate::protocol::generated::croupier::shuffler::{Certificate, Progress};
use crate::protocol::keys::RoleKey;
use crate::protocol::transfer::NodeId;
use crate::time::{Instant, Millis};

use super::asking::Sent;
use super::notice::{Notice, Plate};
use super::stream::{Step, Stream};

/// A device without a heartbeat for so long is silent (`Heartbeat.OFFLINE_TIMEOUT`).
const SILENCE: Millis = Millis::from_secs(3);
/// How long the controller's own questions wait for an answer.
const CHORE: Millis = Millis::new(250);
/// How long a gap may fill by itself before it is asked about.
const PATIENCE: Millis = Millis::new(100);

/// A question the controller asks by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chore {
    Info,
    /// The next sequence of a role, proven fresh by the nonce.
    NextSequence(Role, u64),
    Resend {
        start: u8,
        first: u32,
        last: u32,
    },
}

/// What waits to be reported.
#[derive(Debug, Default)]
struct Pending {
    found: bool,
    identified: bool,
    silent: bool,
    back: bool,
    restarted: bool,
    status: bool,
    progress: bool,
    lost: Option<(u8, u32, u32)>,
}

/// One device.
#[derive(Debug)]
pub(super) struct Peer<const HELD: usize> {
    pub node: NodeId,
    /// Its own key, if it has one of its own.
    pub key: Option<RoleKey>,
    pub stream: Stream<HELD>,
    /// The highest authentic seal; none before the first fresh answer, which cannot be a replay.
    pub highest: Option<u64>,
    /// The highest authentic seal of all, also of messages that could be recordings.
    heard: Option<u64>,
    /// Per commanding role what its last question for the next sequence named of that.
    named: [Option<u64>; Role::ALL.len()],
    /// Per commanding role the next number to use, and whether the device would take it.
    next_sequences: [(u64, bool); Role::ALL.len()],
    last_seen: Option<Instant>,
    uptime: u32,
    silent: bool,
    plate: Option<Plate>,
    status: Option<Status>,
    status_seal: u64,
    progress: Option<Progress>,
    progress_seal: u64,
    /// The last release or revocation of a shuffler, its seal too.
    pub certificate: Option<Certificate>,
    /// The first event missing, and since when.
    gap: Option<(u32, Instant)>,
    pub chore: Option<(Chore, Sent, Instant)>,
    pending: Pending,
}

impl<const HELD: usize> Peer<HELD> {
    pub(super) fn new(node: NodeId) -> Self {
        Self {
            node,
            key: None,
            stream: Stream::new(),
            highest: None,
            heard: None,
            named: [None; Role::ALL.len()],
            next_sequences: [(1, false); Role::ALL.len()],
            last_seen: None,
            uptime: 0,
            silent: false,
            plate: None,
            status: None,
            status_seal: 0,
            progress: None,
            progress_seal: 0,
            certificate: None,
            gap: None,
            chore: None,
            pending: Pending::default(),
        }
    }

    /// A heartbeat. It is not sealed, so it only ever makes us ask.
    pub(super) fn beat(&mut self, uptime: u32, now: Instant) {
        self.pending.found |= self.last_seen.is_none();
        if uptime < self.uptime {
            self.forget_next_sequences();
            self.plate = None;
            // Without keys there will be no better proof.
            self.pending.restarted |= self.highest.is_none();
        }
        self.uptime = uptime;
        self.mark_seen(now);
    }

    /// Any sign of life.
    pub(super) fn mark_seen(&mut self, now: Instant) {
        self.last_seen = Some(now);
        self.pending.back |= core::mem::take(&mut self.silent);
    }

    /// Notices silence, gaps, and questions without an answer.
    pub(super) fn watch(&mut self, now: Instant) {
        let quiet = self.last_seen.is_some_and(|at| now.since(at) >= SILENCE);
        if quiet && !self.silent {
            (self.silent, self.pending.silent) = (true, true);
        }
        let next = self.stream.next();
        self.chore.take_if(|(chore, _, deadline)| {
            // The events came though the answer did not: all is well.
            let came = matches!(chore, Chore::Resend { last, .. } if *last < next);
            came || now >= *deadline
        });
        let missing = self.stream.missing().map(|(_, first, _)| first);
        if missing != self.gap.map(|(first, _)| first) {
            self.gap = missing.map(|first| (first, now));
        }
    }

    /// What to ask next on our own account. `role` is one whose next sequence a question waits for.
    pub(super) fn want(&self, now: Instant, role: Option<Role>, nonce: u64) -> Option<Chore> {
        if self.chore.is_some() || self.silent || self.last_seen.is_none() {
            return None;
        }
        let Some(plate) = self.plate else { return Some(Chore::Info) };
        plate.kind?; // a node of somebody else's
        let next_sequence = |role| self.to_name(role).map(|_| Chore::NextSequence(role, nonce));
        if self.highest.is_none() {
            return next_sequence(Role::Controller);
        }
        if let Some(role) = role.filter(|role| self.next_sequence(*role).is_none()) {
            return next_sequence(role);
        }
        let overdue = |(_, since): (u32, Instant)| now.since(since) >= PATIENCE;
        let gap = self.stream.missing().filter(|_| self.gap.is_some_and(overdue));
        match (gap, self.next_sequence(Role::Controller)) {
            (Some(_), None) => next_sequence(Role::Controller),
            (Some((start, first, last)), Some(_)) => Some(Chore::Resend { start, first, last }),
            (None, _) => None,
        }
    }

    /// A question of our own went out.
    pub(super) fn asked(&mut self, chore: Chore, sent: Sent, now: Instant) {
        self.chore = Some((chore, sent, now + CHORE));
    }

    pub(super) fn identified(&mut self, plate: Plate) {
        (self.plate, self.pending.identified) = (Some(plate), true);
    }

    /// The number for the next command of `role`, if the device would take it.
    pub(super) fn next_sequence(&self, role: Role) -> Option<u64> {
        let (next, known) = self.next_sequences.get(usize::from(role.code()))?;
        known.then_some(*next)
    }

    /// Uses that number up.
    pub(super) fn spend(&mut self, role: Role) {
        if let Some((next, _)) = self.next_sequences.get_mut(usize::from(role.code())) {
            *next = next.saturating_add(1);
        }
    }

    /// The device answered with its next sequence number. Numbers we used stay used: a late
    /// command must not meet its double.
    pub(super) fn learn(&mut self, role: Role, next_sequence: u64) {
        if let Some((next, known)) = self.next_sequences.get_mut(usize::from(role.code())) {
            (*next, *known) = (next_sequence.max(*next), true);
        }
    }

    /// The device may count differently now.
    pub(super) fn forget_next_sequences(&mut self) {
        self.next_sequences.iter_mut().for_each(|(_, known)| *known = false);
    }

    /// An authentic seal was seen, of this moment or of a recording.
    pub(super) fn note_seal(&mut self, sequence: u64) {
        self.heard = self.heard.max(Some(sequence));
    }

    /// What the next question of `role` for its next sequence names; nothing before a higher
    /// number was heard than the last one named.
    pub(super) fn to_name(&self, role: Role) -> Option<u64> {
        let named = *self.named.get(usize::from(role.code()))?;
        self.heard.filter(|heard| named.is_none_or(|named| named < *heard))
    }

    /// That question goes out.
    pub(super) fn name(&mut self, role: Role) -> Option<u64> {
        let heard = self.to_name(role)?;
        *self.named.get_mut(usize::from(role.code()))? = Some(heard);
        Some(heard)
    }

    /// Notes an authentic seal's number.
    pub(super) fn raise(&mut self, sequence: u64) {
        self.highest = Some(self.highest.map_or(sequence, |highest| highest.max(sequence)));
    }

    /// What was missing is on its way: give it time before asking again.
    pub(super) fn comes(&mut self) {
        self.gap = None;
    }

    /// A status of the current start.
    pub(super) fn stands(&mut self, status: Status) {
        self.stream.exist_below(status.next_event);
        if status.seal.sequence > self.status_seal {
            self.status_seal = status.seal.sequence;
            (self.status, self.pending.status) = (Some(status), true);
        }
    }

    /// A progress of the current start.
    pub(super) fn gets_on(&mut self, progress: Progress) {
        self.stream.exist_below(progress.next_event);
        if progress.seal.sequence > self.progress_seal {
            self.progress_seal = progress.seal.sequence;
            (self.progress, self.pending.progress) = (Some(progress), true);
        }
    }

    /// The device keeps nothing below `first`, or nothing at all.
    pub(super) fn gone(&mut self, first: u32) {
        if self.pending.lost.is_some() {
            return; // one at a time: it is asked again
        }
        if let Some(Step::Lost { start, first, last }) = self.stream.give_up_below(first) {
            self.pending.lost = Some((start, first, last));
        }
    }

    /// The next thing to report, except events.
    pub(super) fn pending(&mut self) -> Option<Notice<'static>> {
        let (node, pending) = (self.node, &mut self.pending);
        let due = |flag: &mut bool| core::mem::take(flag);
        if due(&mut pending.found) {
            return Some(Notice::Found(node));
        }
        if due(&mut pending.silent) {
            return Some(Notice::Silent(node));
        }
        if due(&mut pending.back) {
            return Some(Notice::Back(node));
        }
        if due(&mut pending.restarted) {
            return Some(Notice::Restarted(node));
        }
        if due(&mut pending.identified) {
            return self.plate.map(|plate| Notice::Identified(node, plate));
        }
        if let Some((start, first, last)) = pending.lost.take() {
            return Some(Notice::Lost { node, start, first, last });
        }
        if due(&mut pending.status) {
            return self.status.map(|status| Notice::Status(node, status));
        }
        if due(&mut pending.progress) {
            return self.progress.map(|progress| Notice::Progress(node, progress));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CM-03: each question for the next sequence names a number that was not named before.
    #[test]
    fn cm_03_no_number_is_named_twice() {
        let mut peer = Peer::<4>::new(NodeId::new(10).expect("below 128"));
        peer.note_seal(5);
        assert_eq!(peer.name(Role::Dealer), Some(5));
        assert_eq!(peer.name(Role::Dealer), None);
        assert_eq!(peer.name(Role::Controller), Some(5), "each role names its own");
        peer.note_seal(6);
        assert_eq!(peer.name(Role::Dealer), Some(6));
    }
}
