//! The store beside sequential-storage's map, on the same work: why we keep our own.
//!
//! `cargo run --profile host --example store_compare`
//!
//! The map cannot hold a value longer than a page, so the taught brand is 1,900 bytes here.
//! Two devices: one at work (a brand and small values), and one full of long values. Each
//! makes 10,000 sequence reservations and changes another small value every 50.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use croupier::store::{BYTES, Counts, Key, NorModel, Refused, Store};
use embedded_storage::nor_flash as blocking;
use embedded_storage_async::nor_flash::{ErrorType, NorFlash, ReadNorFlash};
use sequential_storage::cache::key_pointers::ArrayKeyPointers;
use sequential_storage::cache::page_pointers::ArrayPagePointers;
use sequential_storage::cache::page_states::ArrayPageStates;
use sequential_storage::cache::{Cache, CacheImpl};
use sequential_storage::map::{MapConfig, MapStorage};

const PAGE: usize = 2048;
const PAGES: usize = BYTES / PAGE;
const RESERVATIONS: u64 = 10_000;
const SMALL: [(Key, usize); 6] = [
    (Key::Profile, 32),
    (Key::BatchClocks, 32),
    (Key::ShufflerRecord, 48),
    (Key::PaiGowRecord, 16),
    (Key::ReaderRecord, 16),
    (Key::Brand, 1900),
];
const LONG: [(Key, usize); 6] = [
    (Key::Profile, 1900),
    (Key::BatchClocks, 1900),
    (Key::ShufflerRecord, 1900),
    (Key::PaiGowRecord, 16),
    (Key::ReaderRecord, 1900),
    (Key::Brand, 1900),
];

/// The model behind the async traits: never waits, so one poll finishes anything.
#[derive(Clone)]
struct Flash(NorModel<PAGE, PAGES>);

impl ErrorType for Flash {
    type Error = Refused;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 1;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Refused> {
        blocking::ReadNorFlash::read(&mut self.0, offset, bytes)
    }

    fn capacity(&self) -> usize {
        BYTES
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = 8;
    const ERASE_SIZE: usize = PAGE;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), Refused> {
        blocking::NorFlash::erase(&mut self.0, from, to)
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Refused> {
        blocking::NorFlash::write(&mut self.0, offset, bytes)
    }
}

fn poll_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("the model never waits"),
    }
}

/// What the table compares.
trait Peer {
    fn put(&mut self, key: Key, value: &[u8]);
    /// Starts again with nothing in RAM and reads every value.
    fn restart(&mut self);
    fn counts(&mut self) -> Counts;
}

struct Ours(Option<Store<NorModel<PAGE, PAGES>>>);

impl Ours {
    fn store(&mut self) -> &mut Store<NorModel<PAGE, PAGES>> {
        self.0.as_mut().expect("only empty while it restarts")
    }
}

impl Peer for Ours {
    fn put(&mut self, key: Key, value: &[u8]) {
        self.store().put_bytes(key, value).expect("stored");
    }

    fn restart(&mut self) {
        let store = self.0.take().expect("only empty while it restarts");
        self.0 = Some(Store::open(store.release()).expect("opens"));
        let mut room = [0; PAGE];
        for key in SMALL.map(|(key, _)| key).into_iter().chain([Key::Sequence]) {
            self.store().get_bytes(key, &mut room).expect("readable").expect("there");
        }
    }

    fn counts(&mut self) -> Counts {
        self.store().flash().counts()
    }
}

struct Map<C: CacheImpl<u8>, N: Fn() -> C> {
    map: Option<MapStorage<u8, Flash, C>>,
    new_cache: N,
}

impl<C: CacheImpl<u8>, N: Fn() -> C> Map<C, N> {
    fn new(new_cache: N) -> Self {
        let map = Self::start(Flash(NorModel::new(1)), new_cache());
        Self { map: Some(map), new_cache }
    }

    fn start(flash: Flash, cache: C) -> MapStorage<u8, Flash, C> {
        MapStorage::new(flash, MapConfig::new(0..BYTES as u32), cache)
    }

    fn map(&mut self) -> &mut MapStorage<u8, Flash, C> {
        self.map.as_mut().expect("only empty while it restarts")
    }
}

impl<C: CacheImpl<u8>, N: Fn() -> C> Peer for Map<C, N> {
    fn put(&mut self, key: Key, value: &[u8]) {
        let mut room = [0; PAGE];
        poll_once(self.map().store_item(&mut room, &key.code(), &value)).expect("stored");
    }

    fn restart(&mut self) {
        let (flash, _) = self.map.take().expect("only empty while it restarts").destroy();
        self.map = Some(Self::start(flash, (self.new_cache)()));
        let mut room = [0; PAGE];
        for key in SMALL.map(|(key, _)| key).into_iter().chain([Key::Sequence]) {
            let value = poll_once(self.map().fetch_item::<&[u8]>(&mut room, &key.code()));
            value.expect("readable").expect("there");
        }
    }

    fn counts(&mut self) -> Counts {
        self.map().flash().0.counts()
    }
}

fn since(now: Counts, then: Counts) -> Counts {
    Counts {
        bytes_read: now.bytes_read - then.bytes_read,
        words: now.words - then.words,
        erases: now.erases - then.erases,
        looks: now.looks - then.looks,
    }
}

fn work(name: &str, peer: &mut dyn Peer, values: &[(Key, usize)]) {
    for &(key, length) in values {
        peer.put(key, &vec![key.code(); length]);
    }
    let start = peer.counts();
    let mut worst = Counts::default();
    let mut put = |peer: &mut dyn Peer, key, value: &[u8]| {
        let before = peer.counts();
        peer.put(key, value);
        let one = since(peer.counts(), before);
        worst.bytes_read = worst.bytes_read.max(one.bytes_read);
        worst.words = worst.words.max(one.words);
        worst.erases = worst.erases.max(one.erases);
    };
    for number in 0..RESERVATIONS {
        put(peer, Key::Sequence, &number.to_le_bytes());
        if number % 50 == 0 {
            put(peer, Key::PaiGowRecord, &[number as u8; 16]);
        }
    }
    let all = since(peer.counts(), start);
    let before = peer.counts();
    peer.restart();
    let restart = since(peer.counts(), before).bytes_read;
    println!(
        "{name:<38} {:>9} {:>13} {:>7} | {:>6} {:>9} {:>6} | {restart:>9}",
        all.words, all.bytes_read, all.erases, worst.words, worst.bytes_read, worst.erases
    );
}

fn main() {
    let cache = || {
        Cache::new(
            ArrayPageStates::<PAGES>::new(),
            ArrayPagePointers::<PAGES>::new(),
            ArrayKeyPointers::<u8, 8>::new(),
        )
    };
    println!("{:<38} {:^31} | {:^23} | restart", "", "10,000 reservations", "worst change");
    println!(
        "{:<38} {:>9} {:>13} {:>7} | {:>6} {:>9} {:>6} | {:>9}",
        "", "words", "bytes read", "erases", "words", "read", "erases", "read"
    );
    for (device, values) in [("at work", &SMALL), ("full", &LONG)] {
        let mut ours = Ours(Store::open(NorModel::new(1)).ok());
        work(&format!("{device}: croupier"), &mut ours, values);
        work(&format!("{device}: sequential-storage, cached"), &mut Map::new(cache), values);
        let mut uncached = Map::new(Cache::<_, _, _, u8>::new_uncached);
        work(&format!("{device}: sequential-storage, no cache"), &mut uncached, values);
    }
}
