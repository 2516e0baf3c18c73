//! Raw words of the noise source as hexadecimal text, for the battery on the host.

use crate::console::Console;
use adapters::trng::Trng;
use core::fmt::Write;
use croupier::entropy::NoiseSource;

/// Words on a line.
const ROW: u32 = 8;

/// Prints that number of words, as the devices' driver reads them: no word is left out.
pub(crate) fn run(console: &mut Console, noise: &mut Trng, words: u32) -> Result<(), &'static str> {
    if words == 0 {
        return Err("give a number of words");
    }
    noise.configure().map_err(|_| "the generator did not start")?;
    for count in 1..=words {
        let word = noise.word().map_err(|_| "the generator reported a fault")?;
        let _ = write!(console, "{word:08x}"); // a console never fails
        if count % ROW == 0 || count == words {
            console.line(format_args!(""));
        }
    }
    Ok(())
}
