//! The bridge against a monitor made of nothing but a FIFO's end and a memory.

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, channel};

use super::super::inbox::tests::Guest;
use super::*;
use crate::wait::Waited;

const LONG: Duration = Duration::from_secs(10);

struct Fake {
    bridge: Bridge,
    monitor: File,
    guest: Arc<Guest>,
    log: Arc<Log>,
    said: Receiver<Said>,
    _folder: tempfile::TempDir,
}

impl Fake {
    fn open(in_step: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let fifo = fifo(folder.path()).unwrap();
        // As QEMU opens it: for writing, which would wait without a reader.
        let monitor = File::options().write(true).open(folder.path().join(OUT)).unwrap();
        let (guest, log) = (Arc::new(Guest::at(0)), Arc::new(Log::default()));
        let (listener, said) = channel();
        let listener = Mutex::new(listener);
        let listener = Box::new(move |what| drop(lock(&listener).send(what)));
        let memory = Arc::clone(&guest) as Arc<dyn Memory + Send + Sync>;
        let bridge = Bridge::new(fifo, memory, Arc::clone(&log), in_step, listener).unwrap();
        Self { bridge, monitor, guest, log, said, _folder: folder }
    }

    fn begun(in_step: bool) -> Self {
        let mut fake = Self::open(in_step);
        fake.writes(0, b"start");
        assert_eq!(fake.said.recv_timeout(LONG), Ok(Said::Start));
        fake.bridge.begin().unwrap();
        assert_eq!(fake.guest.take(), b"\x00\x05begin");
        fake
    }

    fn writes(&mut self, stream: u8, bytes: &[u8]) {
        let length = u16::try_from(bytes.len()).unwrap().to_le_bytes();
        self.monitor.write_all(&[&[stream], &length[..], bytes].concat()).unwrap();
    }

    fn link(&self, stream: Stream) -> UnixStream {
        let link = self.bridge.link(stream).unwrap();
        link.set_read_timeout(Some(LONG)).unwrap();
        link
    }

    /// What the inbox holds, once it holds this number of bytes.
    fn inbox(&self, count: usize) -> Vec<u8> {
        let (mut got, deadline) = (Vec::new(), Instant::now() + LONG);
        while got.len() < count && Instant::now() < deadline {
            got.extend(self.guest.take());
            std::thread::yield_now();
        }
        got
    }
}

fn read<const N: usize>(link: &mut UnixStream) -> [u8; N] {
    let mut bytes = [0; N];
    link.read_exact(&mut bytes).unwrap();
    bytes
}

#[test]
fn each_stream_goes_to_its_own_link_and_back() {
    let mut fake = Fake::begun(false);
    let (mut table, mut motion) = (fake.link(Stream::Link), fake.link(Stream::Motion));
    fake.writes(4, b"wheel");
    fake.writes(1, b"hello");
    assert_eq!((&read::<5>(&mut table), &read::<5>(&mut motion)), (b"hello", b"wheel"));
    table.write_all(b"ace").unwrap();
    assert_eq!(fake.inbox(5), b"\x01\x03ace");
    motion.write_all(b"turn").unwrap();
    assert_eq!(fake.inbox(6), b"\x04\x04turn");
}

#[test]
fn what_nobody_listens_to_is_lost_and_a_link_can_be_had_again() {
    let mut fake = Fake::begun(false);
    fake.writes(2, b"lost\r");
    fake.writes(0, b"seen");
    assert!(matches!(fake.log.next("monitor: seen", LONG), Waited::Came(_)));
    let mut first = fake.link(Stream::Bus);
    fake.writes(2, b"t1\r");
    assert_eq!(&read::<3>(&mut first), b"t1\r");
    let mut second = fake.link(Stream::Bus);
    assert_eq!(first.read(&mut [0; 8]).unwrap(), 0, "the first is cut off");
    drop(first);
    fake.writes(2, b"t2\r");
    assert_eq!(&read::<3>(&mut second), b"t2\r");
    drop(second);
    let mut third = fake.link(Stream::Bus);
    third.write_all(b"Z\r").unwrap();
    assert_eq!(fake.inbox(4), b"\x02\x02Z\r");
}

