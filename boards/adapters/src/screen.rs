//! The text display's line: what the game wants shown goes into a pipe, a task sends it.
//!
//! At 9600 baud a whole text takes a tenth of a second, and cards do not wait that long.

use core::task::Poll;

use croupier::drivers::nhd0420::MOST_BYTES;
use croupier::shuffler::screen::Screen;
use embassy_futures::poll_once;
use embassy_stm32::mode::Async;
use embassy_stm32::usart::{Config, UartTx};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::pipe::Pipe;

use crate::shuffler::TextDisplay;

type Outgoing = Pipe<CriticalSectionRawMutex, { 2 * MOST_BYTES }>;

static PIPE: Outgoing = Pipe::new();

/// The display's line: 9600 baud, as it comes from its maker.
pub fn config() -> Config {
    let mut config = Config::default();
    config.baudrate = 9600;
    config
}

/// A display at the other end of [`send`].
pub struct SerialText(Screen<&'static Outgoing>);

impl SerialText {
    /// Nothing shown yet.
    pub const fn new() -> Self {
        Self(Screen::new(&PIPE))
    }
}

impl Default for SerialText {
    fn default() -> Self {
        Self::new()
    }
}

impl TextDisplay for SerialText {
    fn show(&mut self, lines: [&str; 2], repeat: bool) -> bool {
        // Half a command would show as letters: all of a text, or none yet.
        if PIPE.free_capacity() < MOST_BYTES {
            return false;
        }
        if repeat {
            self.0.forget();
        }
        // There is room for all of it, so nothing has to be waited for.
        matches!(poll_once(self.0.show(lines)), Poll::Ready(Ok(())))
    }
}

/// Sends what is to be shown, for ever.
pub async fn send(mut line: UartTx<'static, Async>) -> ! {
    let mut bytes = [0; MOST_BYTES];
    loop {
        let count = PIPE.read(&mut bytes).await;
        // It only listens, and so it cannot be asked; the lamps say the same.
        let _ = line.write(bytes.get(..count).unwrap_or_default()).await;
    }
}
