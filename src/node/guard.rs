//! The door between the wire and the device: nothing sealed passes it unjudged.
//!
//! Inwards it lets through what is authentic, addressed to us and fresh, each once. Outwards
//! it seals with the device's own key. What it turns away it counts, by kind.

use crate::protocol::keys::{KeyPolicy, KeyRing, RoleKey};
use crate::protocol::seal::{self, Address, Refusal, Refusals, Role, Verified};
use crate::protocol::sequence::{Lane, SequenceStore, Sequences};
use crate::protocol::transfer::{Header, NodeId, Port};

use super::questions::Questions;

/// Keys, numbers and counts of one device.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Guard {
    node: NodeId,
    keys: KeyRing,
    sequences: Option<Sequences>,
    refusals: Refusals,
    questions: Questions,
}

impl Guard {
    /// Opens the door of `node`.
    ///
    /// A store whose limits cannot be read shuts it: nothing is accepted and nothing sealed, since
    /// both could be repetitions. The device itself goes on working.
    pub fn new(node: NodeId, keys: KeyRing, store: &mut impl SequenceStore) -> Self {
        let sequences = Sequences::start(store).ok();
        let first = sequences.as_ref().map_or(u64::MAX, |numbers| numbers.peek(Lane::Sent));
        let (refusals, questions) = (Refusals::default(), Questions::new(first));
        Self { node, keys, sequences, refusals, questions }
    }

    /// A door that stays shut: for a device without a store.
    pub fn shut(node: NodeId) -> Self {
        let keys = KeyRing::empty(KeyPolicy::Silicon);
        let (refusals, questions) = (Refusals::default(), Questions::new(u64::MAX));
        Self { node, keys, sequences: None, refusals, questions }
    }

    /// Our own number.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Whether it can seal and accept at all.
    pub fn is_open(&self) -> bool {
        self.sequences.is_some() && self.keys.get(Role::Device).is_some()
    }

    /// What was turned away since boot.
    pub fn refusals(&self) -> &Refusals {
        &self.refusals
    }

    /// How many were turned away since this was asked last.
    pub(super) fn take_unreported(&mut self) -> u32 {
        self.refusals.take_unreported()
    }

    /// The keys, for provisioning.
    pub(super) fn keys_mut(&mut self) -> &mut KeyRing {
        &mut self.keys
    }

    /// The key that checks what the shuffler sealed and others forward. It opens nothing here.
    pub(super) fn peer_key(&self) -> Option<&RoleKey> {
        self.keys.peer()
    }

    /// The lowest number a command of `role` may have.
    pub fn next_sequence(&self, role: Role) -> Option<u64> {
        Some(self.sequences.as_ref()?.peek(Lane::of(role)?))
    }

    /// How often the device started in its life; 0 if the store would not count.
    pub fn starts(&self) -> u32 {
        self.sequences.as_ref().map_or(0, |numbers| numbers.starts())
    }

    /// The low byte of that count, which every stamp carries.
    pub fn start(&self) -> u8 {
        let [low, ..] = self.starts().to_le_bytes();
        low
    }

    /// A number above all that any earlier start sent.
    pub(super) fn next_sent(&self) -> u64 {
        self.sequences.as_ref().map_or(0, |numbers| numbers.peek(Lane::Sent))
    }

