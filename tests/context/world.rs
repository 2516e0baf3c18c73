//! Both links, the clock and the board around a device's loops, in virtual time.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::{pending, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use croupier::context::ports::{CanReceive, CanTransmit, ServicesNote, ServicesPort};
use croupier::context::{
    ContextDevice, ContextHandle, DeviceContext, SharedContext, node_id, run_services, rx_can,
    rx_serial, tx_can, tx_serial,
};
use croupier::identity::{Build, DeviceKind, Identity, Uid, Version};
use croupier::node::{Device, Requests};
use croupier::ports::{CheckIn, Clock, Turn};
use croupier::protocol::framing::can::Frame;
use croupier::protocol::keys::KeyPolicy;
use croupier::safety::ResetCause;
use croupier::services::{CommonServices, StoreHandle};
use croupier::store::NorModel;
use croupier::time::{Instant, Millis};
use embassy_futures::join::join5;
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embedded_io_async::{ErrorType, Read, Write};

pub type Flash = NorModel<2048, 4>;
pub type Handle<D> = ContextHandle<'static, NoopRawMutex, D, StoreHandle<Flash>, World>;
type Shared<D> = SharedContext<NoopRawMutex, D, StoreHandle<Flash>>;

/// Runs of the executor that a millisecond has room for. A request takes three of them: the
/// request itself, and a look of each sender.
const RUNS: usize = 16;

/// The loops that check in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Loop {
    Serial,
    Can,
    Services,
    Game,
}

/// What is around the loops.
#[derive(Default)]
pub struct State {
    pub now: Cell<Instant>,
    pub to_can: RefCell<VecDeque<Frame>>,
    pub from_can: RefCell<VecDeque<Frame>>,
    /// Frames that found no place in the queue.
    pub lost: Cell<u32>,
    /// While set, the bus takes nothing.
    pub can_blocked: Cell<bool>,
    /// While set, the links carry what they carry in truth: three frames and eleven bytes in a
    /// millisecond.
    pub paced: Cell<bool>,
    can_room: Cell<usize>,
    serial_room: Cell<usize>,
    pub to_serial: RefCell<VecDeque<u8>>,
    pub from_serial: RefCell<VecDeque<u8>>,
    pub switch: Cell<bool>,
    pub notes: RefCell<Vec<ServicesNote>>,
    /// When each loop checked in last, and the longest it ever took.
    pub check_ins: RefCell<[(Instant, Millis); 4]>,
    turn_taken: Cell<bool>,
    /// Turns taken so far.
    pub turns: Cell<u32>,
}

/// A handle to it; it is every port of the loops.
#[derive(Clone, Default)]
pub struct World(pub Rc<State>);

impl World {
    fn ready_at(&self, at: Instant) -> Poll<()> {
        if self.0.now.get() >= at { Poll::Ready(()) } else { Poll::Pending }
    }

    /// Takes up to `wanted` of the room on a link.
    fn take(&self, room: &Cell<usize>, wanted: usize) -> usize {
        if !self.0.paced.get() {
            return wanted;
        }
        let taken = wanted.min(room.get());
        room.set(room.get() - taken);
        taken
    }

    pub fn check_in(&self, of: Loop) -> Registration {
        Registration(self.clone(), of)
    }

    /// The longest time between two check-ins of a loop.
    pub fn longest_silence(&self, of: Loop) -> Millis {
        let (last, longest) = self.0.check_ins.borrow()[of as usize];
        longest.max(self.0.now.get().since(last))
    }
}

impl Clock for World {
    fn now(&self) -> Instant {
        self.0.now.get()
    }

    async fn wait_until(&mut self, at: Instant) {
        poll_fn(|_| self.ready_at(at)).await;
    }
}

impl Turn for World {
    fn poll_turn<T>(
        &self,
        context: &mut Context<'_>,
        work: impl FnOnce(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        if self.0.turn_taken.get() {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let polled = work(context);
        if polled.is_ready() {
            self.0.turn_taken.set(true);
            self.0.turns.set(self.0.turns.get() + 1);
        }
        polled
    }
}

impl CanReceive for World {
    async fn frame(&mut self) -> Frame {
        let next = || self.0.to_can.borrow_mut().pop_front();
        poll_fn(|_| next().map_or(Poll::Pending, Poll::Ready)).await
    }

    fn lost(&self) -> u32 {
        self.0.lost.get()
    }
}

impl CanTransmit for World {
    async fn put(&mut self, frame: &Frame) {
        if self.0.can_blocked.get() {
            pending::<()>().await;
        }
        poll_fn(
            |_| if self.take(&self.0.can_room, 1) == 1 { Poll::Ready(()) } else { Poll::Pending },
        )
        .await;
        self.0.from_can.borrow_mut().push_back(*frame);
    }
}

impl ErrorType for World {
    type Error = Infallible;
}

impl Read for World {
    async fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        let mut line = poll_fn(|_| {
            let line = self.0.to_serial.borrow_mut();
            if line.is_empty() { Poll::Pending } else { Poll::Ready(line) }
        })
        .await;
        let count = bytes.len().min(line.len());
        bytes.iter_mut().zip(line.drain(..count)).for_each(|(to, byte)| *to = byte);
        Ok(count)
    }
}

impl Write for World {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        let count = poll_fn(|_| match self.take(&self.0.serial_room, bytes.len()) {
            0 => Poll::Pending,
            count => Poll::Ready(count),
        })
        .await;
        self.0.from_serial.borrow_mut().extend(&bytes[..count]);
        Ok(count)
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// The board, which keeps a copy of its image.
pub struct Board(World, Vec<u8>);

impl ServicesPort for Board {
    fn image(&self) -> &[u8] {
        &self.1
    }

