//! Lines in and out of the ST-LINK's serial port.

use core::fmt::{Arguments, Write};
use embassy_stm32::mode::Blocking;
use embassy_stm32::usart::Uart;
use heapless::String;

/// The longest command, and the longest line of an answer.
const COMMAND: usize = 32;

/// The console.
pub(crate) struct Console(Uart<'static, Blocking>);

impl Console {
    /// A console on this UART.
    pub(crate) fn new(uart: Uart<'static, Blocking>) -> Self {
        Self(uart)
    }

    /// Writes a line and waits until it is out: a reset may follow.
    pub(crate) fn line(&mut self, words: Arguments<'_>) {
        let _ = self.write_fmt(words); // our `write_str` never fails
        let _ = self.write_str("\r\n");
        let _ = self.0.blocking_flush();
    }

    /// The next whole line. One that is too long is cut and then is no command.
    pub(crate) fn command(&mut self) -> String<COMMAND> {
        let mut command = String::new();
        loop {
            let mut byte = [0];
            // An overrun or a framing error spoils a byte; the command is then unknown.
            if self.0.blocking_read(&mut byte).is_err() {
                continue;
            }
            match byte[0] {
                b'\r' | b'\n' if command.is_empty() => {}
                b'\r' | b'\n' => return command,
                letter => _ = command.push(char::from(letter)),
            }
        }
    }
}

impl Write for Console {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        // The line's other end may be gone; the checks go on.
        let _ = self.0.blocking_write(text.as_bytes());
        Ok(())
    }
}
