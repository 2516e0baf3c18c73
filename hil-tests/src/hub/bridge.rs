//! A device's Cyphal/serial link as a TCP port, with faults of its own.
//!
//! pycyphal attaches by `socket://127.0.0.1:<port>`. Several clients may: the device's
//! frames go to all, and theirs go to the device one whole frame at a time. The port
//! stays when the device's power is cut; attach its new link afterwards.

use std::net::{SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};

use super::faults::{Disturbance, Faults, Way};
use super::line::Line;
use crate::error::{BenchError, Result};
use crate::link::Link;

/// Ends every Cyphal/serial frame.
const DELIMITER: u8 = 0;
/// A frame without end is passed on in pieces of this size.
const LONGEST: usize = 4096;
/// What may wait on each line.
const WAITING: usize = 1024 * 1024;

struct State {
    faults: Faults,
    device: Option<Line>,
    stop: bool,
}

struct Shared {
    state: Mutex<State>,
    bell: OwnedFd,
    name: String,
}

impl Shared {
    // A test that panicked must not stop the others from cleaning up.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        let _ = rustix::io::write(&self.bell, &1u64.to_ne_bytes()); // full: it rings already
    }
}

/// The link on TCP; dropping it ends its thread and closes its sockets.
pub struct Bridge {
    shared: Arc<Shared>,
    address: SocketAddr,
    thread: Option<JoinHandle<()>>,
}

impl Bridge {
    /// Opens the port of the device `name`, whose faults follow from `seed`.
    pub fn open(name: &str, seed: u64) -> Result<Self> {
        let doing = || BenchError::io(format!("opening {name}'s serial port"));
        let (listener, address) = super::listener()?;
        let flags = EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC;
        let bell = eventfd(0, flags).map_err(|e| doing()(e.into()))?;
        let state = State { faults: Faults::new(seed), device: None, stop: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), bell, name: name.into() });
        let serving = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("serial bridge".into());
        let thread = thread.spawn(move || run(&serving, &listener)).map_err(doing())?;
        Ok(Self { shared, address, thread: Some(thread) })
    }

    /// Where clients connect.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Joins the device's link to the port.
    pub fn attach(&self, link: Link) -> Result<()> {
        let line = Line::new(link.into_stream()?, WAITING);
        let line = line.map_err(BenchError::io("attaching a serial link"))?;
        self.shared.change(|state| state.device = Some(line));
        Ok(())
    }

    /// From now on frames are dropped, corrupted or doubled, from or to the device.
    ///
    /// There is no bus here: `error`, `reorder` and `delay` do nothing.
    pub fn disturb(&self, way: Way, odds: Disturbance) {
        self.shared.change(|state| state.faults.disturb(way, odds));
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        self.shared.change(|state| state.stop = true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // its sockets are closed with it
        }
    }
}

/// Bytes in, whole frames out.
#[derive(Default)]
struct Frames(Vec<u8>);

impl Frames {
    fn take(&mut self, byte: u8) -> Option<Vec<u8>> {
        self.0.push(byte);
        (byte == DELIMITER || self.0.len() >= LONGEST).then(|| std::mem::take(&mut self.0))
    }
}

struct Client {
    line: Line,
    frames: Frames,
}

fn run(shared: &Shared, listener: &TcpListener) {
    let mut clients: Vec<Client> = Vec::new();
    let mut from_device = Frames::default();
    loop {
        wait(shared, listener, &clients);
        let _ = rustix::io::read(&shared.bell, &mut [0; 8]); // nothing to read is as good
        let mut state = shared.lock();
        if state.stop {
            return;
        }
        while let Ok((stream, _)) = listener.accept() {
            let _ = stream.set_nodelay(true); // slower without, but right
            if let Ok(line) = Line::new(stream.into(), WAITING) {
                clients.push(Client { line, frames: Frames::default() });
            }
        }
        pass(&mut state, &mut clients, &mut from_device, &shared.name);
        state.device.take_if(|line| line.is_ended());
        clients.retain(|client| !client.line.is_ended());
    }
}

fn wait(shared: &Shared, listener: &TcpListener, clients: &[Client]) {
    // The lock is not held while waiting, so the device's line is watched by another handle.
    let device = shared.lock().device.as_ref().and_then(Line::watch);
    let fixed = [PollFd::new(&shared.bell, PollFlags::IN), PollFd::new(listener, PollFlags::IN)];
    let lines = clients.iter().map(|client| client.line.interest());
    let device = device.as_ref().map(|(stream, flags)| PollFd::new(stream, *flags));
    let mut all: Vec<PollFd<'_>> = fixed.into_iter().chain(lines).chain(device).collect();
    let _ = poll(&mut all, None); // an interrupted wait is a short one
}

fn pass(state: &mut State, clients: &mut [Client], from_device: &mut Frames, name: &str) {
    let State { faults, device, .. } = state;
    let mut buffer = [0; 4096];
    if let Some(device) = device.as_mut() {
        for &byte in device.read(&mut buffer) {
            let Some(frame) = from_device.take(byte) else { continue };
            for copy in befall(faults, &Way::from(name), frame) {
                for client in clients.iter_mut() {
                    client.line.say(&copy);
                }
            }
        }
    }
    for client in clients.iter_mut() {
        for &byte in client.line.read(&mut buffer) {
            let Some(frame) = client.frames.take(byte) else { continue };
            for copy in befall(faults, &Way::to(name), frame) {
                // While the power is off, no device receives it.
                for device in device.iter_mut() {
                    device.say(&copy);
                }
            }
        }
        client.line.flush();
    }
    device.iter_mut().for_each(Line::flush);
}

/// What becomes of `frame`. A lone delimiter only separates: nothing can befall it.
fn befall(faults: &mut Faults, way: &Way, mut frame: Vec<u8>) -> Vec<Vec<u8>> {
    if frame == [DELIMITER] {
        return vec![frame];
    }
    let mishap = faults.befalls(way);
    if let Some(bit) = mishap.corrupted {
        let bit = bit % (8 * frame.len());
        frame[bit / 8] ^= 1 << (bit % 8);
    }
    match (mishap.dropped, mishap.doubled) {
        (true, _) => vec![],
        (false, true) => vec![frame.clone(), frame],
        (false, false) => vec![frame],
    }
}
