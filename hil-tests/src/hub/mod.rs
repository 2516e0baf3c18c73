//! The table bus on the bench: a CAN hub that joins guests, clients and tests.
//!
//! Each guest's CAN link is a socket with slcan text. The hub joins them with
//! outside clients (slcan over TCP) and [ports](Port) in this process to one bus
//! that behaves like CAN where it matters: the lowest id goes first, one frame at
//! a time, each for as long as 500 kbit/s takes, acknowledged once it is on the bus.
//! What goes wrong on a real bus can be made to go wrong here, at any moment.

mod bridge;
mod bus;
mod delivery;
mod faults;
pub mod frame;
mod line;
mod port;
mod recording;
mod seat;
mod session;
mod switchboard;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

pub use croupier::protocol::framing::can::Frame;
use rustix::event::{EventfdFlags, eventfd};
use rustix::net::sockopt::set_socket_send_buffer_size;

pub use self::bridge::Bridge;
use self::bus::{BIT, Bus};
pub use self::faults::{Disturbance, HOLD, Way};
use self::line::Line;
pub use self::port::Port;
pub use self::recording::{Fate, Frames, Load, Recording, Sent};
use self::switchboard::{FOR_A_DEVICE, Newcomer, Shared};
use crate::error::{BenchError, Result};
use crate::link::Link;

/// How fast the bus is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// 500 kbit/s, as at a table.
    #[default]
    Real,
    /// As fast as all participants read, so none may stop reading; loads are still those of the
    /// real bus.
    Free,
}

/// A bus; dropping it ends its thread and closes its sockets.
pub struct Hub {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Hub {
    /// A bus as at a table, with the usual dice.
    pub fn open() -> Result<Self> {
        Self::open_with(Pace::Real, 0)
    }

    /// A bus of this pace, whose faults follow from `seed`.
    pub fn open_with(pace: Pace, seed: u64) -> Result<Self> {
        let doing = || BenchError::io("opening the table bus");
        let bit = match pace {
            Pace::Real => BIT,
            Pace::Free => Duration::ZERO,
        };
        let flags = EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC;
        let bell = eventfd(0, flags).map_err(|e| doing()(e.into()))?;
        let shared = Arc::new(Shared::new(Bus::new(bit, seed), bell));
        let serving = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("table bus".into());
        let thread = thread.spawn(move || switchboard::run(&serving)).map_err(doing())?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Puts a device on the bus by its CAN link. After a power cut, attach its new link.
    pub fn attach(&self, device: &str, link: Link) -> Result<()> {
        let stream = link.into_stream()?;
        // What waits in the system is out of our hands. A serial port has nothing to shorten.
        let _ = set_socket_send_buffer_size(&stream, 4096);
        let line = Line::new(stream, FOR_A_DEVICE);
        let line = line.map_err(BenchError::io(format!("attaching {device}")))?;
        self.note(format!("{device} joins"));
        self.shared.change(|core, _| core.attach(device, line));
        Ok(())
    }

    /// Opens a TCP port where slcan clients come in, as many as like.
    ///
    /// python-can: `Bus(interface="slcan", channel="socket://127.0.0.1:<port>", bitrate=500000)`.
    pub fn listen(&self) -> Result<SocketAddr> {
        let (listener, address) = listener()?;
        self.shared.change(|core, _| core.newcomers.push(Newcomer::Listener(listener)));
        Ok(address)
    }

    /// Takes part from within this process.
    pub fn join(&self, name: &str) -> Port {
        let (place, inbox) = self.shared.change(|core, _| core.join(name));
        Port::new(Arc::clone(&self.shared), place, inbox)
    }

    /// What comes on the bus from now on.
    pub fn frames(&self) -> Frames {
        self.shared.recording.follow()
    }

    /// Everything that was on the bus.
    pub fn recording(&self) -> &Arc<Recording> {
        &self.shared.recording
    }

    /// The time since the bus opened, as in [`Sent::at`].
    pub fn now(&self) -> Duration {
        self.shared.now()
    }

    /// How busy the bus was in the `last` part of its life.
    pub fn load(&self, last: Duration) -> Load {
        let now = self.now();
        self.recording().load(now.saturating_sub(last), now)
    }

    /// Lets `window` pass, and says how busy the bus was meanwhile.
    pub fn observe(&self, window: Duration) -> Load {
        let begun = self.now();
        self.recording().pass(window);
        self.recording().load(begun, self.now())
    }

    /// From now on this goes wrong, this way.
    pub fn disturb(&self, way: Way, odds: Disturbance) {
        self.note(format!("{way:?}: {odds:?}"));
        self.shared.change(|core, _| core.bus.faults.disturb(way, odds));
    }

    /// Nothing passes this way for a while; it waits in its senders, without acknowledge.
    pub fn silence(&self, way: Way, during: Duration) {
        self.note(format!("{way:?}: silent for {} ms", during.as_millis()));
        self.shared.change(|core, now| core.bus.faults.silence(way, now + during));
    }

    /// Takes a participant off the bus: it neither sends nor receives until it recovers.
    pub fn bus_off(&self, name: &str) {
        self.note(format!("{name} is bus-off"));
        self.cut_off(name, Duration::MAX);
    }

    /// Ends its bus-off; what it wanted to send goes now.
    pub fn recover(&self, name: &str) {
        self.note(format!("{name} has recovered"));
        self.cut_off(name, Duration::ZERO);
    }

    fn cut_off(&self, name: &str, until: Duration) {
        self.shared.change(|core, _| {
            core.bus.faults.silence(Way::from(name), until);
            core.bus.faults.silence(Way::to(name), until);
        });
    }

    /// A node that sends `frame` without end, taking `load` of the bus: 1.0 is all it can get.
    pub fn babble(&self, name: &str, frame: Frame, load: f64) {
        self.note(format!("{name} begins to babble at a load of {load}"));
        self.shared.change(|core, now| core.bus.babble(name, frame, load, now));
    }

    /// It stops sending and is gone.
    pub fn hush(&self, name: &str) {
        self.note(format!("{name} is hushed"));
        self.shared.change(|core, _| {
            if let Some(place) = core.bus.place(name) {
                core.bus.leave(place, true);
            }
        });
    }

    /// No fault, no silence, no participant bus-off any more.
    pub fn calm(&self) {
        self.note("no faults any more");
        self.shared.change(|core, _| core.bus.faults.calm());
    }

    /// Writes a line into the transcript.
    pub fn note(&self, words: impl Into<String>) {
        self.recording().note(self.now(), words);
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.shared.change(|core, _| core.stop = true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // its sockets are closed with it
        }
        let wanted = std::env::var_os("CROUPIER_KEEP").is_some() || self.recording().is_kept();
        if wanted || std::thread::panicking() {
            match self.recording().keep() {
                Ok(path) => eprintln!("table bus: the transcript is kept in {}", path.display()),
                Err(error) => eprintln!("table bus: the transcript cannot be kept: {error}"),
            }
        }
    }
}

/// A TCP port of this machine only, chosen by the system.
fn listener() -> Result<(TcpListener, SocketAddr)> {
    let opened = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| {
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    });
    opened.map_err(BenchError::io("opening a port for clients"))
}
