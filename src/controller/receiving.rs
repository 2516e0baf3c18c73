//! What a controller makes of a transfer: believed, or counted and dropped.

use crate::protocol::codec::{Message, Object, Request};
use crate::protocol::generated::croupier::common::{
    Answer, NextSequenceResponse, ResendResponse, Result as Outcome, Role, Stamp, Status,
};
use crate::protocol::generated::croupier::shuffler::Progress;
use crate::protocol::generated::uavcan::node::{GetInfoRequest, GetInfoResponse, Heartbeat};
use crate::protocol::keys::{KeyRing, RoleKey};
use crate::protocol::seal::{Address, Refusal, Verified, verify_with};
use crate::protocol::transfer::{Header, NodeId, Port, ServiceId, SubjectId, Transfer};
use crate::time::Instant;

use super::asking::{Sent, Stage};
use super::notice::Plate;
use super::peer::{Chore, Peer};
use super::stream::{Epoch, Held};
use super::{Controller, OUR_SERVICES, OUR_SUBJECTS};

impl<const NODES: usize, const ASKS: usize, const HELD: usize> Controller<NODES, ASKS, HELD> {
    /// Takes a transfer that arrived. What is not for a controller is ignored.
    pub fn receive(&mut self, transfer: &Transfer<'_>, now: Instant) {
        let Some(source) = transfer.header.source else { return };
        let verdict = match transfer.header.port {
            Port::Message(Heartbeat::SUBJECT) => {
                self.heartbeat(source, transfer.payload, now);
                Ok(())
            }
            Port::Message(subject) if OUR_SUBJECTS.contains(&subject.get()) => {
                self.message(source, subject, transfer, now)
            }
            Port::Response(GetInfoRequest::SERVICE, to) if to == self.node => {
                self.information(source, transfer);
                Ok(())
            }
            Port::Response(service, to)
                if to == self.node && OUR_SERVICES.contains(&service.get()) =>
            {
                self.response(source, service, transfer, now)
            }
            _ => Ok(()),
        };
        if let Err(refusal) = verdict {
            self.refusals.count(refusal);
        }
    }

    fn heartbeat(&mut self, source: NodeId, payload: &[u8], now: Instant) {
        let Ok(beat) = Heartbeat::decode(payload) else { return };
        if source == self.node {
            return;
        }
        match self.find_or_add(source) {
            Some(peer) => peer.beat(beat.uptime, now),
            None => self.strangers = self.strangers.saturating_add(1),
        }
    }

    fn information(&mut self, source: NodeId, transfer: &Transfer<'_>) {
        let Some(peer) = self.find(source) else { return };
        let asked = |(chore, sent, _): &mut (Chore, Sent, Instant)| {
            *chore == Chore::Info && sent.fits(GetInfoRequest::SERVICE, transfer.header.transfer_id)
        };
        if let Ok(info) = GetInfoResponse::decode(transfer.payload)
            && peer.chore.take_if(asked).is_some()
        {
            peer.identified(Plate::new(&info));
        }
    }

    /// A status, a progress or an event.
    fn message(
        &mut self,
        source: NodeId,
        subject: SubjectId,
        transfer: &Transfer<'_>,
        now: Instant,
    ) -> Result<(), Refusal> {
        let Self { keys, peers, .. } = self;
        let Some(peer) = peers.iter_mut().flatten().find(|peer| peer.node == source) else {
            return Ok(());
        };
        let verified = authentic(keys, peer, &transfer.header, transfer.payload);
        if let Ok(verified) = &verified {
            peer.note_seal(verified.sequence);
        }
        // Words from before the first fresh answer could be a recording.
        let Some(highest) = peer.highest else { return Ok(()) };
        let verified = verified?;
        let told = Published::decode(subject, transfer.payload, verified.content)?;
        let epoch = peer.stream.epoch(told.start(), verified.sequence, highest);
        if epoch == Epoch::Past {
            return Err(Refusal::Replayed);
        }
        peer.raise(verified.sequence);
        peer.mark_seen(now);
        match told {
            _ if epoch == Epoch::Coming => {}
            Published::Status(status) => peer.stands(status),
            Published::Progress(progress) => peer.gets_on(progress),
            Published::Event(stamp) => {
                let held = Held::new(subject, stamp, transfer.payload);
                peer.stream.take(held.ok_or(Refusal::Truncated)?);
            }
        }
        Ok(())
    }

