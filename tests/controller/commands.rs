//! Commands reach the device once, under their role, and answers find their question.

use crate::table::{Faults, READER, Received, Table, node};
use croupier::controller::CannotAsk;
use croupier::protocol::generated::croupier::common::{
    KeyHolder, ProfileSetRequest, ProvisionKeyRequest, RefusalsRequest, Result as Outcome, Role,
    Seal,
};
use croupier::protocol::generated::croupier::reader::{ArmRequest, RoundEndRequest, UpCard};
use croupier::protocol::seal::Refusal;
use croupier::time::Millis;

fn arm(round: u16) -> ArmRequest {
    ArmRequest { round, up_card: UpCard::Ace, seal: Seal::default() }
}

fn ask(table: &mut Table, role: Role, round: u16) {
    let now = table.now;
    table.bank.ask(node(READER), role, &arm(round), now, Millis::from_secs(2)).expect("room");
}

/// RD-04: the up-card reaches the reader with the dealer's authority, and the answer comes back.
#[test]
fn a_command_is_obeyed_and_answered() {
    let mut table = Table::new(1);
    table.run_for(2_000);
    ask(&mut table, Role::Dealer, 7);
    table.run_for(100);
    assert_eq!(table.device.armed, [(Role::Dealer, 7, UpCard::Ace)]);
    assert_eq!(table.count(&Received::Answered(Outcome::Accepted)), 1);
}

/// CM-07: a role without authority is answered, refused and counted, and nothing happens.
#[test]
fn a_role_without_authority_is_refused() {
    let mut table = Table::new(2);
    table.run_for(2_000);
    let now = table.now;
    for role in [Role::Floorperson, Role::Service] {
        table.bank.ask(node(READER), role, &arm(1), now, Millis::from_secs(2)).expect("room");
    }
    let profile = ProfileSetRequest::default();
    table.bank.ask(node(READER), Role::Dealer, &profile, now, Millis::from_secs(2)).expect("room");
    table.run_for(1_000);
    assert_eq!(table.count(&Received::Answered(Outcome::NotAuthorised)), 3);
    assert_eq!(table.device.armed, []);
    assert_eq!(table.reader.guard().refusals().of(Refusal::NotAuthorised), 3);
}

/// A refusal by the device comes back as it was meant.
#[test]
fn a_refused_command_says_why() {
    let mut table = Table::new(3);
    table.run_for(2_000);
    let now = table.now;
    let end = RoundEndRequest::default();
    table.bank.ask(node(READER), Role::Dealer, &end, now, Millis::from_secs(2)).expect("room");
    table.run_for(100);
    assert_eq!(table.count(&Received::Answered(Outcome::OutOfTurn)), 1);
}

/// CM-03: whatever the link does, no command is obeyed twice and no answer goes astray.
#[test]
fn no_command_is_obeyed_twice_over_a_bad_link() {
    for seed in 0..30 {
        let mut table = Table::new(seed);
        table.faults = Faults { drop: 150, repeat: 300, delay: Millis::new(30) };
        table.run_for(4_000);
        let mut asked = 0;
        for round in 0..30 {
            let role = if round % 2 == 0 { Role::Dealer } else { Role::Controller };
            ask(&mut table, role, round);
            asked += 1;
            table.run_for(2_100);
        }
        let mut rounds: Vec<u16> = table.device.armed.iter().map(|(_, round, _)| *round).collect();
        let obeyed = rounds.len();
        rounds.dedup();
        assert_eq!(rounds.len(), obeyed, "seed {seed}: a command was obeyed twice");
        assert!(rounds.is_sorted(), "seed {seed}");
        let accepted = table.count(&Received::Answered(Outcome::Accepted));
        let unanswered = [true, false].map(|sent| table.count(&Received::Unanswered { sent }));
        assert_eq!(accepted + unanswered[0] + unanswered[1], asked, "seed {seed}");
        assert!(accepted <= obeyed && accepted > asked / 2, "seed {seed}: {accepted} of {asked}");
    }
}

