//! A generator on its node, a controller, and a perfect link.

use crate::bank::Bank;
use crate::harness::{Source, Table, node};
use croupier::context::DeviceContext;
use croupier::controller::OBJECT_BYTES;
use croupier::node::{ANSWER_BYTES, Guard};
use croupier::paigow::ROUND_AT_LEAST;
use croupier::paigow::ports::Key;
use croupier::protocol::codec::{Event, Request, Sealed};
use croupier::protocol::generated::croupier::common::{
    Irregularity, Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::paigow::{ArmRequest, RoundEndRequest, Signal};
use croupier::protocol::keys::{KeyPolicy, KeyRing};
use croupier::protocol::transfer::{NodeId, Transfer};
use croupier::store::{NorModel, Store};
use croupier::time::Millis;

pub type Flash = NorModel<2048, 4>;

pub const GENERATOR: NodeId = NodeId::new(12).unwrap();

/// A generator on its node, a controller, and a perfect link.
pub struct Linked {
    pub table: Table<Store<Flash>, Source>,
    pub source: Source,
    pub bank: Bank,
}

impl Linked {
    pub fn new() -> Self {
        Self::on(Flash::new(3), 5 << 32, Source::default())
    }

    /// The device as its flash remembers it, and a controller that counts from `nonce`.
    fn on(flash: Flash, nonce: u64, source: Source) -> Self {
        let mut store = Store::open(flash).expect("opens");
        let keys = KeyRing::load(&mut store, KeyPolicy::Simulation).expect("readable");
        let guard = Guard::new(GENERATOR, keys, &mut store);
        let mut table = Table::with(store, source.clone());
        table.context.node = node(guard);
        let mut linked = Self { table, source, bank: Bank::new(nonce) };
        linked.run_for(2_500);
        linked
    }

    pub fn run_for(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds / 5 {
            self.table.pass();
            self.carry();
        }
    }

    fn carry(&mut self) {
        let now = self.table.now;
        let Table { context, published, .. } = &mut self.table;
        published.drain(..).for_each(|event| event.publish(&mut context.node, now));
        for _ in 0..4 {
            let mut room = [0; ANSWER_BYTES];
            let DeviceContext { node, device, store } = &mut *context;
            let sent = node.next(0, now, device, store, &mut room);
            if let Some(Transfer { mut header, payload }) = sent {
                header.transfer_id &= 31;
                self.bank.receive(&Transfer { header, payload }, now);
            }
            let mut room = [0; OBJECT_BYTES];
            if let Some(Transfer { mut header, payload }) = self.bank.next(now, &mut room) {
                header.transfer_id &= 31;
                let asked = Transfer { header, payload };
                let DeviceContext { node, device, store } = &mut *context;
                node.receive(0, &asked, now, device, store);
                context.publish(now);
            }
        }
        self.bank.collect(now);
    }

    pub fn ask<R: Request + Sealed>(&mut self, role: Role, request: &R) -> (Outcome, R::Response) {
        let now = self.table.now;
        self.bank.ask(GENERATOR, role, request, now);
        while !self.bank.is_answered() {
            assert!(self.table.now < now + Millis::from_secs(5), "no answer to {}", R::NAME);
            self.run_for(5);
        }
        self.bank.answer::<R>()
    }

    pub fn signal(&mut self, round: u16, signal: Signal) -> (Outcome, bool) {
        let request = ArmRequest { round, signal, ..ArmRequest::default() };
        let (outcome, answer) = self.ask(Role::Controller, &request);
        (outcome, answer.armed)
    }

    pub fn end(&mut self, round: u16) -> Outcome {
        self.ask(Role::Dealer, &RoundEndRequest { round, ..RoundEndRequest::default() }).0
    }

    pub fn tap(&mut self, key: Key) {
        self.table.tap(key);
        self.run_for(50);
    }

    pub fn events<E: Event>(&self) -> Vec<E> {
        self.bank.events()
    }

    /// The same device after a power cut, and a new controller beside it.
    pub fn power_cycled(mut self) -> Self {
        let spare = Store::open(Flash::new(0)).expect("blank flash opens");
        let flash = core::mem::replace(&mut self.table.context.store, spare).release();
        Self::on(flash, 6 << 32, self.source)
    }

    /// As long as a deal takes.
    pub fn deal(&mut self) {
        self.run_for(ROUND_AT_LEAST.get());
    }

    /// The last irregularity published: what, and its detail.
    pub fn last_trouble(&self) -> Option<(Trouble, u16)> {
        self.events::<Irregularity>().last().map(|told| (told.trouble, told.detail))
    }
}
