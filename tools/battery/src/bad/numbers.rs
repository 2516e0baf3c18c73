//! Draws from 1 to n that are wrong in known ways.

use crate::ideal::{Seed, below, generator};
use crate::supply::Supply;
use anyhow::Result;
use rand_core::Rng;

/// A way to draw; most of them wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Draw {
    /// The remainder of a word of some bits.
    Modulo(u32),
    /// Three dice, counted round the table: one place gets 30 of 216, the others 31.
    ThreeDice,
    /// The last number again, once in this number of draws.
    Sticky(u32),
    /// One repeat in this number is drawn again: too few of them.
    ShyOfRepeats(u32),
    /// A block of 64 numbers again, once in this number of blocks.
    StaleBlock(u32),
}

impl Draw {
    /// What a report calls this way to draw.
    pub fn name(self) -> String {
        match self {
            Self::Modulo(bits) => format!("draw: remainder of {bits} bits"),
            Self::ThreeDice => "draw: three dice round the table".into(),
            Self::Sticky(in_so_many) => format!("draw: last number again, once in {in_so_many}"),
            Self::ShyOfRepeats(in_so_many) => {
                format!("draw: repeat drawn again, once in {in_so_many}")
            }
            Self::StaleBlock(in_so_many) => format!("draw: 64 numbers again, once in {in_so_many}"),
        }
    }
}

/// A supply that draws one way.
#[derive(Debug, Clone, Copy)]
pub struct BadDraw {
    /// How it draws.
    pub draw: Draw,
    /// The seed of the run.
    pub seed: Seed,
}

impl Supply for BadDraw {
    fn name(&self) -> String {
        self.draw.name()
    }

    fn draw(&self, stream: u64, sides: u16, numbers: &mut [u16]) -> Result<()> {
        let mut rng = generator(self.seed, stream);
        let n = u32::from(sides);
        let mut before = u32::MAX;
        for number in numbers.iter_mut() {
            let mut value = match self.draw {
                Draw::Modulo(bits) => (rng.next_u32() >> (32 - bits)) % n,
                Draw::ThreeDice => (0..3).map(|_| below(&mut rng, 6)).sum::<u32>() % n,
                _ => below(&mut rng, n),
            };
            match self.draw {
                Draw::Sticky(in_so_many) if below(&mut rng, in_so_many) == 0 && before < n => {
                    value = before
                }
                Draw::ShyOfRepeats(in_so_many)
                    if value == before && below(&mut rng, in_so_many) == 0 =>
                {
                    value = below(&mut rng, n);
                }
                _ => {}
            }
            before = value;
            *number = value as u16 + 1;
        }
        if let Draw::StaleBlock(in_so_many) = self.draw {
            for block in 1..numbers.len() / 64 {
                if below(&mut rng, in_so_many) == 0 {
                    numbers.copy_within((block - 1) * 64..block * 64, block * 64);
                }
            }
        }
        Ok(())
    }
}
