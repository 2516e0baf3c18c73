//! Both links: requests in, answers and events out, and no loop that holds up another.

use croupier::context::ContextPort;
use croupier::protocol::codec::Request;
use croupier::protocol::framing::can::Frames;
use croupier::protocol::generated::croupier::common::{
    Game, Irregularity, ProfileChanged, ProfileSetRequest, ProfileSetResponse, Result as Outcome,
    Role, Trouble,
};
use croupier::protocol::generated::uavcan::node::GetInfoRequest;
use croupier::protocol::transfer::{Header, NodeId, Port, Priority, Transfer};
use croupier::time::Millis;
use embassy_futures::block_on;

use super::bank::Link;
use super::puppet::{KIND, Table, free_bet};
use super::world::Loop;

#[test]
fn a_device_is_found_and_identified_on_both_links() {
    let table = Table::settled();
    assert_eq!(table.serial.identified, Some(KIND));
    assert_eq!(table.can.identified, Some(KIND));
    assert!(!table.serial.statuses.is_empty() && !table.can.statuses.is_empty());
}

/// CM-07: whichever link a command comes on.
#[test]
fn a_sealed_command_is_obeyed_and_its_event_goes_out_on_both_links() {
    for link in [Link::Serial, Link::Can] {
        let mut table = Table::settled();
        let (outcome, _, took) = table.ask(link, Role::Floorperson, &free_bet(6));
        assert_eq!(outcome, Outcome::Accepted);
        assert!(took <= Millis::new(100), "{took:?}");
        table.run_for(20);
        for bank in [&table.serial, &table.can] {
            let changes = bank.events::<ProfileChanged>();
            assert_eq!(changes.iter().map(|c| c.to_game).collect::<Vec<_>>(), [Game::FreeBet]);
        }
        assert_eq!(table.can.statuses.last().unwrap().game, Game::FreeBet);
    }
}

/// CM-07: a refusal for a value out of range says which field holds it, on both links.
#[test]
fn cm_07_a_refused_profile_names_the_field() {
    let good = free_bet(6);
    for link in [Link::Serial, Link::Can] {
        let mut table = Table::settled();
        let cases = [
            (ProfileSetRequest { game: Game::None, ..good }, 1),
            (ProfileSetRequest { game: Game::DoubleBackJack, decks: 9, ..good }, 2),
            (ProfileSetRequest { seats: 9, ..good }, 4),
        ];
        for (asked, field) in cases {
            let (outcome, answer, _) = table.ask(link, Role::Floorperson, &asked);
            assert_eq!((outcome, answer.answer.field), (Outcome::OutOfRange, field));
        }
        let (outcome, answer, _) = table.ask(link, Role::Dealer, &cases[1].0);
        assert_eq!((outcome, answer.answer.field), (Outcome::NotAuthorised, 0));
        let (outcome, answer, _) = table.ask(link, Role::Floorperson, &good);
        assert_eq!((outcome, answer.answer.field), (Outcome::Accepted, 0));
    }
}

#[test]
fn what_a_piece_of_work_leaves_is_sent_at_once_on_both_links() {
    let mut table = Table::settled();
    let trouble = Irregularity { trouble: Trouble::LampFault, ..Irregularity::default() };
    block_on(table.running.handle.with(|puppet, _| puppet.pending.push(trouble)));
    table.run_for(2);
    for bank in [&table.serial, &table.can] {
        let events = bank.events::<Irregularity>();
        assert_eq!(events.last().map(|event| event.trouble), Some(Trouble::LampFault));
    }
}

#[test]
fn every_loop_checks_in_though_nothing_comes() {
    let mut table = Table::new();
    for _ in 0..5_000 {
        table.running.millisecond(); // no bank asks anything
    }
    for of in [Loop::Serial, Loop::Can, Loop::Services] {
        assert!(table.running.world.longest_silence(of) <= Millis::new(110));
    }
}

#[test]
fn a_bus_that_takes_nothing_stops_no_loop_but_its_sender() {
    let mut table = Table::settled();
    table.running.world.0.can_blocked.set(true);
    table.run_for(2_000);
    let (outcome, _, took) = table.ask(Link::Serial, Role::Floorperson, &free_bet(6));
    assert_eq!(outcome, Outcome::Accepted);
    assert!(took <= Millis::new(100), "{took:?}");
    for of in [Loop::Serial, Loop::Can, Loop::Services] {
        assert!(table.running.world.longest_silence(of) <= Millis::new(110));
    }
}

/// A bus that is full of requests for this node: four frames a millisecond at 500 kbit/s.
#[test]
fn a_flood_of_requests_starves_no_loop() {
    let mut table = Table::settled();
    let to = croupier::context::node_id(KIND);
    let flood = |table: &mut Table, milliseconds: u64| {
        for at in 0..milliseconds {
            for part in 0..4 {
                let header = Header {
                    priority: Priority::Nominal,
                    port: Port::Request(GetInfoRequest::SERVICE, to),
                    source: NodeId::new(90 + part),
                    transfer_id: at % 32,
                };
                let frames = Frames::of(&Transfer { header, payload: &[] }).unwrap();
                table.running.world.0.to_can.borrow_mut().extend(frames);
            }
            table.run_for(1);
        }
    };
    flood(&mut table, 500);
    let now = table.now();
    table.serial.ask(to, Role::Floorperson, &free_bet(6), now);
    flood(&mut table, 1_500);
    let (outcome, _) = table.serial.answer::<ProfileSetResponse>().unwrap();
    assert_eq!(outcome, Outcome::Accepted);
    assert_eq!(table.can.events::<ProfileChanged>().len(), 1, "it overtakes the answers");
    for of in [Loop::Serial, Loop::Can, Loop::Services] {
        assert!(table.running.world.longest_silence(of) <= Millis::new(200));
    }
    assert!(table.running.world.0.to_can.borrow().len() < 64, "and the queue is read");
}
