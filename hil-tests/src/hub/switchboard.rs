//! The hub's one thread: sockets on one side, the bus on the other.

use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use croupier::protocol::framing::can::Frame;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::bus::{Bus, Happening};
use super::line::Line;
use super::port::Inbox;
use super::recording::Recording;
use super::seat::{Kind, Place, Taken};
use super::session::Session;
use crate::wait::Watched;

/// What may wait for a device: some seconds of a usual bus, so that a stalled host loses nothing,
/// and a quarter of a second of a full one, so that a guest has soon received what is past.
pub(super) const FOR_A_DEVICE: usize = 24 * 1024;
/// What may wait for a client, whose scheduler is not ours.
const FOR_A_CLIENT: usize = 1024 * 1024;

/// Until something comes.
const FOREVER: Duration = Duration::from_secs(3600);

/// What the hub's users and its thread share.
pub(super) struct Shared {
    core: Mutex<Core>,
    bell: OwnedFd,
    opened: Instant,
    /// What was on the bus.
    pub recording: Arc<Recording>,
}

/// Who takes part in this process, and where.
type Inboxes = Vec<(Place, Arc<Watched<Inbox>>)>;

/// The bus, and what is on its way to the thread.
pub(super) struct Core {
    pub bus: Bus,
    pub newcomers: Vec<Newcomer>,
    pub stop: bool,
    inboxes: Inboxes,
}

/// Something for the thread to serve.
pub(super) enum Newcomer {
    /// A device's line, for the place it has taken.
    Device(Place, Line),
    /// Where clients come in.
    Listener(TcpListener),
}

impl Core {
    /// A participant in this process.
    pub(super) fn join(&mut self, name: &str) -> (Place, Arc<Watched<Inbox>>) {
        let inbox = Arc::default();
        let place = self.bus.join(name, Kind::Plain);
        self.inboxes.push((place, Arc::clone(&inbox)));
        (place, inbox)
    }

    /// A device on `line`; one of the same name has been cut off and is gone.
    pub(super) fn attach(&mut self, name: &str, line: Line) {
        if let Some(place) = self.bus.place(name) {
            self.bus.leave(place, true);
        }
        let place = self.bus.join(name, Kind::Repeating);
        self.newcomers.push(Newcomer::Device(place, line));
    }

    /// A participant in this process leaves.
    pub(super) fn depart(&mut self, place: Place) {
        self.inboxes.retain(|(at, _)| *at != place);
        self.bus.leave(place, false);
    }
}

impl Shared {
    pub(super) fn new(bus: Bus, bell: OwnedFd) -> Self {
        let core = Core { bus, newcomers: Vec::new(), stop: false, inboxes: Vec::new() };
        let recording = Arc::default();
        Self { core: Mutex::new(core), bell, opened: Instant::now(), recording }
    }

    /// The time since the hub opened.
    pub(super) fn now(&self) -> Duration {
        self.opened.elapsed()
    }

    /// Changes the bus, and has the thread look at once.
    pub(super) fn change<R>(&self, change: impl FnOnce(&mut Core, Duration) -> R) -> R {
        let result = self.with(change);
        // Fails only when 2^64 rings are unheard, and then the thread will look anyway.
        let _ = rustix::io::write(&self.bell, &1u64.to_ne_bytes());
        result
    }

    // The time is taken under the lock, so that it never runs backwards on the bus.
    fn with<R>(&self, change: impl FnOnce(&mut Core, Duration) -> R) -> R {
        let mut core = self.core.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.now();
        change(&mut core, now)
    }

    fn hush_bell(&self) {
        let _ = rustix::io::read(&self.bell, &mut [0; 8]); // nothing to read is as good
    }
}

/// A participant behind a socket.
struct Participant {
    place: Place,
    name: Arc<str>,
    line: Line,
    session: Session,
    device: bool,
    missed: u64,
}

impl Participant {
    fn deliver(&mut self, frame: &Frame, now: Duration, recording: &Recording) {
        let Some(text) = self.session.text_of(frame) else { return };
        let room = self.line.say(text.as_bytes());
        match (room, self.missed) {
            (true, 0) => {}
            (true, missed) => {
                recording.note(now, format!("{} missed {missed} frames", self.name));
                self.missed = 0;
            }
            (false, 0) => {
                recording.note(now, format!("{} reads too slowly", self.name));
                self.missed = 1;
            }
            (false, _) => self.missed += 1,
        }
    }
}

/// Everything the thread serves.
#[derive(Default)]
struct Switchboard {
    participants: Vec<Participant>,
    listeners: Vec<TcpListener>,
    clients: usize,
    patient: bool,
}