#[test]
fn a_user_who_writes_more_than_the_ring_holds_loses_nothing() {
    let fake = Fake::begun(false);
    let mut table = fake.link(Stream::Link);
    let sent: Vec<u8> = (0..40_000_u32).map(|n| (n % 251) as u8).collect();
    let all = sent.clone();
    let writer = std::thread::spawn(move || table.write_all(&all).map(|()| table));
    let (mut got, deadline) = (Vec::new(), Instant::now() + LONG);
    while got.len() < sent.len() && Instant::now() < deadline {
        let mut taken = fake.guest.take().into_iter();
        while let Some(stream) = taken.next() {
            let length = usize::from(taken.next().unwrap());
            assert_eq!(stream, 1);
            got.extend(taken.by_ref().take(length));
        }
    }
    drop(writer.join().unwrap().unwrap());
    assert!(got == sent);
}

#[test]
fn in_step_bytes_change_hands_only_at_the_ends_of_steps() {
    let mut fake = Fake::begun(true);
    let mut motion = fake.link(Stream::Motion);
    fake.writes(4, b"ask");
    fake.writes(0, b"noted");
    assert!(matches!(fake.log.next("monitor: noted", LONG), Waited::Came(_)), "all has come");
    motion.set_nonblocking(true).unwrap();
    assert!(motion.read(&mut [0; 8]).is_err(), "and is held until the step has ended");
    motion.set_nonblocking(false).unwrap();
    fake.bridge.step_ended();
    assert_eq!(&read::<3>(&mut motion), b"ask");

    motion.write_all(b"0123456789abcdefgh").unwrap();
    fake.bridge.say("chain 0x5001").unwrap();
    assert_eq!(fake.guest.take(), b"", "not before the world lets it go on");
    fake.bridge.go_on().unwrap();
    assert_eq!(fake.guest.take(), b"\x00\x0cchain 0x5001\x04\x0c0123456789ab\x00\x02go");
    fake.bridge.go_on().unwrap();
    assert_eq!(fake.guest.take(), b"\x04\x06cdefgh\x00\x02go", "as much as the line carries");
    assert_eq!(fake.guest.rings(), 0);
    fake.bridge.go_on().unwrap();
    assert_eq!(fake.guest.take(), b"", "with nothing to say, a ring is enough");
    assert_eq!(fake.guest.rings(), 1);
}

#[test]
fn after_a_reset_the_inbox_restarts_and_is_notified_before_the_image_starts() {
    let mut fake = Fake::open(true);
    fake.bridge.say("sense PC5 low").unwrap();
    assert_eq!(fake.guest.take(), b"", "no one would receive it");
    for _ in 0..2 {
        fake.writes(0, b"start");
        assert_eq!(fake.said.recv_timeout(LONG), Ok(Said::Start));
        fake.bridge.say("sense PC5 low").unwrap();
        fake.bridge.begin().unwrap();
        assert_eq!(fake.guest.take(), b"\x00\x0dsense PC5 low\x00\x05begin");
        fake.bridge.say("of the run before").unwrap();
    }
}

#[test]
fn a_breach_and_a_bite_are_reported_and_noted() {
    let mut fake = Fake::begun(false);
    fake.writes(0, b"the watchdog bites");
    fake.writes(0, b"breach: FLASH_ACR 0x0: 80 MHz needs 4 wait states, pc 0x08000123");
    assert_eq!(fake.said.recv_timeout(LONG), Ok(Said::Watchdog));
    let Ok(Said::Breach(words)) = fake.said.recv_timeout(LONG) else { panic!("no breach") };
    assert!(words.starts_with("FLASH_ACR") && words.ends_with("0x08000123"), "{words}");
    assert!(matches!(fake.log.next("monitor: breach: FLASH_ACR", LONG), Waited::Came(_)));
}

#[test]
fn the_display_is_noted_when_a_row_is_whole() {
    let mut fake = Fake::begun(false);
    let mut text = Vec::new();
    let mut screen = croupier::shuffler::screen::Screen::new(&mut text);
    embassy_futures::block_on(screen.show(["READY", "insert cards"])).unwrap();
    for byte in &text {
        fake.writes(3, &[*byte]);
    }
    let Waited::Came(line) = fake.log.next("display: READY | insert cards", LONG) else {
        panic!("{:?}", fake.log.last(9))
    };
    assert_eq!(line.message, "display: READY | insert cards");
    let shown = fake.log.all().into_iter().filter(|line| line.message.starts_with("display: "));
    assert_eq!(shown.count(), 2, "the first line alone, then both");
}

#[test]
fn dropping_the_bridge_hands_over_what_had_come_and_closes_the_links() {
    let mut fake = Fake::begun(true);
    let mut table = fake.link(Stream::Link);
    fake.writes(1, b"last");
    let Fake { bridge, .. } = fake;
    drop(bridge);
    let mut all = Vec::new();
    table.read_to_end(&mut all).unwrap();
    assert_eq!(all, b"last");
}