    /// The answer to a question of the user's or of ours.
    fn response(
        &mut self,
        source: NodeId,
        service: ServiceId,
        transfer: &Transfer<'_>,
        now: Instant,
    ) -> Result<(), Refusal> {
        let Transfer { header, payload } = transfer;
        let Self { keys, peers, asks, .. } = self;
        let Some(peer) = peers.iter_mut().flatten().find(|peer| peer.node == source) else {
            return Ok(());
        };
        let verified = authentic(keys, peer, header, payload)?;
        peer.note_seal(verified.sequence);
        let answer = Answer::decode(verified.content.get(..Answer::LONGEST).unwrap_or_default())?;
        if answer.result == Outcome::Unknown {
            return Err(Refusal::Truncated);
        }
        let meant = |sent: &Sent| {
            sent.fits(service, header.transfer_id)
                && sent.sequence == answer.request
                && verified.sequence > sent.after
        };
        if let Some((chore, sent, _)) = peer.chore
            && meant(&sent)
        {
            done(peer, chore, answer.result, payload)?;
        } else {
            let fits = |stage: &Stage| matches!(stage, Stage::Sent(sent) if meant(sent));
            let asked =
                asks.iter_mut().flatten().find(|ask| ask.node == source && fits(&ask.stage));
            // Not asked, or not this: late, repeated or recorded.
            let ask = asked.ok_or(Refusal::Replayed)?;
            ask.answer(answer.result, payload).ok_or(Refusal::Truncated)?;
        }
        peer.raise(verified.sequence);
        peer.mark_seen(now);
        Ok(())
    }
}

/// What a sealed message says.
enum Published {
    Status(Status),
    Progress(Progress),
    Event(Stamp),
}

impl Published {
    fn decode(subject: SubjectId, payload: &[u8], content: &[u8]) -> Result<Self, Refusal> {
        Ok(match subject {
            Status::SUBJECT => Self::Status(Status::decode(payload)?),
            Progress::SUBJECT => Self::Progress(Progress::decode(payload)?),
            _ => Self::Event(stamp(content)?),
        })
    }

    /// The start of the device it belongs to.
    fn start(&self) -> u8 {
        match self {
            Self::Status(status) => status.start,
            Self::Progress(progress) => progress.start,
            Self::Event(stamp) => stamp.start,
        }
    }
}

/// An answer to a question of our own.
fn done<const HELD: usize>(
    peer: &mut Peer<HELD>,
    chore: Chore,
    outcome: Outcome,
    payload: &[u8],
) -> Result<(), Refusal> {
    match chore {
        Chore::Info => return Err(Refusal::Replayed),
        Chore::NextSequence(role, nonce) => {
            let told = NextSequenceResponse::decode(payload)?;
            // A device that does not know answers with zeros, and so with another nonce.
            if told.nonce != nonce {
                return Err(Refusal::Replayed);
            }
            peer.learn(role, told.next_sequence);
        }
        Chore::Resend { last, .. } => {
            let told = ResendResponse::decode(payload)?;
            match outcome {
                Outcome::Accepted => {
                    peer.gone(told.first);
                    peer.comes();
                }
                Outcome::NotFound => peer.gone(last.saturating_add(1)),
                _ => {}
            }
        }
    }
    peer.chore = None;
    Ok(())
}

/// Checks that the device `peer` itself sealed this, with its own key or the one all share.
fn authentic<'a, const HELD: usize>(
    keys: &KeyRing,
    peer: &Peer<HELD>,
    header: &Header,
    payload: &'a [u8],
) -> Result<Verified<'a>, Refusal> {
    let key = |role| -> Result<&RoleKey, Refusal> {
        if role != Role::Device {
            return Err(Refusal::UnknownRole);
        }
        peer.key.as_ref().or(keys.get(Role::Device)).ok_or(Refusal::NoKey)
    };
    verify_with(key, Address { source: peer.node, port: header.port }, payload)
}

fn stamp(content: &[u8]) -> Result<Stamp, Refusal> {
    Ok(Stamp::decode(content.get(..Stamp::LONGEST).unwrap_or_default())?)
}
