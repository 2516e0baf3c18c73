//! The wheel's motor on its UART, in a task of its own.
//!
//! The rules act at once and receive the outcome later; a UART takes its time; two channels lie
//! between them. A stop throws away what was still waiting to be done.

use crate::clock::DeviceClock;
use croupier::ports::{CheckIn, Clock};
use croupier::shuffler::event::{Action, Event};
use croupier::shuffler::motion::WheelDrive;
use croupier::shuffler::wheel::Wheel;
use croupier::time::Instant;
use embassy_futures::select::{Either, select};
use embassy_stm32::usart::BufferedUart;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_time::{Duration, Timer, with_timeout};
use embedded_io_async::{Error, ErrorKind, ErrorType, Read, Write};

/// The controller answers eight bit times after a request, so a millisecond is enough for both;
/// with this much more, only a controller that is gone is taken for silent.
const ANSWER: Duration = Duration::from_millis(50);
/// How often a turning wheel is looked at.
const LOOK: Duration = Duration::from_millis(2);
/// How often the task checks in while nothing turns.
const IDLE: Duration = Duration::from_millis(100);

static ORDERS: Channel<CriticalSectionRawMutex, Action, 4> = Channel::new();
static EVENTS: Channel<CriticalSectionRawMutex, (Event, Instant), 4> = Channel::new();

/// Passes an order on to the wheel. Four that wait mean that the task is dead: the rules'
/// deadlines will say so.
pub fn order(action: Action) {
    if action == Action::Stop {
        ORDERS.clear();
    }
    let _ = ORDERS.try_send(action);
}

/// The oldest event of the wheel, and when it happened.
pub fn next_event() -> Option<(Event, Instant)> {
    EVENTS.try_receive().ok()
}

/// Waits until there is an event. Cancel-safe.
pub async fn event_ready() {
    EVENTS.ready_to_receive().await;
}

/// Drives the wheel for ever.
pub async fn drive(line: BufferedUart<'static>, wheel: &Wheel, mut check_in: impl CheckIn) -> ! {
    let mut wheel_drive = WheelDrive::new(TimedLine(line), wheel);
    loop {
        check_in.check_in();
        let pause = if wheel_drive.is_busy() { LOOK } else { IDLE };
        let reported = match select(ORDERS.receive(), Timer::after(pause)).await {
            Either::First(action) => wheel_drive.act(action).await,
            Either::Second(()) => wheel_drive.look().await,
        };
        if let Some(event) = reported {
            EVENTS.send((event, DeviceClock.now())).await;
        }
    }
}

/// A UART whose reads end when nothing comes.
struct TimedLine(BufferedUart<'static>);

/// What ended a read or a write.
#[derive(Debug)]
struct LineError(ErrorKind);

impl core::fmt::Display for LineError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the motion controller's line failed")
    }
}

impl core::error::Error for LineError {}

impl Error for LineError {
    fn kind(&self) -> ErrorKind {
        self.0
    }
}

impl ErrorType for TimedLine {
    type Error = LineError;
}

impl Read for TimedLine {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LineError> {
        let read = with_timeout(ANSWER, Read::read(&mut self.0, buffer)).await;
        let read = read.map_err(|_| LineError(ErrorKind::TimedOut))?;
        read.map_err(|error| LineError(error.kind()))
    }
}

impl Write for TimedLine {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, LineError> {
        Write::write(&mut self.0, bytes).await.map_err(|error| LineError(error.kind()))
    }

    async fn flush(&mut self) -> Result<(), LineError> {
        Write::flush(&mut self.0).await.map_err(|error| LineError(error.kind()))
    }
}