    /// Lets a command pass that is authentic, ours and fresh. It never passes again.
    pub fn admit<'a>(
        &mut self,
        header: &Header,
        payload: &'a [u8],
        store: &mut impl SequenceStore,
    ) -> Result<Verified<'a>, Refusal> {
        let verdict = self.authentic(header, payload).and_then(|verified| {
            self.accept(&verified, store)?;
            Ok(verified)
        });
        self.counted(verdict)
    }

    /// Lets a question for the next sequence pass that is authentic and ours. A client that asks knows
    /// no number of its own yet: its seal's names one of ours, as [`Questions`] says.
    pub(super) fn admit_question<'a>(
        &mut self,
        header: &Header,
        payload: &'a [u8],
    ) -> Result<Verified<'a>, Refusal> {
        let verdict = self.authentic(header, payload).and_then(|verified| {
            let next = self.next_sent();
            self.questions.ask(verified.role, verified.sequence, next)?;
            Ok(verified)
        });
        self.counted(verdict)
    }

    /// Lets a request for [`KeyRing::provision`] pass, with the service switch closed.
    ///
    /// A ring without a service key can verify no sender yet. It takes that one key from the
    /// person who closed the switch, sealed with the very key it brings.
    pub(super) fn admit_key<'a>(
        &mut self,
        header: &Header,
        payload: &'a [u8],
        store: &mut impl SequenceStore,
    ) -> Result<Verified<'a>, Refusal> {
        let brought = payload.split_first().and_then(|(role, rest)| {
            let first = *role == Role::Service.code() && self.keys.get(Role::Service).is_none();
            rest.first_chunk().filter(|_| first).map(|bytes| RoleKey::new(*bytes))
        });
        let Some(brought) = brought else { return self.admit(header, payload, store) };
        let verdict = self.authentic_by(Some(&brought), header, payload).and_then(|verified| {
            self.accept(&verified, store)?;
            Ok(verified)
        });
        self.counted(verdict)
    }

    /// Counts something turned away by others.
    pub(super) fn turn_away(&mut self, refusal: Refusal) {
        self.refusals.count(refusal);
    }

    /// Seals our `payload` in place with the next number, and says which.
    pub fn seal(
        &mut self,
        port: Port,
        payload: &mut [u8],
        store: &mut impl SequenceStore,
    ) -> Result<u64, Refusal> {
        let key = self.keys.get(Role::Device).ok_or(Refusal::NoKey)?;
        let numbers = self.sequences.as_mut().ok_or(Refusal::NotKept)?;
        let sequence = numbers.take(store)?;
        seal::seal(key, Role::Device, sequence, Address { source: self.node, port }, payload)?;
        Ok(sequence)
    }

    /// Reserves numbers at a quiet moment, ten times a second.
    pub fn reserve_ahead(&mut self, store: &mut impl SequenceStore) {
        if let Some(numbers) = self.sequences.as_mut() {
            // A failure now is met again, and then counted, when a number is needed.
            let _ = numbers.reserve_ahead(store);
        }
    }

    fn accept(
        &mut self,
        verified: &Verified<'_>,
        store: &mut impl SequenceStore,
    ) -> Result<(), Refusal> {
        let numbers = self.sequences.as_mut().ok_or(Refusal::NotKept)?;
        numbers.accept(verified.role, verified.sequence, store)
    }

    fn authentic<'a>(&self, header: &Header, payload: &'a [u8]) -> Result<Verified<'a>, Refusal> {
        self.authentic_by(None, header, payload)
    }

    /// With `brought` in place of a service key that is not there yet.
    fn authentic_by<'a>(
        &self,
        brought: Option<&RoleKey>,
        header: &Header,
        payload: &'a [u8],
    ) -> Result<Verified<'a>, Refusal> {
        let source = header.source.ok_or(Refusal::Truncated)?;
        // Our own number and not the header's: what was sealed for another device fails here.
        let port = match header.port {
            Port::Request(service, _) => Port::Request(service, self.node),
            other => other,
        };
        let key = |role| match role {
            Role::Device => Err(Refusal::UnknownRole),
            Role::Service if brought.is_some() => brought.ok_or(Refusal::NoKey),
            _ => self.keys.get(role).ok_or(Refusal::NoKey),
        };
        seal::verify_with(key, Address { source, port }, payload)
    }

    fn counted<T>(&mut self, verdict: Result<T, Refusal>) -> Result<T, Refusal> {
        verdict.inspect_err(|refusal| self.refusals.count(*refusal))
    }
}
