//! A device and all that is around it, in one thread and in the device's own time.
//!
//! Controller, bus, mechanism and hands act only between two steps of the guest, always in the
//! same order, and know no other clock than its steps. So a run is the same every time, on any
//! host; and a time is the device's, to the millisecond.

pub mod holds;
mod play;
mod record;
mod traffic;

use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{self, Duration};

use croupier::controller::{Controller, OBJECT_BYTES, Ticket};
use croupier::protocol::codec::{Message, Object as _, Request, Sealed};
use croupier::protocol::framing::can::{Frame, Receiver};
use croupier::protocol::framing::serial::{self, Decoder};
use croupier::protocol::framing::slcan::{self, Line as Slcan};
use croupier::protocol::generated::croupier::common::{Game, Result as Outcome, Role};
use croupier::protocol::generated::uavcan::node::Heartbeat;
use croupier::protocol::transfer::{Interest, NodeId, Port};
use croupier::shuffler::Model;
use croupier::time::{Instant, Millis};

pub use record::{Record, first_difference};
pub use traffic::Traffic;

use crate::bench::Bench as _;
use crate::error::{BenchError, Result, Tail};
use crate::keys;
use crate::link::Link;
use crate::nest;
use crate::plan::{Plan, folder};
use crate::qemu::{Guest, Setup, Steps};
use crate::table_controller::{Answer, Report, Sorted, is_reported_whole, sort};
use crate::wait::{Waited, Watched};
use crate::world::shuffler::pin_coupling::{Scene, Works};
use crate::world::shuffler::{Fate, Mechanism};

/// A busy host may take so long for one step.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often a wait looks whether the guest is still there.
const GLANCE: Duration = Duration::from_millis(100);
/// How long a device may take to answer, in its own time.
const ANSWER: Millis = Millis::from_secs(5);
/// More than keys, beams and contacts need to settle.
pub const SETTLING: Millis = Millis::new(60);
const CONTROLLER: NodeId = NodeId::new(2).expect("a node's number");
const NONCE: u64 = 1_700_000_000_000_000;

/// The device's number on the wire.
pub fn node(device: &str) -> NodeId {
    let number = match device {
        "reader" => 10,
        "shuffler" => 11,
        _ => 12,
    };
    NodeId::new(number).expect("a node's number")
}

/// A device in step, with its world.
pub struct Lockstep {
    /// The guest with its pins and its log.
    pub guest: Guest,
    /// What its controller reported.
    pub reports: Vec<Report>,
    /// The time since the first power-on.
    pub now: Instant,
    /// What it said on the bus, and when.
    pub frames: Vec<(Instant, Frame)>,
    node: NodeId,
    steps: Steps,
    seen: u64,
    link: Link,
    can: Link,
    brain: Box<Controller<4, 4, 32>>,
    decoder: Box<Decoder<{ OBJECT_BYTES + 1 }>>,
    answers: Vec<(Ticket, Answer)>,
    works: Option<Works>,
    scene: Option<Arc<Watched<Scene>>>,
    bus: slcan::Decoder,
    traffic: Option<Traffic>,
    record: Option<Record>,
}

impl Lockstep {
    /// Switches a device on, with a mechanism around it if it is a shuffler. `prepare` may change
    /// its folder first.
    pub fn open(setup: Setup, prepare: impl FnOnce(&Guest) -> Result<()>) -> Result<Self> {
        let node = node(&setup.device);
        let is_shuffler = setup.device == "shuffler";
        let mut guest = Guest::open(&Plan::load(&folder(), "qemu")?, setup.in_step())?;
        prepare(&guest)?;
        guest.power_on_held()?;
        let scene = is_shuffler.then(|| {
            let mechanism = Mechanism::new(Model::SingleDeck.wheel(), Fate::kind(1));
            Arc::new(Watched::new(Scene::new(mechanism)))
        });
        let works = scene.clone().map(|scene| Works::new(scene, &mut guest)).transpose()?;
        let steps = guest.steps().ok_or_else(|| BenchError::Off(guest.device().into()))?;
        let mut lockstep = Self {
            reports: Vec::new(),
            now: Instant::START,
            frames: Vec::new(),
            node,
            seen: steps.so_far(),
            steps,
            link: guest.link("table")?,
            can: guest.link("can")?,
            brain: Box::new(Controller::new(CONTROLLER, keys::ring(), NONCE)),
            decoder: Box::new(Decoder::for_node(CONTROLLER)),
            answers: Vec::new(),
            works,
            scene,
            bus: slcan::Decoder::new(),
            traffic: None,
            record: None,
            guest,
        };
        lockstep.guest.go()?;
        lockstep.await_step()?;
        Ok(lockstep)
    }

    /// A shuffler, or a generator, with the bench's keys; or a reader that was taught.
    pub fn usual(device: &str) -> Result<Self> {
        Self::usual_of(device, |setup| setup)
    }