/// Serves until told to stop.
pub(super) fn run(shared: &Shared) {
    let patient = shared.with(|core, _| core.bus.waits_for_readers());
    let mut board = Switchboard { patient, ..Switchboard::default() };
    while let Some(wake) = shared.with(|core, now| board.turn(core, now, &shared.recording)) {
        board.participants.iter_mut().for_each(|participant| participant.line.flush());
        // A crowded line wakes the thread itself, once it has room.
        board.wait(shared, if board.is_crowded() { FOREVER } else { wake });
        shared.hush_bell();
        board.accept(shared);
        shared.with(|core, now| board.listen(core, now, &shared.recording));
    }
}

impl Switchboard {
    /// Lets the bus move; the time until it moves again, or nothing when it is over.
    fn turn(&mut self, core: &mut Core, now: Duration, recording: &Recording) -> Option<Duration> {
        self.take_in(core);
        let Core { bus, inboxes, .. } = core;
        while !self.is_crowded()
            && bus.step(now, &mut |happening| self.pass_on(happening, inboxes, now, recording))
        {
        }
        let wake = bus.deadline().map_or(FOREVER, |due| due.saturating_sub(now));
        (!core.stop).then_some(wake)
    }

    fn pass_on(
        &mut self,
        happening: Happening,
        inboxes: &Inboxes,
        now: Duration,
        record: &Recording,
    ) {
        let inbox = |place| inboxes.iter().find(|(at, _)| *at == place);
        match happening {
            Happening::Recorded(sent) => record.add(sent),
            Happening::Acknowledged(place, frame) => {
                if let Some(participant) = self.at(place) {
                    participant.line.answer(Session::acknowledge(frame));
                } else if let Some((_, inbox)) = inbox(place) {
                    inbox.change(Inbox::acknowledge);
                }
            }
            Happening::Delivered(place, frame) => {
                if let Some(participant) = self.at(place) {
                    participant.deliver(&frame, now, record);
                } else if let Some((_, inbox)) = inbox(place) {
                    inbox.change(|inbox| inbox.deliver(frame));
                }
            }
        }
    }

    /// Whether the bus must wait for a slow reader.
    fn is_crowded(&self) -> bool {
        self.patient && self.participants.iter().any(|participant| participant.line.is_crowded())
    }

    fn at(&mut self, place: Place) -> Option<&mut Participant> {
        self.participants.iter_mut().find(|participant| participant.place == place)
    }

    /// Serves those who have come. Always first: a place may have changed hands.
    fn take_in(&mut self, core: &mut Core) {
        for newcomer in std::mem::take(&mut core.newcomers) {
            match newcomer {
                Newcomer::Listener(listener) => self.listeners.push(listener),
                Newcomer::Device(place, line) => {
                    let name = Arc::clone(core.bus.name(place));
                    self.participants.retain(|gone| gone.name != name);
                    let session = Session::device();
                    let device =
                        Participant { place, name, line, session, device: true, missed: 0 };
                    self.participants.push(device);
                }
            }
        }
    }

    fn wait(&self, shared: &Shared, wake: Duration) {
        let bell = PollFd::new(&shared.bell, PollFlags::IN);
        let listeners = self.listeners.iter().map(|one| PollFd::new(one, PollFlags::IN));
        let lines = self.participants.iter().map(|participant| participant.line.interest());
        let mut all: Vec<PollFd<'_>> = [bell].into_iter().chain(listeners).chain(lines).collect();
        let timeout = Timespec::try_from(wake).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 });
        let _ = poll(&mut all, Some(&timeout)); // an interrupted wait is a short one
    }

    fn accept(&mut self, shared: &Shared) {
        for index in 0..self.listeners.len() {
            while let Ok((stream, from)) = self.listeners[index].accept() {
                let _ = stream.set_nodelay(true); // slower without, but right
                let Ok(line) = Line::new(stream.into(), FOR_A_CLIENT) else { continue };
                self.clients += 1;
                let name = format!("client-{}", self.clients);
                shared.recording.note(shared.now(), format!("{name} joined from {from}"));
                let place = shared.with(|core, _| core.bus.join(&name, Kind::Plain));
                let (name, session) = (name.into(), Session::client());
                let client = Participant { place, name, line, session, device: false, missed: 0 };
                self.participants.push(client);
            }
        }
    }

    /// Takes what the lines have said, and lets those go that have ended.
    fn listen(&mut self, core: &mut Core, now: Duration, recording: &Recording) {
        self.take_in(core);
        let mut buffer = [0; 4096];
        let mut answer = Vec::new();
        for participant in &mut self.participants {
            for &character in participant.line.read(&mut buffer) {
                let Some(frame) = participant.session.receive(character, &mut answer) else {
                    continue;
                };
                if core.bus.offer(participant.place, frame, now) == Taken::Refused {
                    answer.extend(Session::refuse());
                }
            }
            participant.line.answer(&answer);
            answer.clear();
        }
        for gone in self.participants.extract_if(.., |one| one.line.is_ended()) {
            core.bus.leave(gone.place, gone.device);
            recording.note(now, format!("{} left", gone.name));
        }
    }
}
