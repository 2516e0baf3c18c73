//! Recorded and forged traffic moves neither side.

use crate::dice::Dice;
use crate::table::{Flight, READER, Received, Table, node};
use croupier::protocol::codec::Object;
use croupier::protocol::generated::croupier::common::{
    Clause, Irregularity, Result as Outcome, Role, Seal, Trouble,
};
use croupier::protocol::generated::croupier::reader::{ArmRequest, UpCard};
use croupier::protocol::keys::RoleKey;
use croupier::protocol::seal::Refusal;
use croupier::protocol::transfer::Port;
use croupier::time::Millis;

/// A table where a few events were published and commands obeyed, all of it recorded.
fn lived(seed: u64) -> Table {
    let mut table = Table::new(seed);
    table.run_for(2_000);
    for round in 0..4 {
        table.publish(round);
        let request = ArmRequest { round, up_card: UpCard::TenValue, seal: Seal::default() };
        let now = table.now;
        table
            .bank
            .ask(node(READER), Role::Dealer, &request, now, Millis::from_secs(1))
            .expect("room");
        table.run_for(300);
    }
    assert_eq!((table.device.armed.len(), table.events().len()), (4, 5));
    table
}

/// Plays the whole recording to both sides, in order, a transfer every two milliseconds.
fn replay(table: &mut Table) {
    for (place, mut flight) in table.recording.clone().into_iter().enumerate() {
        flight.due = table.now + Millis::new(2 * place as u64);
        match flight.header.port {
            Port::Request(..) => table.to_reader.push(flight),
            _ => table.to_bank.push(flight),
        }
    }
}

/// CM-03: a replay of everything ever said changes nothing, and is counted and reported.
#[test]
fn a_replayed_conversation_moves_neither_side() {
    let mut table = lived(1);
    let events = table.events();
    replay(&mut table);
    table.run_for(1_000);
    assert_eq!(table.device.armed.len(), 4);
    let refused = table.reader.guard().refusals().of(Refusal::Replayed);
    assert!(refused >= 4, "{refused} of the four commands and what else was asked");
    // What comes besides are the device's own alarms about refused seals and dropped requests.
    assert_eq!(table.events()[..events.len()], events);
    assert_eq!(table.events().len(), events.len() + 2);
}

/// CM-03: what a device with a key of its own did not seal with that key is not its word.
#[test]
fn a_device_with_a_key_of_its_own_is_believed_with_that_key_alone() {
    let mut table = Table::new(9);
    table.bank.trust(node(READER), RoleKey::new([9; 32])).expect("room");
    table.run_for(2_000);
    table.publish(1);
    table.run_for(2_000);
    assert_eq!(table.events(), [], "the reader seals with the key that all share");
    table.bank.trust(node(READER), RoleKey::simulation(Role::Device)).expect("room");
    table.run_for(2_000);
    assert!(!table.events().is_empty());
}

/// CM-03: and so it is right after the device lost its power.
#[test]
fn a_replay_right_after_a_power_cut_moves_neither_side() {
    let mut table = lived(2);
    table.restart_reader();
    replay(&mut table);
    table.run_for(5_000);
    assert_eq!(table.device.armed.len(), 4);
    assert_eq!(table.count(&Received::Restarted), 1);
    let starts: Vec<u8> = table.events().iter().map(|(start, _)| *start).collect();
    assert!(starts.is_sorted(), "no event of the old start came back: {starts:?}");
    assert_eq!(table.events().iter().filter(|event| event.0 == 1).count(), 5);
}

/// CM-03: a controller that has just been switched on believes no recording either.
#[test]
fn a_replay_to_a_fresh_controller_is_not_believed() {
    let mut old = lived(3);
    old.restart_reader();
    let mut fresh = Table::new(4);
    fresh.recording = old.recording.clone();
    // The same device, one start later; its controller is new and knows nothing. First the
    // line is the forger's alone, who has an answer from the past to every question.
    (fresh.store, fresh.reader) = (old.store, old.reader);
    fresh.faults.drop = 1_000;
    for _ in 0..3 {
        replay(&mut fresh);
        fresh.run_for(2_000);
    }
    assert_eq!(fresh.count(&Received::Found), 1, "{:?}", fresh.received);
    assert_eq!(fresh.events(), []);
    assert!(fresh.bank.refusals().of(Refusal::Replayed) > 0, "an old floor was offered");

    fresh.faults.drop = 0;
    fresh.run_for(4_000);
    assert!(fresh.events().iter().all(|(start, _)| *start == 2), "{:?}", fresh.events());
    assert!(!fresh.events().is_empty());
}