    fn service_switch_closed(&mut self) -> bool {
        self.0.0.switch.get()
    }

    fn note(&mut self, note: ServicesNote) {
        self.0.0.notes.borrow_mut().push(note);
    }
}

/// A loop's place in the watchdog.
pub struct Registration(World, Loop);

impl CheckIn for Registration {
    fn check_in(&mut self) {
        let now = self.0.0.now.get();
        let (last, longest) = &mut self.0.0.check_ins.borrow_mut()[self.1 as usize];
        *longest = (*longest).max(now.since(*last));
        *last = now;
    }
}

/// Whether some future asked to be polled again.
#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A device with all its loops.
pub struct Running<D: 'static> {
    pub world: World,
    pub handle: Handle<D>,
    shared: &'static Shared<D>,
    tasks: Vec<Pin<Box<dyn Future<Output = ()>>>>,
    woken: Arc<Woken>,
}

/// A device of this kind that has just started, before its game.
pub fn open(kind: DeviceKind, flash: Flash) -> DeviceContext<CommonServices, StoreHandle<Flash>> {
    open_on(kind, StoreHandle::open(flash))
}

/// The same on a store that is open.
pub fn open_on(
    kind: DeviceKind,
    store: StoreHandle<Flash>,
) -> DeviceContext<CommonServices, StoreHandle<Flash>> {
    let version = Version { major: 0, minor: 1, patch: 0 };
    let build = Build { version, commit: None, profile: "test", compiler: "rustc" };
    let serial = Uid([7; 12]);
    let identity = Identity { maker: "croupier", kind, board: "host", serial, build, image: None };
    DeviceContext::open(identity, (&ResetCause::PowerOn, 0), store, KeyPolicy::Simulation)
}

impl<D: Device<StoreHandle<Flash>> + ContextDevice + 'static> Running<D> {
    /// Starts the loops that every device has.
    pub fn new(
        kind: DeviceKind,
        image: &[u8],
        context: DeviceContext<D, StoreHandle<Flash>>,
    ) -> Self {
        let world = World::default();
        let shared: &'static Shared<D> = Box::leak(Box::new(SharedContext::new(context)));
        let rx = (node_id(kind), Requests(kind));
        let w = world.clone();
        let board = Board(world.clone(), image.to_vec());
        let serve = async move {
            join5(
                rx_serial(shared, rx, w.clone(), w.clone(), w.clone(), w.check_in(Loop::Serial)),
                tx_serial(shared, w.clone(), w.clone(), w.clone()),
                rx_can(shared, rx, w.clone(), w.clone(), w.clone(), w.check_in(Loop::Can)),
                tx_can(shared, w.clone(), w.clone(), w.clone()),
                run_services(shared, board, w.clone(), w.clone(), w.check_in(Loop::Services)),
            )
            .await;
        };
        let handle = Handle::new(shared, world.clone());
        Self { world, handle, shared, tasks: vec![Box::pin(serve)], woken: Arc::default() }
    }

    /// A second handle to the context.
    pub fn another_handle(&self) -> Handle<D> {
        Handle::new(self.shared, self.world.clone())
    }

    /// Adds the device's own loop.
    pub fn spawn(&mut self, task: impl Future<Output = ()> + 'static) {
        self.tasks.push(Box::pin(task));
    }

    /// Lets one millisecond pass.
    pub fn millisecond(&mut self) {
        let state = &self.world.0;
        state.now.set(state.now.get() + Millis::new(1));
        state.can_room.set(3);
        state.serial_room.set(11);
        let waker = Waker::from(Arc::clone(&self.woken));
        for _ in 0..RUNS {
            self.woken.0.store(false, Ordering::Relaxed);
            self.world.0.turn_taken.set(false);
            for task in &mut self.tasks {
                assert!(task.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
            }
            if !self.woken.0.load(Ordering::Relaxed) {
                return;
            }
        }
    }
}