    /// The same, set up a little differently.
    pub fn usual_of(device: &str, but: impl FnOnce(Setup) -> Setup) -> Result<Self> {
        match device {
            "reader" => Self::open(but(nest::setup(device)), |guest| {
                nest::write_flash(guest.folder(), Game::FreeBet, true)
            }),
            _ => Self::open(but(Setup::new(device)), |_| Ok(())),
        }
    }

    /// Puts foreign frames on the bus from now on.
    pub fn load_bus(&mut self, traffic: Traffic) {
        self.traffic = Some(traffic);
    }

    /// The foreign frames so far.
    pub fn traffic(&self) -> Option<&Traffic> {
        self.traffic.as_ref()
    }

    /// Writes down from now on all that the device does.
    pub fn record(&mut self) {
        self.record = Some(Record::new(self.guest.pins().mark()));
    }

    /// When its messages of this type were on the bus whole, and what they said: from the frame
    /// with the number `since` on.
    pub fn said_on_bus<M: Message>(&self, since: usize) -> Vec<(Instant, M)> {
        let mut rx = Receiver::<1, OBJECT_BYTES>::for_onlooker();
        let frames = self.frames.get(since..).unwrap_or_default();
        let whole = frames.iter().filter_map(|(at, frame)| {
            let transfer = rx.accept(frame, *at, &Only(PhantomData::<M>))?;
            Some((*at, M::decode(transfer.payload).ok()?))
        });
        whole.collect()
    }

    /// When its heartbeats were on the bus.
    pub fn heartbeats(&self) -> Vec<Instant> {
        self.said_on_bus::<Heartbeat>(0).into_iter().map(|(at, _)| at).collect()
    }

    /// Ends the run and gives what was written down, the log too.
    pub fn into_record(mut self) -> Result<Record> {
        self.guest.cut_power()?;
        let mut record =
            self.record.take().unwrap_or_else(|| Record::new(self.guest.pins().mark()));
        record.end(&self.guest.log().all());
        Ok(record)
    }

    /// Goes on for one millisecond of the device's time.
    pub fn step(&mut self) -> Result<()> {
        self.steps.go_on()?;
        self.await_step()
    }

    /// Waits for the end of a step that the device is in, and takes what it did; for the step
    /// after a power-on or a reset, which needs no permission.
    pub fn await_step(&mut self) -> Result<()> {
        let deadline = time::Instant::now() + PATIENCE;
        self.seen = loop {
            match self.steps.after(self.seen, GLANCE) {
                Waited::Came(seen) => break seen,
                Waited::Interrupted => return Err(BenchError::Interrupted),
                Waited::RanOut if self.has_ended() => {
                    return Err(BenchError::Off(self.guest.device().into()));
                }
                Waited::RanOut
                    if self.guest.breach().is_some() || time::Instant::now() > deadline =>
                {
                    return Err(self.stuck("the end of its step"));
                }
                Waited::RanOut => {}
            }
        };
        self.now += Millis::new(1);
        self.receive()?;
        self.transmit()
    }

    /// Whether the power went by the monitor's hand.
    fn has_ended(&self) -> bool {
        self.guest.log().last(1).iter().any(|line| line.contains("the guest has ended"))
    }

    /// Cuts the power if it is not gone already, and starts the device again: with its store, and
    /// with cards and wheel where they are.
    pub fn boot_again(&mut self) -> Result<()> {
        self.guest.cut_power()?;
        self.works = None;
        self.guest.power_on_held()?;
        if let Some(scene) = &self.scene {
            scene.change(|scene| scene.chip.cut_supply());
            self.works = Some(Works::new(Arc::clone(scene), &mut self.guest)?);
        }
        (self.link, self.can) = (self.guest.link("table")?, self.guest.link("can")?);
        *self.brain = Controller::new(CONTROLLER, keys::ring(), NONCE + self.now.as_millis());
        (self.bus, self.seen) = (slcan::Decoder::new(), self.steps.so_far());
        (self.reports, self.answers) = (Vec::new(), Vec::new());
        self.guest.go()?;
        self.await_step()
    }

    /// Goes on for this time.
    pub fn run(&mut self, length: Millis) -> Result<()> {
        (0..length.get()).try_for_each(|_| self.step())
    }

    /// Goes on until `found`, at most for this time.
    pub fn until<T>(
        &mut self,
        what: &str,
        longest: Millis,
        mut found: impl FnMut(&mut Self) -> Option<T>,
    ) -> Result<T> {
        for _ in 0..longest.get() {
            if let Some(found) = found(self) {
                return Ok(found);
            }
            self.step()?;
        }
        Err(self.stuck(what))
    }

    /// Goes on until the device has published its status.
    pub fn until_known(&mut self) -> Result<()> {
        self.until("it to tell its status", Millis::from_secs(10), |it| {
            is_reported_whole(it.reports.iter()).then_some(())
        })
    }