/// CM-03: a million-to-one is not tried here; every changed bit is noticed.
#[test]
fn altered_transfers_are_not_believed() {
    let mut table = lived(4);
    let mut dice = Dice(99);
    let before = (table.device.armed.len(), table.events());
    let sealed: Vec<_> = table.recording.iter().filter(|f| f.payload.len() > 25).cloned().collect();
    for flight in sealed.iter().cycle().take(600) {
        let mut altered = flight.clone();
        let bit = dice.roll(altered.payload.len() as u64 * 8) as usize;
        altered.payload[bit / 8] ^= 1 << (bit % 8);
        match altered.header.port {
            Port::Request(..) => table.to_reader.push(altered),
            _ => table.to_bank.push(altered),
        }
        table.run_for(2);
    }
    table.run_for(500);
    assert_eq!(table.device.armed.len(), before.0);
    let forged = table.reader.guard().refusals();
    assert!(forged.of(Refusal::BadMac) > 0 && table.bank.refusals().of(Refusal::BadMac) > 0);
    let alarms = table.events().len() - before.1.len();
    assert_eq!(alarms, 1, "one alarm in ten seconds, however many are tried");
}

/// CM-03: refused seals are published to the floor, not more often than useful.
#[test]
fn refused_seals_are_reported_at_most_every_ten_seconds() {
    let mut table = lived(5);
    let command = table.recording.iter().find(|flight| {
        matches!(flight.header.port, Port::Request(..)) && flight.payload.len() == 28
    });
    let command = command.expect("an Arm was recorded").clone();
    let before = table.events().len();
    for _ in 0..30_000 / 50 {
        table.to_reader.push(command.clone());
        table.run_for(50);
    }
    let alarms = table.events().len() - before;
    assert!((3..=4).contains(&alarms), "{alarms} alarms in thirty seconds");
    assert_eq!(table.device.armed.len(), 4);
}

/// CM-03: no count silences an alarm, and each says how many came since the last.
#[test]
fn cm_03_no_count_silences_an_alarm() {
    let mut table = lived(5);
    let command = table.recording.iter().find(|flight| {
        matches!(flight.header.port, Port::Request(..)) && flight.payload.len() == 28
    });
    let command = command.expect("an Arm was recorded").clone();
    let flood = |table: &mut Table, count| {
        let up = table.uptime();
        let (device, store) = (&mut table.device, &mut table.store);
        for _ in 0..count {
            table.reader.receive(0, &command.transfer(), up, device, store);
        }
        table.run_for(10_100);
    };
    for _ in 0..3 {
        flood(&mut table, 40_000);
    }
    assert!(table.reader.guard().refusals().total() >= 120_000, "and none stops at 65,535");
    for count in [1, 5, 300] {
        let before = table.events().len();
        flood(&mut table, count);
        let Some(Received::Event { payload, .. }) =
            table.received.iter().rfind(|received| matches!(received, Received::Event { .. }))
        else {
            panic!("no event");
        };
        assert_eq!(table.events().len(), before + 1, "{count}");
        let alarm = Irregularity::decode(payload).expect("an alarm");
        assert_eq!((alarm.trouble, alarm.detail), (Trouble::SealsRefused, count));
        assert_eq!(alarm.clause, Clause::None, "no chapter speaks of the wire");
    }
    table.run_for(30_000);
    let events = table.events().len();
    table.run_for(30_000);
    assert_eq!(table.events().len(), events, "and none without a cause");
}

fn ask(table: &mut Table, role: Role, round: u16) {
    let request = ArmRequest { round, up_card: UpCard::Ace, seal: Seal::default() };
    let now = table.now;
    table.bank.ask(node(READER), role, &request, now, Millis::from_secs(1)).expect("room");
}

