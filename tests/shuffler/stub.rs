//! Counts by hand: when they are asked for, and what a wrong one asks for.

use crate::harness::{Mishap, Rig, cards};
use croupier::cards::BackColour::Red;
use croupier::node::Refused;
use croupier::protocol::codec::Object;
use croupier::protocol::generated::croupier::common::{Game, NextStep, Role, Trouble};
use croupier::protocol::generated::croupier::shuffler::{
    Purpose, StubCountedRequest, StubCountedResponse, Task,
};
use croupier::shuffler::{DeviceEvent, Fault, Model};

const ROUNDS: [(Game, NextStep); 5] = [
    (Game::FlopPoker, NextStep::CountStub),
    (Game::RaiseItUpStud, NextStep::CountStub),
    (Game::SixCardFortunePaiGow, NextStep::CountStub),
    (Game::LunarPoker, NextStep::CountCards),
    (Game::CrissCrossPoker, NextStep::CountStub),
];

impl Rig {
    fn dealt(&mut self) -> Result<(), Refused> {
        self.command(Task::Dealt, Purpose::None, Role::Dealer)
    }

    /// The counts by hand that were asked for since, with the rounds that were told.
    fn asked(&mut self) -> Vec<(NextStep, u16)> {
        let told = self.events.drain(..).filter_map(|event| match event {
            DeviceEvent::Irregularity(told) if told.trouble == Trouble::StubDue => {
                Some((told.next_step, told.detail))
            }
            _ => None,
        });
        told.collect()
    }

    fn stub_counted(
        &mut self,
        by: Role,
        found: u8,
        misdealt: bool,
    ) -> Result<(NextStep, bool), Refused> {
        let request = StubCountedRequest { found, misdealt, ..StubCountedRequest::default() };
        let reply = self.obey(by, &request)?;
        let answer = StubCountedResponse::decode(reply.content()).unwrap();
        Ok((answer.next_step, answer.by_analogy))
    }
}

/// SH-09: a count that is not valid asks for the stub where there is one, else for a reshuffle.
#[test]
fn sh_09_a_count_that_is_not_valid_asks_for_the_stub() {
    let mut rig = Rig::single(52);
    rig.world.mishap = Some(Mishap::HiddenDouble(9));
    rig.shuffle();
    assert_eq!(rig.stopped(), Some(Fault::CountNotValid));
    assert_eq!(rig.status().next_step, NextStep::CountStub);
    assert_eq!(rig.shown().lines[1], "count stub; reshuffle");
    let mut shoe = Rig::new(Model::MultiDeck, Game::DownUnderBlackjack, 4);
    shoe.put_in(cards(208, Red));
    shoe.world.mishap = Some(Mishap::HiddenDouble(9));
    shoe.shuffle();
    assert_eq!(shoe.stopped(), Some(Fault::CountNotValid));
    assert_eq!(shoe.status().next_step, NextStep::Reshuffle);
}

/// SH-09: after five rounds without a valid count the stub is asked for, in 589 all cards, in 588
/// after each; power loss forgets no round, and a count of the machine or by hand ends it.
#[test]
fn sh_09_five_rounds_without_a_valid_count_ask_for_one_by_hand() {
    for (game, step) in ROUNDS {
        let least = if game == Game::SixCardFortunePaiGow { 1 } else { 5 };
        let mut rig = Rig::with_one(Model::SingleDeck, game, 1, Red);
        for round in 1..=6 {
            assert_eq!(rig.dealt(), Ok(()), "{game:?}");
            let due = round >= least;
            let asked = if due { vec![(step, round)] } else { vec![] };
            assert_eq!(rig.asked(), asked, "{game:?} round {round}");
            rig.cut_power();
            let next = if due { step } else { NextStep::None };
            assert_eq!(rig.status().next_step, next, "{game:?} round {round}");
            let words = if step == NextStep::CountCards {
                "count all cards by hand"
            } else {
                "count stub by hand"
            };
            assert_eq!(rig.shown().lines[1] == words, due, "{:?}", rig.shown());
        }
        rig.put_in(cards(rig.total(), Red));
        rig.shuffle();
        assert!(rig.is_certified());
        assert_eq!(rig.status().next_step, NextStep::None, "{game:?}: the machine has counted");
        for _ in 0..5 {
            rig.command(Task::Release, Purpose::None, Role::Dealer).unwrap();
            let stack = rig.take_stack();
            rig.asked();
            rig.dealt().unwrap();
            assert_eq!(rig.asked(), [], "{game:?}: its count was valid");
            rig.put_in(stack);
            rig.shuffle();
        }
    }
}