    /// Asks, and goes on until the answer is here.
    pub fn ask<R: Request + Sealed>(
        &mut self,
        role: Role,
        request: &R,
    ) -> Result<(Outcome, R::Response)> {
        let asked = self.brain.ask(self.node, role, request, self.now, ANSWER);
        let ticket = asked.map_err(|why| BenchError::Refused {
            tool: "controller",
            asked: R::NAME.into(),
            answer: format!("{why:?}"),
        })?;
        let answer = self.until(R::NAME, ANSWER + Millis::new(10), |it| {
            let place = it.answers.iter().position(|(of, _)| *of == ticket)?;
            Some(it.answers.swap_remove(place).1)
        })?;
        let read =
            answer.and_then(|(outcome, bytes)| Some((outcome, R::Response::decode(&bytes).ok()?)));
        read.ok_or_else(|| self.stuck(R::NAME))
    }

    /// Lets hands change the mechanism, and the device notice it.
    pub fn hands<T>(&mut self, work: impl FnOnce(&mut Mechanism, u64) -> T) -> Result<Option<T>> {
        let done = self.scene.as_ref().map(|scene| {
            scene.change(|scene| {
                let now = scene.now();
                work(&mut scene.mechanism, now)
            })
        });
        self.run(SETTLING)?;
        Ok(done)
    }

    /// Holds an input, and lets the device notice it.
    pub fn hold(&mut self, input: &str, on: bool) -> Result<()> {
        self.guest.hand().set(input, on)?;
        self.run(SETTLING)
    }

    /// Presses a key and lets it go.
    pub fn tap(&mut self, key: &str) -> Result<()> {
        self.hold(key, true)?;
        self.hold(key, false)
    }

    /// Says something on the serial line as it stands.
    pub fn say_on_link(&mut self, bytes: &[u8]) -> Result<()> {
        self.link.send(bytes)
    }

    /// Puts a frame on the bus.
    pub fn say_on_bus(&mut self, frame: &Frame) -> Result<()> {
        self.can.send(slcan::Text::of(frame).as_bytes())
    }

    fn receive(&mut self) -> Result<()> {
        let link = drain(&mut self.link)?;
        for byte in &link {
            if let Some(transfer) = self.decoder.accept(*byte, &*self.brain) {
                self.brain.receive(&transfer, self.now);
            }
        }
        let can = drain(&mut self.can)?;
        for byte in &can {
            if let Some(Slcan::Frame(frame)) = self.bus.accept(*byte) {
                self.can.send(b"Z\r")?;
                self.frames.push((self.now, frame));
            }
        }
        let mut room = [0; OBJECT_BYTES];
        while let Some(notice) = self.brain.poll(self.now, &mut room) {
            match sort(&notice) {
                Sorted::Answer(ticket, answer) => self.answers.push((ticket, answer)),
                Sorted::Report(_, report) => self.reports.push(report),
            }
        }
        let before = self.guest.pins().mark();
        let motion = self.works.as_mut().map(Works::step).transpose()?.unwrap_or_default();
        if let Some(record) = &mut self.record {
            record.step(
                self.now,
                self.guest.pins(),
                before,
                [("link", link), ("can", can), ("motion", motion)],
            );
        }
        Ok(())
    }

    fn transmit(&mut self) -> Result<()> {
        let mut room = [0; OBJECT_BYTES];
        while let Some(transfer) = self.brain.next(self.now, &mut room) {
            let mut text = [0; serial::most_bytes(OBJECT_BYTES)];
            let text = serial::encode(&transfer, &mut text);
            self.link.send(text.expect("a controller sends only what its link can carry"))?;
        }
        if let Some(traffic) = &mut self.traffic {
            for frame in traffic.in_a_millisecond() {
                self.can.send(slcan::Text::of(&frame).as_bytes())?;
            }
        }
        Ok(())
    }

    fn stuck(&self, what: &str) -> BenchError {
        let (device, tail) = (
            self.guest.device().to_owned(),
            Tail { lines: self.guest.log().last(12), kept: self.guest.keep() },
        );
        match self.guest.breach() {
            Some(words) => BenchError::Breach { device, words, tail },
            None => {
                let what = format!("{what} at {} ms", self.now.as_millis());
                BenchError::TimedOut { device, what, waited: PATIENCE, tail }
            }
        }
    }
}

/// Interest in one type of message.
struct Only<M>(PhantomData<M>);

impl<M: Message> Interest for Only<M> {
    fn extent(&self, port: Port) -> Option<usize> {
        (port == Port::Message(M::SUBJECT)).then_some(OBJECT_BYTES)
    }
}

fn drain(link: &mut Link) -> Result<Vec<u8>> {
    let (mut all, mut some) = (Vec::new(), [0; 1024]);
    loop {
        match link.at_hand(&mut some)? {
            0 => return Ok(all),
            count => all.extend(&some[..count]),
        }
    }
}