/// CM-03: an answer of the past is none to a question of today, though it comes from the device
/// itself, under the right transfer-ID, and even names the same sequence for another role.
#[test]
fn a_recorded_answer_does_not_pass_for_a_new_one() {
    for role in [Role::Dealer, Role::Controller] {
        let mut table = Table::new(6);
        table.run_for(2_000);
        for round in 0..5 {
            ask(&mut table, Role::Dealer, round);
            table.run_for(100);
        }
        let answers = table.recording.iter().filter(|flight| is_answer(flight));
        let answers: Vec<_> = answers.cloned().collect();
        assert_eq!(answers.len(), 5);

        // The controller learns its floor; then the line is the forger's.
        ask(&mut table, role, 6);
        table.run_for(100);
        let accepted = table.count(&Received::Answered(Outcome::Accepted));
        table.faults.drop = 1_000;
        ask(&mut table, role, 7);
        table.run_for(5);
        let question = table.recording.last().expect("a question").clone();
        assert!(is_question(&question));
        for mut answer in answers {
            answer.header.transfer_id = question.header.transfer_id;
            table.to_bank.push(answer);
        }
        table.run_for(1_100);
        assert_eq!(table.count(&Received::Answered(Outcome::Accepted)), accepted, "{role:?}");
        assert_eq!(table.count(&Received::Unanswered { sent: true }), 1);
        assert_eq!(table.bank.refusals().of(Refusal::Replayed), 5);
    }
}

/// CM-03: an answer held back until its question was given up does not answer the next one.
#[test]
fn an_answer_held_back_does_not_pass_for_a_later_one() {
    let mut table = Table::new(7);
    table.run_for(2_000);
    ask(&mut table, Role::Dealer, 1);
    table.run_for(1);
    // The reader obeys, but the forger keeps its answer.
    let mut kept = Vec::new();
    while kept.is_empty() {
        table.run_for(1);
        kept = table.to_bank.extract_if(.., |flight| is_answer(flight)).collect();
    }
    assert_eq!(table.device.armed.len(), 1);
    table.faults.drop = 1_000;
    table.run_for(1_100);
    assert_eq!(table.count(&Received::Unanswered { sent: true }), 1);

    // To ask again, the controller asks for the next sequence number again, and gets it.
    table.faults.drop = 0;
    ask(&mut table, Role::Dealer, 2);
    while table.device.armed.len() == 1 {
        table.run_for(1);
        table.to_bank.retain(|flight| matches!(flight.header.port, Port::Response(..)));
    }
    table.to_bank.clear();
    let question = table.recording.iter().rfind(|flight| is_question(flight));
    let mut answer = kept.remove(0);
    answer.header.transfer_id = question.expect("a question").header.transfer_id;
    table.faults.drop = 1_000;
    table.to_bank.push(answer);
    table.run_for(1_100);
    assert_eq!(table.count(&Received::Answered(Outcome::Accepted)), 0);
    assert_eq!(table.count(&Received::Unanswered { sent: true }), 2);
}

/// CM-03: two questions are open and their answers come under each other's transfer-ID.
#[test]
fn swapped_answers_answer_nothing() {
    let mut table = Table::new(8);
    table.run_for(2_000);
    ask(&mut table, Role::Dealer, 1);
    table.run_for(100);
    ask(&mut table, Role::Dealer, 2);
    ask(&mut table, Role::Dealer, 3);
    let mut answers: Vec<Flight> = Vec::new();
    while answers.len() < 2 {
        table.run_for(1);
        answers.extend(table.to_bank.extract_if(.., |flight| is_answer(flight)));
    }
    let [first, second] = answers.as_mut_slice() else { panic!("two answers") };
    core::mem::swap(&mut first.header.transfer_id, &mut second.header.transfer_id);
    table.to_bank.extend(answers);
    table.run_for(1_100);
    assert_eq!(table.device.armed.len(), 3);
    assert_eq!(table.count(&Received::Answered(Outcome::Accepted)), 1, "only the one before");
    assert_eq!(table.count(&Received::Unanswered { sent: true }), 2);
    assert_eq!(table.bank.refusals().of(Refusal::Replayed), 2);
}

fn is_answer(flight: &Flight) -> bool {
    matches!(flight.header.port, Port::Response(service, _) if service.get() == 288)
}

fn is_question(flight: &Flight) -> bool {
    matches!(flight.header.port, Port::Request(service, _) if service.get() == 288)
}
