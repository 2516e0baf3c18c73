//! Any events, keys and commands in any order: nothing breaks, and nothing is certified.

use crate::harness::{Ram, chosen, opened, services};
use croupier::cards::BackColour::{Blue, Red};
use croupier::protocol::generated::croupier::common::{Game, Role};
use croupier::protocol::generated::croupier::shuffler::{Batch, Purpose, Task};
use croupier::shuffler::{
    Axis, Back, Beam, Contact, Event, Fault, Look, Model, Shuffler, ShufflerStore, State, Want,
};
use croupier::time::{Instant, Millis};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

fn one_of<T: Copy>(random: &mut StdRng, all: &[T]) -> T {
    all[random.next_u32() as usize % all.len()]
}

fn event(random: &mut StdRng) -> Event {
    let yes = random.next_u32().is_multiple_of(2);
    let backs = [Back::Colour(Red), Back::Colour(Blue), Back::Cover, Back::FaceUp, Back::Unknown];
    match random.next_u32() % 12 {
        0..5 => Event::Beam(one_of(random, &Beam::ALL), yes),
        5 | 6 => {
            Event::Seen(Look { back: one_of(random, &backs), light: one_of(random, &[45, 20]) })
        }
        7 => Event::Turned(random.next_u32() as u8),
        8 => one_of(random, &[Event::Homed, Event::Diverted]),
        9 => Event::Contact(one_of(random, &Contact::ALL), yes),
        10 => Event::Stalled(one_of(random, &[Axis::Wheel, Axis::Pick, Axis::Eject])),
        _ => Event::Unanswered,
    }
}

fn command(random: &mut StdRng, shuffler: &mut Shuffler, now: Instant, store: &mut Ram) {
    use Task::{Abort, Dealt, Empty, GiveBack, NextRound, Release, Start, Store};
    let task = one_of(random, &[Start, Abort, Release, Store, Empty, NextRound, GiveBack, Dealt]);
    let purposes =
        [Purpose::FullBatch, Purpose::PartialBatch, Purpose::CountOnly, Purpose::Continuous];
    let batch = one_of(random, &[Batch::None, Batch::First, Batch::Second]);
    let role = one_of(random, &[Role::Dealer, Role::Floorperson, Role::Controller, Role::Device]);
    let _ = shuffler.command(task, one_of(random, &purposes), batch, role, now, store);
}

/// An order is drawn, or not, and planned in one go.
fn order(shuffler: &mut Shuffler, drawn: Result<&[u16], Fault>, now: Instant, store: &mut Ram) {
    shuffler.take_order(drawn, now, store);
    while shuffler.plan_on(now, store) {}
}

/// CM-12, SH-22: 300,000 things at random to each machine.
#[test]
fn no_storm_of_events_and_commands_breaks_it_or_certifies_a_deck() {
    for (seed, model, game, decks) in [
        (1, Model::SingleDeck, Game::FlopPoker, 1),
        (2, Model::MultiDeck, Game::DownUnderBlackjack, 8),
        (3, Model::Continuous, Game::FreeBet, 6),
    ] {
        let mut random = StdRng::seed_from_u64(seed);
        let (mut store, mut now) = (Ram::default(), Instant::START);
        store.keep_batches(&opened(chosen(game, decks))).unwrap();
        let mut shuffler = Shuffler::new(services(chosen(game, decks)), model, &mut store);
        let (mut worked, mut moved) = (0_u32, 0_u32);
        for _ in 0..300_000 {
            now += Millis::new(u64::from(random.next_u32() % 60));
            match random.next_u32() % 20 {
                0 => command(&mut random, &mut shuffler, now, &mut store),
                1 => shuffler.pass_time(now, &mut store),
                // What the mechanism was asked for happens, so that it gets anywhere at all.
                2..8 => {
                    if let Some(Want::Order(count)) = shuffler.want() {
                        let drawn: Vec<u16> = (0..count).collect();
                        order(&mut shuffler, Ok(&drawn), now, &mut store);
                    } else if shuffler.state() == State::Homing {
                        shuffler.sense(Event::Homed, now, &mut store);
                    }
                }
                // Service sees to it, now and then, that the storm goes on.
                8 if matches!(shuffler.state(), State::Stopped(_)) => {
                    let mut fresh = Ram::default();
                    fresh.keep_batches(&opened(chosen(game, decks))).unwrap();
                    shuffler = Shuffler::new(services(chosen(game, decks)), model, &mut fresh);
                }
                9 => order(&mut shuffler, Err(Fault::Random(1)), now, &mut store),
                10 => order(&mut shuffler, Ok(&[3, 1, 2]), now, &mut store),
                _ => {
                    let event = event(&mut random);
                    shuffler.sense(event, now, &mut store);
                }
            }
            while shuffler.next_action().is_some() {
                moved += 1;
            }
            while shuffler.take_event().is_some() {}
            worked += u32::from(shuffler.state().is_busy());
            let shown = shuffler.shown(now);
            assert_eq!(shuffler.record().certificate.certified(), None);
            assert!(shown.door_locked || !shuffler.state().is_busy());
            assert!(shown.lines.iter().all(|line| line.is_ascii()));
        }
        assert!(worked > 1_000 && moved > 1_000, "{model:?}: {worked} {moved}");
    }
}
