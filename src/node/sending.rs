//! What a link sends next: the most urgent of what waits for it.
//!
//! Nothing is queued that can be made on the spot: heartbeat, status and progress are written
//! when the link takes them, so after a silence there is one of each and it is true.

use core::ops::Range;

use crate::protocol::codec::{Message, Object};
use crate::protocol::generated::croupier::common::{Seal, Status};
use crate::protocol::generated::croupier::shuffler::{Phase, Progress};
use crate::protocol::generated::uavcan::node::Heartbeat;
use crate::protocol::seal::SEAL_BYTES;
use crate::protocol::transfer::{Header, Port, Priority, SubjectId, Transfer};
use crate::protocol::transfer_ids::TransferIds;
use crate::time::{Instant, Millis};

use super::device::{Device, ProgressSummary, StatusSummary};
use super::outbox::{ANSWER_BYTES, Outbox};
use super::{Node, NodeStore, standard};

/// Between two heartbeats, and between two statuses that say the same.
const SECOND: Millis = Millis::from_secs(1);
/// Between two statuses, however fast things change.
const CHANGE: Millis = Millis::new(100);
/// Between two progresses of the same phase.
const COUNT: Millis = Millis::new(250);
/// Answers that may wait on a link.
const ANSWERS: usize = 2;
/// Subjects whose transfers are counted without a gap; more than a device has.
const PORTS: usize = 16;

/// One link's own state.
#[derive(Debug)]
pub(super) struct Link {
    pub outbox: Outbox<ANSWERS>,
    /// When the next unsealed answer may be given.
    pub unsealed_due: Instant,
    /// Events to be sent again on request.
    pub again: Range<u32>,
    ids: TransferIds<PORTS>,
    /// The first event this link has not sent yet.
    next_event: u32,
    heartbeat_due: Instant,
    status_sent: Option<(Instant, StatusSummary)>,
    progress_sent: (Instant, ProgressSummary),
}

impl Link {
    pub(super) fn new(first_transfer: u64) -> Self {
        Self {
            outbox: Outbox::new(),
            unsealed_due: Instant::START,
            again: 0..0,
            ids: TransferIds::starting_at(first_transfer),
            next_event: 0,
            heartbeat_due: Instant::START,
            status_sent: None,
            progress_sent: (Instant::START, ProgressSummary::default()),
        }
    }

    fn status_due(&self, now: Instant, summary: StatusSummary) -> bool {
        self.status_sent.is_none_or(|(at, said)| {
            let wait = if said == summary { SECOND } else { CHANGE };
            now.since(at) >= wait
        })
    }

    /// Idle is said once, when work has ended.
    fn progress_due(&self, now: Instant, summary: ProgressSummary) -> bool {
        let (at, said) = self.progress_sent;
        let wait = match said {
            _ if said == summary && said.phase == Phase::Idle => return false,
            _ if said == summary => SECOND,
            _ if (said.phase, said.pass) == (summary.phase, summary.pass) => COUNT,
            _ => CHANGE,
        };
        now.since(at) >= wait
    }
}

/// What may be sent, in the order that settles equal priorities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    Answer,
    Event,
    Heartbeat,
    Status,
    Progress,
    Again,
}

