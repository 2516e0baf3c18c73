//! The services' loop: image, switch, and the store's chores.

use croupier::context::ContextPort;
use croupier::context::ports::ServicesNote;
use croupier::hash::Message;
use croupier::identity::{DeviceKind, ImageHash};
use croupier::protocol::generated::croupier::common::{
    AttestationRequest, ClockSetRequest, Game, KeyHolder, ProfileChanged, ProvisionKeyRequest,
    Result as Outcome, Role, Setting, SettingChanged,
};
use croupier::services::{Chosen, KeptTime, ProfileStore, StoreHandle};
use croupier::time::Millis;
use embassy_futures::block_on;

use super::bank::Link;
use super::puppet::{Puppet, Table, free_bet};
use super::world::{Flash, Running};

fn sha256(parts: [&[u8]; 2]) -> [u8; 32] {
    let mut message = Message::new();
    parts.into_iter().for_each(|part| message.take(part));
    message.end().bytes()
}

/// CM-02: measured after the start, a slice in each turn.
#[test]
fn the_image_is_measured_in_slices_of_a_turn_each() {
    let image: Vec<u8> = (0..40_000_u32).map(|at| at as u8).collect();
    let mut table = Table::with(&image, |_| ());
    let before = table.running.world.0.turns.get();
    table.run_for(1);
    assert!(table.running.world.0.notes.borrow().is_empty(), "not in one go");
    table.run_for(100);
    let hash = ImageHash(sha256([&[], &image]));
    assert_eq!(*table.running.world.0.notes.borrow(), [ServicesNote::ImageMeasured(hash)]);
    let slices = image.len().div_ceil(512) as u32;
    assert!(table.running.world.0.turns.get() - before >= slices);
}

/// CM-03: over a number the asker chose; until it is done the answer is "busy".
#[test]
fn the_image_is_proved_over_the_askers_nonce() {
    let mut table = Table::settled();
    let asked = AttestationRequest { nonce: [0xA7; 32], ..AttestationRequest::default() };
    assert_eq!(table.ask(Link::Can, Role::Service, &asked).0, Outcome::Busy);
    table.run_for(200);
    let (outcome, proof, _) = table.ask(Link::Can, Role::Service, &asked);
    assert_eq!(outcome, Outcome::Accepted);
    assert_eq!((proof.image_length, proof.digest), (700, sha256([&[0xA7; 32], &[0x5A; 700]])));
}

/// CM-04, CM-08: clock, switch and keys: each change is an event on both links, and a refused one is none.
#[test]
fn cm_08_each_change_of_a_setting_is_an_event() {
    for link in [Link::Serial, Link::Can] {
        each_change_is_told(link);
    }
}

fn each_change_is_told(link: Link) {
    let mut table = Table::settled();
    let noon = ClockSetRequest { utc_ms: 1_790_000_000_000, ..ClockSetRequest::default() };
    let late = ClockSetRequest { utc_ms: noon.utc_ms + 100_000_000, ..noon };
    let never = ClockSetRequest { utc_ms: 5, ..noon };
    let key = ProvisionKeyRequest { holder: KeyHolder::Dealer, key: [7; 32], ..Default::default() };
    let mut told = Vec::new();
    let mut tell =
        |setting, by, of: Role, seconds| told.push((setting, by, KeyHolder::from(of), seconds));
    for (role, asked) in [(Role::Service, &noon), (Role::Floorperson, &late)] {
        assert_eq!(table.ask(link, role, asked).0, Outcome::Accepted);
    }
    tell(Setting::Clock, Role::Service, Role::Device, 0);
    tell(Setting::Clock, Role::Floorperson, Role::Device, 0x7FFF);
    assert_eq!(table.ask(link, Role::Service, &never).0, Outcome::OutOfRange);
    assert_eq!(table.ask(link, Role::Dealer, &noon).0, Outcome::NotAuthorised);
    assert_eq!(table.ask(link, Role::Service, &noon).0, Outcome::Accepted);
    tell(Setting::Clock, Role::Service, Role::Device, -0x7FFF);
    assert_eq!(table.ask(link, Role::Service, &key).0, Outcome::ServiceSwitchOff);
    table.running.world.0.switch.set(true);
    table.run_for(200);
    tell(Setting::SwitchClosed, Role::Device, Role::Device, 0);
    assert_eq!(table.ask(link, Role::Service, &key).0, Outcome::Accepted);
    tell(Setting::Key, Role::Service, Role::Dealer, 0);
    table.running.world.0.switch.set(false);
    table.run_for(200);
    tell(Setting::SwitchOpened, Role::Device, Role::Device, 0);
    for bank in [&table.serial, &table.can] {
        let events = bank.events::<SettingChanged>();
        let said: Vec<_> = events.iter().map(|e| (e.setting, e.by, e.of, e.seconds)).collect();
        assert_eq!(said, told);
    }
    // The profile has an event of its own.
    assert_eq!(table.ask(link, Role::Service, &free_bet(6)).0, Outcome::NotAuthorised);
    for seats in [6, 5] {
        assert_eq!(table.ask(link, Role::Floorperson, &free_bet(seats)).0, Outcome::Accepted);
    }
    table.run_for(20);
    for bank in [&table.serial, &table.can] {
        let events = bank.events::<ProfileChanged>();
        let said: Vec<_> = events.iter().map(|e| (e.from_game, e.to_game, e.by)).collect();
        let by = Role::Floorperson;
        assert_eq!(said, [(Game::None, Game::FreeBet, by), (Game::FreeBet, Game::FreeBet, by)]);
    }
}

