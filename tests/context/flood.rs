//! Whoever asks without a seal, however often and urgently, delays nothing that a table waits for.

use croupier::context::{ContextPort, node_id};
use croupier::protocol::codec::Request;
use croupier::protocol::framing::can::Frames;
use croupier::protocol::framing::serial;
use croupier::protocol::generated::croupier::common::{
    Irregularity, RefusalsRequest, Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::uavcan::node::{ExecuteCommandRequest, GetInfoRequest};
use croupier::protocol::transfer::{Header, NodeId, Port, Priority, ServiceId, Transfer};
use croupier::time::{Instant, Millis};
use embassy_futures::block_on;

use super::bank::{Bank, Link};
use super::puppet::{KIND, Table, free_bet};

/// What an event may take to the end of the line, behind what is being sent.
const SOON: Millis = Millis::new(60);

/// A stranger's request at the highest priority, on this link.
fn pester(table: &Table, link: Link, id: ServiceId, payload: &[u8], turn: u64) {
    let header = Header {
        priority: Priority::Exceptional,
        port: Port::Request(id, node_id(KIND)),
        source: NodeId::new(90),
        transfer_id: if link == Link::Can { turn % 32 } else { turn },
    };
    let (state, transfer) = (&table.running.world.0, Transfer { header, payload });
    if link == Link::Can {
        state.to_can.borrow_mut().extend(Frames::of(&transfer).unwrap());
    } else {
        let mut text = [0; serial::most_bytes(16)];
        state.to_serial.borrow_mut().extend(serial::encode(&transfer, &mut text).unwrap());
    }
}

/// The longest time between two of these, and from `began` to the first.
fn longest(times: &[Instant], began: Instant) -> Millis {
    let all: Vec<_> = core::iter::once(began).chain(times.iter().copied()).collect();
    all.windows(2).map(|two| two[1].since(two[0])).max().expect("some came")
}

/// A minute with a thousand of these requests a second on each of these links, and an event each second.
fn minute_of(links: &[Link], id: ServiceId, payload: &[u8]) {
    let mut table = Table::settled();
    table.running.world.0.paced.set(true);
    let (began, turns) = (table.now(), table.running.world.0.turns.get());
    let mut statuses = [vec![], vec![]];
    let seen = |table: &Table| [table.serial.statuses.len(), table.can.statuses.len()];
    let of = |table: &Table, trouble| {
        let is_one = |event: &Irregularity| event.trouble == trouble;
        let count = |bank: &Bank| bank.events().into_iter().filter(is_one).count();
        [count(&table.serial), count(&table.can)]
    };
    let events = |table: &Table| of(table, Trouble::LampFault);
    for bank in [&mut table.serial, &mut table.can] {
        bank.heartbeats.clear();
    }
    let (mut before, told) = (seen(&table), events(&table));
    for turn in 0..60_000 {
        links.iter().for_each(|link| pester(&table, *link, id, payload, turn));
        table.running.world.0.lost.set(turn as u32 / 100);
        if turn % 1_000 == 500 {
            let trouble = Irregularity { trouble: Trouble::LampFault, ..Irregularity::default() };
            block_on(table.running.handle.with(|puppet, _| puppet.pending.push(trouble)));
        }
        table.run_for(1);
        if turn % 1_000 == 500 + SOON.get() {
            let count = turn as usize / 1_000 + 1;
            assert_eq!(events(&table), told.map(|told| told + count), "event {count} is late");
        }
        let (after, now) = (seen(&table), table.now());
        for (place, times) in statuses.iter_mut().enumerate() {
            times.extend((after[place] > before[place]).then_some(now));
        }
        before = after;
    }
    let most = Millis::new(1_000) + SOON;
    for times in &statuses {
        assert!(longest(times, began) <= most, "statuses: {:?}", longest(times, began));
    }
    for bank in [&table.serial, &table.can] {
        let gap = longest(&bank.heartbeats, began);
        assert!(gap <= most, "heartbeats: {gap:?}");
    }
    // The drops are counted and published, and so are the frames that the bus's queue lost.
    assert_eq!(of(&table, Trouble::RequestsDropped), [6, 6], "once in ten seconds");
    let dropped = links.len() as u32 * (60_000 - 60 * 20);
    for (seats, link) in links.iter().enumerate() {
        // A sealed command is answered on the very link.
        pester(&table, *link, id, payload, 60_000);
        let (outcome, _, took) = table.ask(*link, Role::Floorperson, &free_bet(6 - seats as u8));
        assert_eq!(outcome, Outcome::Accepted);
        assert!(took <= SOON * 2, "{took:?}");
        let (outcome, told, _) = table.ask(*link, Role::Dealer, &RefusalsRequest::default());
        assert_eq!(outcome, Outcome::Accepted);
        let most = dropped + 599 + 60 + 2;
        assert!((dropped + 590..=most).contains(&told.unanswerable), "{told:?}, {dropped}");
    }
    // Each request that is served takes the context, and no other does.
    let served = links.len() as u32 * 60 * 20;
    let turns = table.running.world.0.turns.get() - turns;
    assert!(turns < 61 * 1_000 / 2 + 4 * served, "{turns} turns, {served} served");
}

/// CM-12: on the table bus.
#[test]
fn cm_12_unsealed_questions_on_the_bus_delay_nothing() {
    minute_of(&[Link::Can], GetInfoRequest::SERVICE, &[]);
    minute_of(&[Link::Can], ExecuteCommandRequest::SERVICE, &[0, 0]);
}

/// CM-12: on the UART.
#[test]
fn cm_12_unsealed_questions_on_the_line_delay_nothing() {
    minute_of(&[Link::Serial], GetInfoRequest::SERVICE, &[]);
    minute_of(&[Link::Serial], ExecuteCommandRequest::SERVICE, &[0, 0]);
}

/// CM-12: on both at once.
#[test]
fn cm_12_unsealed_questions_on_both_links_delay_nothing() {
    minute_of(&[Link::Serial, Link::Can], GetInfoRequest::SERVICE, &[]);
}
