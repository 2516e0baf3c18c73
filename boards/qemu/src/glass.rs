//! The digit's glass, as the bench sees it: what the pins say, unless a test spoils it.
//!
//! On silicon each segment has a sense line of its own. Here the machine's pin register is
//! what is lit, and eight inputs let a test kill a segment or make it stick: so a healthy
//! display needs no help from the bench, and its read-back no luck with a loaded host.

use adapters::lamps::LampRow;
use adapters::sense::ReadBack;
use embassy_stm32::gpio::{Input, Pull};
use embassy_stm32::pac;

/// Spoils nothing until told.
pub struct Glass {
    spoilt: [Input<'static>; 8],
    stuck: Input<'static>,
}

impl Glass {
    /// A glass that these inputs spoil; with `stuck` the spoilt segments seem lit.
    pub fn new(spoilt: LampRow, stuck: Input<'static>) -> Self {
        Self { spoilt: spoilt.map(|pin| Input::new(pin, Pull::Down)), stuck }
    }
}

impl ReadBack for Glass {
    fn lit(&mut self) -> u8 {
        let lit = pac::GPIOD.idr().read().0 as u8; // the lamp row is PD0 to PD7
        let bit = |(place, pin): (usize, &Input<'static>)| u8::from(pin.is_high()) << place;
        let spoilt: u8 = self.spoilt.iter().enumerate().map(bit).sum();
        if self.stuck.is_high() { lit | spoilt } else { lit & !spoilt }
    }
}