/// CM-04: a switch that is closed when the power comes on is an event too, once.
#[test]
fn cm_04_a_switch_closed_at_power_on_is_an_event() {
    let mut table = Table::new();
    table.running.world.0.switch.set(true);
    table.run_for(5_000);
    for bank in [&table.serial, &table.can] {
        let events = bank.events::<SettingChanged>();
        let said: Vec<_> = events.iter().map(|event| event.setting).collect();
        assert_eq!(said, [Setting::SwitchClosed]);
    }
}

/// CM-09: the time is in flash once it is set, and about every hour; a start knows it, and takes no
/// earlier one from a controller.
#[test]
fn cm_09_the_time_is_kept_every_hour_and_bounds_the_next_start() {
    const NOON: u64 = 1_790_000_000_000;
    let clock = |utc_ms| ClockSetRequest { utc_ms, ..ClockSetRequest::default() };
    let mut table = Table::settled();
    let kept = |table: &mut Table| {
        block_on(table.running.handle.with(|_, store| store.kept_time().unwrap()))
    };
    table.run_for(300);
    assert_eq!(kept(&mut table), None, "the clock is not set");
    assert_eq!(table.ask(Link::Can, Role::Controller, &clock(NOON)).0, Outcome::Accepted);
    let KeptTime(first) = kept(&mut table).expect("kept with the setting");
    assert_eq!(first, NOON);
    let now = table.now();
    table.running.world.0.now.set(now + Millis::from_secs(3_600));
    table.run_for(300);
    let KeptTime(hour) = kept(&mut table).unwrap();
    assert!((NOON + 3_600_000..NOON + 3_601_000).contains(&hour), "{hour}");
    table.run_for(2_000);
    assert_eq!(kept(&mut table), Some(KeptTime(hour)), "and no sooner");

    let keep = |store: &mut StoreHandle<Flash>| store.keep_time(&KeptTime(NOON)).unwrap();
    for role in [Role::Controller, Role::Floorperson] {
        let mut table = Table::started_with(keep);
        table.run_for(2_500);
        let refused = table.ask(Link::Can, role, &clock(NOON - 1)).0;
        assert_eq!(refused, Outcome::NotAuthorised);
        assert_eq!(table.ask(Link::Can, role, &clock(NOON)).0, Outcome::Accepted);
    }
}

#[test]
fn the_service_switch_is_looked_at_ten_times_a_second() {
    let mut table = Table::settled();
    for closed in [true, false] {
        table.running.world.0.switch.set(closed);
        table.run_for(110);
        let seen = block_on(table.running.handle.with(|puppet, _| puppet.services.service_switch));
        assert_eq!(seen, closed);
    }
}

/// Keeps a game again and again until the store has something to do.
fn fill(store: &mut StoreHandle<Flash>) {
    let mut at_ms = 0;
    while store.chore().is_none() {
        let by = Role::Floorperson;
        let chosen = Chosen::check(DeviceKind::Reader, &free_bet(6), by, at_ms).unwrap();
        store.keep_profile(&chosen).unwrap();
        at_ms += 1; // the same value again is not written
    }
}

fn has_chore(running: &mut Running<Puppet>) -> bool {
    block_on(running.handle.with(|_, store| store.chore().is_some()))
}

#[test]
fn chores_wait_until_the_device_rests() {
    let mut table = Table::settled();
    block_on(table.running.handle.with(|puppet, store| {
        puppet.at_rest = false;
        fill(store);
    }));
    table.run_for(1_000);
    assert!(has_chore(&mut table.running), "the device moves");
    block_on(table.running.handle.with(|puppet, _| puppet.at_rest = true));
    table.run_for(2_000);
    assert!(!has_chore(&mut table.running));
    let notes = table.running.world.0.notes.borrow();
    let failed = |note: &ServicesNote| matches!(note, ServicesNote::ChoreFailed(_));
    assert!(!notes.iter().any(failed), "{notes:?}");
}

/// CM-13: a change that had to wait for room is noted, once.
#[test]
fn cm_13_a_stalled_store_is_noted() {
    let mut table = Table::settled();
    block_on(table.running.handle.with(|puppet, store| {
        puppet.at_rest = false;
        let mut at_ms = 0;
        while store.stalls() == 0 {
            let by = Role::Floorperson;
            let chosen = Chosen::check(DeviceKind::Reader, &free_bet(6), by, at_ms).unwrap();
            store.keep_profile(&chosen).unwrap();
            at_ms += 1; // the same value again is not written
        }
    }));
    table.run_for(1_000);
    let notes = table.running.world.0.notes.borrow();
    let stalled = notes.iter().filter(|note| matches!(note, ServicesNote::StoreStalled(_)));
    assert_eq!(stalled.collect::<Vec<_>>(), [&ServicesNote::StoreStalled(1)]);
}