impl<const LINKS: usize, const EVENTS: usize> Node<LINKS, EVENTS> {
    /// The next transfer for `link`, written to `room`; it is taken for sent.
    ///
    /// Call it whenever the link can take one, and again in a few milliseconds if there is none.
    pub fn next<'r, S: NodeStore>(
        &mut self,
        link: usize,
        now: Instant,
        device: &impl Device<S>,
        store: &mut S,
        room: &'r mut [u8; ANSWER_BYTES],
    ) -> Option<Transfer<'r>> {
        let summary = device.status_summary();
        let progress = device.progress_summary().unwrap_or_default();
        let mut turns = self.turns(link, now, summary, progress)?;
        turns.sort_unstable();
        for (_, turn) in turns.iter().flatten() {
            let made = match turn {
                Turn::Answer => self.answer(link, store, room),
                Turn::Event => self.event(link, store, room),
                Turn::Heartbeat => self.heartbeat(link, now, summary, room),
                Turn::Status => self.status(link, now, summary, store, room),
                Turn::Progress => self.progress(link, now, progress, store, room),
                Turn::Again => self.repeat(link, store, room),
            };
            if let Some((header, length)) = made {
                return Some(Transfer { header, payload: room.get(..length)? });
            }
        }
        None
    }

    /// What waits for the link, each with its urgency.
    fn turns(
        &self,
        link: usize,
        now: Instant,
        summary: StatusSummary,
        progress: ProgressSummary,
    ) -> Option<[Option<(Priority, Turn)>; 6]> {
        let here = self.links.get(link)?;
        let heartbeat = (now >= here.heartbeat_due).then_some(Priority::Nominal);
        let status = here.status_due(now, summary).then_some(Priority::Nominal);
        let progress = here.progress_due(now, progress).then_some(Priority::Low);
        let again = (!here.again.is_empty()).then_some(Priority::Slow);
        let answer = here.outbox.first().map(|waiting| waiting.header.priority);
        Some([
            answer.map(|priority| (priority, Turn::Answer)),
            // In their order, but hurried on by the most urgent behind.
            self.events.urgency(here.next_event).map(|priority| (priority, Turn::Event)),
            heartbeat.map(|priority| (priority, Turn::Heartbeat)),
            status.map(|priority| (priority, Turn::Status)),
            progress.map(|priority| (priority, Turn::Progress)),
            again.map(|priority| (priority, Turn::Again)),
        ])
    }

    /// Sealed now and not when the request was served: two seals in one go take long.
    fn answer(
        &mut self,
        link: usize,
        store: &mut impl NodeStore,
        room: &mut [u8; ANSWER_BYTES],
    ) -> Option<(Header, usize)> {
        let mut waiting = self.links.get_mut(link)?.outbox.pop()?;
        if waiting.sealed {
            self.guard.seal(waiting.header.port, waiting.reply.payload(), store).ok()?;
        }
        *room = waiting.reply.bytes;
        Some((waiting.header, waiting.reply.length))
    }

    fn event(
        &mut self,
        link: usize,
        store: &mut impl NodeStore,
        room: &mut [u8],
    ) -> Option<(Header, usize)> {
        let number = self.links.get(link)?.next_event.max(self.events.oldest());
        let sent = self.sealed_event(link, number, None, store, room)?;
        self.links.get_mut(link)?.next_event = number + 1;
        Some(sent)
    }

    fn repeat(
        &mut self,
        link: usize,
        store: &mut impl NodeStore,
        room: &mut [u8],
    ) -> Option<(Header, usize)> {
        let number = self.links.get(link)?.again.start.max(self.events.oldest());
        let sent = self.sealed_event(link, number, Some(Priority::Slow), store, room);
        // One that is gone is passed over: the controller asks again and gets the answer.
        self.links.get_mut(link)?.again.start = number + 1;
        sent
    }

    fn sealed_event(
        &mut self,
        link: usize,
        number: u32,
        priority: Option<Priority>,
        store: &mut impl NodeStore,
        room: &mut [u8],
    ) -> Option<(Header, usize)> {
        let kept = self.events.get(number)?;
        let content = kept.content();
        let (subject, priority) = (kept.subject, priority.unwrap_or(kept.priority));
        let length = content.len() + SEAL_BYTES;
        room.get_mut(..content.len())?.copy_from_slice(content);
        self.sealed(link, subject, priority, length, store, room)
    }

    fn status(
        &mut self,
        link: usize,
        now: Instant,
        summary: StatusSummary,
        store: &mut impl NodeStore,
        room: &mut [u8],
    ) -> Option<(Header, usize)> {
        self.links.get_mut(link)?.status_sent = Some((now, summary));
        let StatusSummary { game, decks, condition, activity, next_step, cleared_by } = summary;
        let status = Status {
            kind: self.identity.kind.into(),
            game,
            decks,
            condition,
            activity,
            next_step,
            cleared_by,
            start: self.guard.start(),
            next_event: self.events.next(),
            refused: self.guard.refusals().total(),
            seal: Seal::default(),
        };
        let length = status.encode(room)?;
        self.sealed(link, Status::SUBJECT, Priority::Nominal, length, store, room)
    }

    fn progress(
        &mut self,
        link: usize,
        now: Instant,
        summary: ProgressSummary,
        store: &mut impl NodeStore,
        room: &mut [u8],
    ) -> Option<(Header, usize)> {
        self.links.get_mut(link)?.progress_sent = (now, summary);
        let ProgressSummary { phase, pass, done, total } = summary;
        let progress = Progress {
            start: self.guard.start(),
            next_event: self.events.next(),
            time_ms: now.as_millis(),
            phase,
            pass,
            done,
            total,
            seal: Seal::default(),
        };
        let length = progress.encode(room)?;
        self.sealed(link, Progress::SUBJECT, Priority::Low, length, store, room)
    }

    fn heartbeat(
        &mut self,
        link: usize,
        now: Instant,
        summary: StatusSummary,
        room: &mut [u8],
    ) -> Option<(Header, usize)> {
        let beat = standard::heartbeat(now, summary.condition, self.guard.is_open());
        let length = beat.encode(room)?;
        // On the grid of whole seconds, so that a late link does not shift it.
        self.links.get_mut(link)?.heartbeat_due = now.next_second();
        Some((self.header(link, Heartbeat::SUBJECT, Priority::Nominal)?, length))
    }

    /// Seals the first `length` bytes of `room`.
    fn sealed(
        &mut self,
        link: usize,
        subject: SubjectId,
        priority: Priority,
        length: usize,
        store: &mut impl NodeStore,
        room: &mut [u8],
    ) -> Option<(Header, usize)> {
        self.guard.seal(Port::Message(subject), room.get_mut(..length)?, store).ok()?;
        Some((self.header(link, subject, priority)?, length))
    }

    fn header(&mut self, link: usize, subject: SubjectId, priority: Priority) -> Option<Header> {
        let port = Port::Message(subject);
        let transfer_id = self.links.get_mut(link)?.ids.next(port);
        Some(Header { priority, port, source: Some(self.guard.node()), transfer_id })
    }
}