/// SH-09: a count by hand begins the five rounds again, kept in flash.
#[test]
fn sh_09_a_count_by_hand_begins_the_five_rounds_again() {
    let mut rig = Rig::new(Model::SingleDeck, Game::FlopPoker, 1);
    (0..5).for_each(|_| rig.dealt().unwrap());
    assert_eq!(rig.asked(), [(NextStep::CountStub, 5)]);
    rig.store.broken = true;
    assert_eq!(rig.stub_counted(Role::Dealer, 52, false), Err(Refused::StoreFailed));
    assert_eq!(rig.status().next_step, NextStep::CountStub, "refused, it changed nothing");
    rig.store.broken = false;
    assert_eq!(rig.stub_counted(Role::Dealer, 52, false), Ok((NextStep::None, false)));
    rig.cut_power();
    assert_eq!(rig.status().next_step, NextStep::None);
    (0..4).for_each(|_| rig.dealt().unwrap());
    assert_eq!(rig.asked(), []);
}

/// SH-10: 588 counts its stub in every round, whatever the machine has counted.
#[test]
fn sh_10_588_asks_for_the_stub_of_every_round() {
    for (game, _) in ROUNDS {
        let mut rig = Rig::new(Model::SingleDeck, game, 1);
        rig.put_in(cards(rig.total(), Red));
        rig.shuffle();
        rig.asked();
        rig.command(Task::Release, Purpose::None, Role::Dealer).unwrap();
        let each = game == Game::SixCardFortunePaiGow;
        let asked = if each { vec![(NextStep::CountStub, 0)] } else { vec![] };
        assert_eq!(rig.asked(), asked, "{game:?}");
    }
}

/// SH-37: misdealt and whole is void, short is void and removed; misdealt and short has no clause
/// and is answered by analogy, save in 588, whose clause does not ask. 589 only removes.
#[test]
fn sh_37_a_wrong_stub_forks_on_misdealt_and_on_the_whole_pack() {
    use NextStep::{None, RemoveDeck, VoidAndRefund, VoidRefundRemoveDeck};
    for (game, _) in ROUNDS {
        let mut rig = Rig::new(Model::SingleDeck, game, 1);
        let whole = rig.total() as u8;
        let (dealt_wrong, short, both) = match game {
            Game::LunarPoker => (None, RemoveDeck, (RemoveDeck, false)),
            Game::SixCardFortunePaiGow => {
                (VoidAndRefund, VoidRefundRemoveDeck, (VoidAndRefund, false))
            }
            _ => (VoidAndRefund, VoidRefundRemoveDeck, (VoidRefundRemoveDeck, true)),
        };
        for by in [Role::Dealer, Role::Floorperson] {
            for (found, misdealt, asked) in [
                (whole, false, (None, false)),
                (whole, true, (dealt_wrong, false)),
                (whole - 1, false, (short, false)),
                (whole + 1, false, (short, false)),
                (whole - 1, true, both),
                (whole + 1, true, both),
            ] {
                let what = format!("{game:?} {found} {misdealt}");
                assert_eq!(rig.stub_counted(by, found, misdealt), Ok(asked), "{what}");
                let told = rig.events.drain(..).find_map(|event| match event {
                    DeviceEvent::Stub(told) => Some(told),
                    _ => Option::None,
                });
                let told = told.expect("it is published");
                assert_eq!((told.next_step, told.by_analogy), asked, "{what}");
                assert_eq!((told.found, told.misdealt, told.by), (found, misdealt, by), "{what}");
            }
        }
    }
    let mut shoe = Rig::new(Model::MultiDeck, Game::FreeBet, 6);
    assert_eq!(shoe.stub_counted(Role::Dealer, 52, false), Err(Refused::WrongProfile));
    assert_eq!(shoe.dealt(), Err(Refused::OutOfTurn), "nothing is in play");
}

/// SH-09: in mid-cycle no round is told; the machine counts just now.
#[test]
fn sh_09_no_round_is_told_in_mid_cycle() {
    let mut rig = Rig::single(52);
    rig.start().unwrap();
    (0..100).for_each(|_| assert!(rig.step()));
    assert_eq!(rig.dealt(), Err(Refused::OutOfTurn));
    assert_eq!(rig.shuffler.record().uncounted, 0);
}
