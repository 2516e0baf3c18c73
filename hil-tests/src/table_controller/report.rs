//! What a controller reports, kept: notices borrow from it, and a test looks at them later.

use croupier::controller::{Notice, Plate, Ticket};
use croupier::protocol::codec::Event;
use croupier::protocol::generated::croupier::common::{Result as Outcome, Stamp, Status};
use croupier::protocol::generated::croupier::shuffler::Progress;
use croupier::protocol::transfer::{NodeId, SubjectId};

/// What a controller reports of a device, besides answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// It is on the bus.
    Found,
    /// What it says it is.
    Identified(Plate),
    /// It has sent nothing for a while.
    Silent,
    /// It sends again.
    Back,
    /// It restarted.
    Restarted,
    /// How it is.
    Status(Status),
    /// How far its work is.
    Progress(Progress),
    /// The next event in order: its kind, its stamp, all of it.
    Event(SubjectId, Stamp, Vec<u8>),
    /// Events from the first to the last of these numbers are gone.
    Lost(u32, u32),
}

impl Report {
    /// How far its work is, if it publishes that.
    pub fn progress(&self) -> Option<Progress> {
        match self {
            Self::Progress(progress) => Some(*progress),
            _ => None,
        }
    }

    /// The event as an `E`, if it is one.
    pub fn event<E: Event>(&self) -> Option<E> {
        match self {
            Self::Event(subject, _, bytes) if *subject == E::SUBJECT => E::decode(bytes).ok(),
            _ => None,
        }
    }
}

/// Whether a device has published its status, and every event that this status counts.
pub(crate) fn is_reported_whole<'a>(report: impl Iterator<Item = &'a Report>) -> bool {
    let (mut status, mut next) = (None, 0);
    for report in report {
        match report {
            Report::Status(latest) => status = Some(latest),
            Report::Event(_, stamp, _) => next = stamp.number + 1,
            Report::Lost(_, last) => next = last + 1,
            Report::Restarted => (status, next) = (None, 0),
            _ => {}
        }
    }
    status.is_some_and(|status| status.next_event <= next)
}

/// An answer, or that none came.
pub(crate) type Answer = Option<(Outcome, Vec<u8>)>;

/// A notice, kept.
pub(crate) enum Sorted {
    /// What became of a question.
    Answer(Ticket, Answer),
    /// What is reported of a device.
    Report(NodeId, Report),
}

/// Keeps what a notice says.
pub(crate) fn sort(notice: &Notice<'_>) -> Sorted {
    let (node, report) = match *notice {
        Notice::Answered { ticket, outcome, payload } => {
            return Sorted::Answer(ticket, Some((outcome, payload.to_vec())));
        }
        Notice::Unanswered { ticket, .. } => return Sorted::Answer(ticket, None),
        Notice::Found(node) => (node, Report::Found),
        Notice::Identified(node, plate) => (node, Report::Identified(plate)),
        Notice::Silent(node) => (node, Report::Silent),
        Notice::Back(node) => (node, Report::Back),
        Notice::Restarted(node) => (node, Report::Restarted),
        Notice::Status(node, status) => (node, Report::Status(status)),
        Notice::Progress(node, progress) => (node, Report::Progress(progress)),
        Notice::Event { node, subject, stamp, payload } => {
            (node, Report::Event(subject, stamp, payload.to_vec()))
        }
        Notice::Lost { node, first, last, .. } => (node, Report::Lost(first, last)),
    };
    Sorted::Report(node, report)
}