/// CM-03: after a restart the device's floors have moved; the controller learns them and goes on.
#[test]
fn commands_work_again_after_the_device_restarted() {
    let mut table = Table::new(4);
    for round in 0..5 {
        table.run_for(3_000);
        ask(&mut table, Role::Dealer, round);
        table.run_for(100);
        table.restart_reader();
    }
    assert_eq!(table.count(&Received::Answered(Outcome::Accepted)), 5, "{:?}", table.received);
    assert_eq!(table.device.armed.len(), 5);
    assert_eq!(table.reader.guard().refusals().total(), 0);
}

/// A question to a device that is gone is given up in time, and said to have gone out or not.
#[test]
fn a_question_nobody_answers_is_given_up() {
    let mut table = Table::new(5);
    table.run_for(2_000);
    ask(&mut table, Role::Dealer, 1);
    table.run_for(100);
    table.faults.drop = 1_000;
    ask(&mut table, Role::Dealer, 2);
    ask(&mut table, Role::Floorperson, 2); // its floor was never learnt
    table.run_for(2_001);
    assert_eq!(table.count(&Received::Unanswered { sent: true }), 1);
    assert_eq!(table.count(&Received::Unanswered { sent: false }), 1);
}

/// Memory is fixed, so a fifth open question is refused, not lost.
#[test]
fn questions_beyond_the_room_for_them_are_refused() {
    let mut table = Table::new(6);
    let now = table.now;
    let early = table.bank.ask(node(READER), Role::Dealer, &arm(1), now, Millis::new(100));
    assert_eq!(early, Err(CannotAsk::UnknownNode));
    table.run_for(2_000);
    for round in 0..4 {
        ask(&mut table, Role::Dealer, round);
    }
    let now = table.now;
    let fifth = table.bank.ask(node(READER), Role::Dealer, &arm(9), now, Millis::new(100));
    assert_eq!(fifth, Err(CannotAsk::TooMany));
    table.run_for(1_000);
    assert_eq!(table.device.armed.len(), 4);
}

/// CM-03: keys go in only with the switch closed, and no transfer of the device ever holds one.
#[test]
fn keys_are_provisioned_over_the_wire_and_never_come_back() {
    let mut table = Table::new(7);
    table.run_for(2_000);
    let secret = *b"a dealer's key, known to nobody.";
    let request =
        ProvisionKeyRequest { holder: KeyHolder::Dealer, key: secret, seal: Seal::default() };
    for (switch, role, outcome) in [
        (false, Role::Service, Outcome::ServiceSwitchOff),
        (true, Role::Floorperson, Outcome::NotAuthorised),
        (true, Role::Service, Outcome::Accepted),
    ] {
        table.device.switch = switch;
        let now = table.now;
        table.bank.ask(node(READER), role, &request, now, Millis::from_secs(2)).expect("room");
        table.run_for(1_000);
        assert_eq!(table.count(&Received::Answered(outcome)), 1);
    }
    // The old dealer's key is worth nothing now.
    ask(&mut table, Role::Dealer, 1);
    table.run_for(3_000);
    assert_eq!(table.device.armed, []);
    assert!(table.reader.guard().refusals().of(Refusal::BadMac) > 0);

    let now = table.now;
    let counts = RefusalsRequest::default();
    table.bank.ask(node(READER), Role::Service, &counts, now, Millis::from_secs(2)).expect("room");
    table.run_for(1_000);
    assert_eq!(table.count(&Received::Answered(Outcome::Accepted)), 2);
    let spoken = table.recording.iter().filter(|flight| flight.header.source == Some(node(READER)));
    for flight in spoken {
        for trace in [&secret[..8], b"croupier SIMULATION"] {
            assert!(!flight.payload.windows(trace.len()).any(|seen| seen == trace), "{flight:?}");
        }
    }
    for shown in [format!("{:?}", table.reader), format!("{:?}", table.bank)] {
        assert!(!shown.contains("known to nobody") && !shown.contains("SIMULATION"));
        let numbers = format!("{:?}", &secret[..6]);
        assert!(!shown.contains(numbers.trim_matches(['[', ']'])));
    }
}
