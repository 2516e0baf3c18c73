//! A whole reader: every loop its image runs, from sealed command, key and card to lamp and link.

use std::cell::RefCell;
use std::rc::Rc;

use croupier::cards::Rank;
use croupier::context::node_id;
use croupier::identity::DeviceKind;
use croupier::panel::lamps::ReaderLamp;
use croupier::protocol::codec::{Request, Sealed};
use croupier::protocol::generated::croupier::common::{
    ClockSetRequest, Condition, Irregularity, NextStep, Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::reader::{
    ArmRequest, HouseRequest, Insertion, NestChange, Reading, RoundEndRequest, RoundsBy, UpCard,
    Verdict,
};
use croupier::reader::check::PassedAt;
use croupier::reader::machine::{ROUND_AT_LEAST, VERDICT_AFTER};
use croupier::reader::nest::Beams;
use croupier::reader::ports::{Eye, Key, Keys, Lamps, NestBeams, Sight};
use croupier::reader::recognise::{Answer, Brand, Judgement, Question, Window};
use croupier::reader::record::Passed;
use croupier::reader::{self, Fault, Front, Label, Lit, Reader, ReaderStore as _, Record};
use croupier::time::Millis;

use super::bank::{Bank, Link};
use super::puppet::free_bet;
use super::world::{Flash, Loop, Running, open};

const KIND: DeviceKind = DeviceKind::Reader;
const NOON: u64 = 1_790_000_000_000;

/// Nest, keys, lamps, and what the eye would see.
#[derive(Default)]
struct Parts {
    beams: Beams,
    keys: [bool; Key::ALL.len()],
    lit: Lit,
    dead: Option<u8>,
    card: Option<Rank>,
}

#[derive(Clone, Default)]
struct SharedParts(Rc<RefCell<Parts>>);

impl NestBeams for SharedParts {
    fn sample(&mut self) -> Beams {
        self.0.borrow().beams
    }
}

impl Keys for SharedParts {
    fn is_down(&mut self, key: Key) -> bool {
        self.0.borrow().keys[key as usize]
    }
}

impl Lamps for SharedParts {
    fn show(&mut self, lit: Lit) -> Lit {
        let parts = &mut *self.0.borrow_mut();
        let dead = parts.dead.map_or(0, |lamp| 1 << lamp);
        parts.lit = Lit::from_bits(lit.bits() & !dead);
        parts.lit
    }
}

/// A perfect eye for peeks, which needs no brand.
impl Eye for SharedParts {
    fn take_up(
        &mut self,
        load: impl FnOnce(&mut Option<Brand>) -> Result<(), Fault>,
    ) -> Result<Option<Label>, Fault> {
        let mut brand = None;
        load(&mut brand)?;
        assert!(brand.is_none(), "none was kept");
        Ok(Some(Label { id: 7, hash: [7; 32] }))
    }

    async fn read(&mut self, question: Question, _: bool) -> Result<Sight, Fault> {
        let is_it = |rank: Rank| match question {
            Question::Ace => rank.is_ace(),
            _ => rank.is_ten_value(),
        };
        let answer = match self.0.borrow().card {
            Some(rank) if is_it(rank) => Answer::Yes,
            Some(_) => Answer::No,
            None => Answer::CannotRead,
        };
        let reading = Judgement { answer, foreign: false };
        Ok(Sight { reading, window: Window::Clean })
    }

    async fn examine(&mut self, expected: Option<Rank>) -> Result<bool, Fault> {
        Ok(self.0.borrow().card == expected)
    }

    async fn window(&mut self) -> Result<Window, Fault> {
        Ok(Window::Clean)
    }

    async fn learn(&mut self, _: Rank, _: bool) -> Result<bool, Fault> {
        Ok(false)
    }

    fn make(&mut self, _: u16) -> Option<bool> {
        Some(false)
    }

    async fn prove(&mut self, _: Rank) -> Result<bool, Fault> {
        Ok(false)
    }

    fn keep(&mut self, _: impl FnOnce(&Brand) -> Result<(), Fault>) -> Result<Label, Fault> {
        Err(Fault::Brand)
    }
}

struct Table {
    running: Running<Reader>,
    parts: SharedParts,
    serial: Bank,
    can: Bank,
}

impl Table {
    /// A reader that was inspected, at a table where `rounds_by` ends rounds.
    fn new(rounds_by: RoundsBy) -> Self {
        let at = PassedAt { utc_ms: NOON, ..PassedAt::default() };
        let passed = Some(Passed { at, inspector: 3, counts: true });
        let context = open(KIND, Flash::new(3)).around(|services, store| {
            store.keep_record(&Record { passed, ..Record::default() }).unwrap();
            Reader::new(services, store)
        });
        let mut running = Running::new(KIND, &[0x5A; 700], context);
        let (parts, world) = (SharedParts::default(), running.world.clone());
        let front = Front::new(parts.clone(), parts.clone(), parts.clone());
        let (keys, handle) = (parts.clone(), running.another_handle());
        running.spawn(async move {
            let check_in = world.check_in(Loop::Game);
            reader::run(front, keys, handle, world, check_in).await
        });
        let (serial, can) = (Bank::new(Link::Serial), Bank::new(Link::Can));
        let mut table = Self { running, parts, serial, can };
        table.run_for(2_500);
        assert_eq!(table.ask(Role::Floorperson, &free_bet(6)), Outcome::Accepted);
        let house = HouseRequest { rounds_by, ..HouseRequest::default() };
        assert_eq!(table.ask(Role::Floorperson, &house), Outcome::Accepted);
        let clock = ClockSetRequest { utc_ms: NOON + 60_000, ..ClockSetRequest::default() };
        assert_eq!(table.ask(Role::Controller, &clock), Outcome::Accepted);
        table
    }

    fn run_for(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds {
            self.running.millisecond();
            self.serial.carry(&self.running.world);
            self.can.carry(&self.running.world);
        }
    }

    fn ask<R: Request + Sealed>(&mut self, role: Role, asked: &R) -> Outcome {
        let now = self.running.world.0.now.get();
        self.can.ask(node_id(KIND), role, asked, now);
        self.run_for(100);
        self.can.answer::<R::Response>().expect("answered").0
    }

    fn tap(&mut self, key: Key) {
        for down in [true, false] {
            self.parts.0.borrow_mut().keys[key as usize] = down;
            self.run_for(30);
        }
    }

    fn beams(&mut self, [hood, near, far]: [bool; 3], milliseconds: u64) {
        self.parts.0.borrow_mut().beams = Beams { hood, near, far };
        self.run_for(milliseconds);
    }

    fn slide_in(&mut self, rank: Rank) {
        self.parts.0.borrow_mut().card = Some(rank);
        self.beams([true, false, false], 60);
        self.beams([true, true, false], 20);
        self.beams([true, true, true], 20);
        self.beams([false, true, true], 80);
    }

    fn pull_out(&mut self) {
        self.beams([true, true, true], 40);
        self.beams([false; 3], 250);
        self.parts.0.borrow_mut().card = None;
    }

    fn lit(&self) -> Lit {
        self.parts.0.borrow().lit
    }

    /// What both links have brought of it.
    fn verdicts(&self) -> [Vec<(u16, Reading)>; 2] {
        [&self.serial, &self.can].map(|bank| {
            bank.events::<Verdict>().iter().map(|event| (event.round, event.reading)).collect()
        })
    }
}

/// RD-01, RD-13, RD-21: a round over the bus: the lamp half a second after the card is home, verdict
/// and insertion on both links, and every loop checks in.
#[test]
fn rd_01_a_round_is_played_by_the_loops_of_the_image() {
    let mut table = Table::new(RoundsBy::Controller);
    let arm = ArmRequest { round: 7, up_card: UpCard::Ace, ..ArmRequest::default() };
    assert_eq!(table.ask(Role::Controller, &arm), Outcome::Accepted);
    table.slide_in(Rank::King);
    let mut lit = None;
    for _ in 0..600 {
        table.run_for(1);
        let now = table.running.world.0.now.get();
        lit = lit.or((table.lit() != Lit::NONE).then_some((now, table.lit())));
    }
    let home = table.can.events::<Insertion>()[0];
    assert_eq!((home.round, home.change), (7, NestChange::Inserted));
    let (at, lamp) = lit.expect("a lamp is lit");
    assert_eq!(lamp, Lit::one(ReaderLamp::Blackjack));
    assert_eq!(at.as_millis() - home.stamp.time_ms, VERDICT_AFTER.get());
    table.pull_out();
    assert_eq!(table.verdicts(), [[(7, Reading::Blackjack)], [(7, Reading::Blackjack)]]);
    let end = RoundEndRequest { round: 7, ..RoundEndRequest::default() };
    assert_eq!(table.ask(Role::Controller, &end), Outcome::Accepted);
    assert_eq!(table.can.statuses.last().unwrap().condition, Condition::InService);
    for of in [Loop::Serial, Loop::Can, Loop::Services, Loop::Game] {
        assert!(table.running.world.longest_silence(of) <= Millis::new(110));
    }
}

/// RD-04, RD-05: the keys alone, on the same loops: a question for each, and no end too soon.
#[test]
fn rd_04_the_keys_are_felt_by_the_loop() {
    let mut table = Table::new(RoundsBy::Dealer);
    table.tap(Key::TenValue);
    table.slide_in(Rank::Ace);
    table.run_for(600);
    assert_eq!(table.lit(), Lit::one(ReaderLamp::Blackjack));
    table.pull_out();
    table.run_for(2_000);
    table.tap(Key::RoundOver);
    assert_eq!(table.lit(), Lit::one(ReaderLamp::Notice), "too soon");
    table.run_for(ROUND_AT_LEAST.get());
    table.tap(Key::RoundOver);
    table.tap(Key::Ace);
    table.slide_in(Rank::Ace);
    table.run_for(600);
    assert_eq!(table.lit(), Lit::one(ReaderLamp::NoBlackjack));
    let wanted = vec![(1, Reading::Blackjack), (2, Reading::NoBlackjack)];
    assert_eq!(table.verdicts(), [wanted.clone(), wanted]);
}

/// RD-10, RD-14: a lamp that does not follow stops the table on both links; and a stop ends the round
/// in the record that the loops share.
#[test]
fn rd_10_a_dead_lamp_stops_the_table_on_both_links() {
    let mut table = Table::new(RoundsBy::Controller);
    table.parts.0.borrow_mut().dead = Some(ReaderLamp::NoBlackjack as u8);
    let arm = ArmRequest { round: 1, up_card: UpCard::Ace, ..ArmRequest::default() };
    assert_eq!(table.ask(Role::Controller, &arm), Outcome::Accepted);
    table.slide_in(Rank::Five);
    table.run_for(1_600);
    assert_eq!(table.verdicts(), [[], []], "what was not shown is not published");
    for bank in [&table.serial, &table.can] {
        let event = *bank.events::<Irregularity>().last().unwrap();
        assert_eq!((event.trouble, event.next_step), (Trouble::LampFault, NextStep::StopTable));
        assert_eq!(bank.statuses.last().unwrap().condition, Condition::Malfunction);
    }
    assert_eq!(table.ask(Role::Controller, &arm), Outcome::Malfunction);
}
