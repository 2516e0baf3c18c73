//! Orders as they come out of the simulated shuffler, not as they were drawn.
//!
//! The rules of the firmware move cards through the mechanical world, one certified stack
//! after the other; an order says which of the cards fed comes to each place. Whatever
//! the wheel added to the draw, or took from it, shows here.

use crate::supply::Supply;
use anyhow::{Result, bail, ensure};
use croupier::cards::BackColour;
use croupier::profile::Game;
use hil_tests::world::shuffler::{Croupier, Fate, Simulation};

/// The simulated shuffler, its noise from a seed and nothing going wrong.
#[derive(Debug, Clone, Copy)]
pub struct Wheel(
    /// The seed.
    pub u64,
);

impl Supply for Wheel {
    fn name(&self) -> String {
        "simulated shuffler".into()
    }

    fn deal(&self, stream: u64, cards: usize, orders: &mut [u16]) -> Result<()> {
        let (game, decks) = game_with(cards)?;
        let seed = self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(stream);
        let mut table =
            Simulation::loaded(game, decks, Fate::kind(seed), seed).map_err(anyhow::Error::msg)?;
        let batch: Vec<_> = table.mechanism.places.tray.iter().copied().collect();
        let mut places = vec![0; cards];
        let count = (orders.len() / cards) as u64;
        let mut decks = orders.chunks_exact_mut(cards);
        let soak = Croupier::new(batch, BackColour::Blue).play(&mut table, count, |fed, out| {
            for (place, card) in (0..).zip(fed) {
                places[usize::from(*card)] = place;
            }
            if let Some(deck) = decks.next() {
                deck.iter_mut().zip(out).for_each(|(to, card)| *to = places[usize::from(*card)]);
            }
        });
        ensure!(
            soak.certified == count && soak.wrongly_certified == 0,
            "the simulated shuffler did not certify every stack: {soak:?}"
        );
        Ok(())
    }
}

/// A game that is played with this number of cards, and the same ones time after time.
fn game_with(cards: usize) -> Result<(Game, u8)> {
    Ok(match cards {
        52 => (Game::FlopPoker, 1),
        53 => (Game::SixCardFortunePaiGow, 1),
        312 | 416 => (Game::FreeBetSouthDakota, (cards / 52) as u8),
        _ => bail!("no game lets one batch of {cards} cards play alone: 52, 53, 312 or 416 do"),
    })
}

#[cfg(test)]
mod tests {
    use super::game_with;

    #[test]
    fn the_batches_the_command_line_takes_are_those_a_game_plays_alone() {
        let played: Vec<u16> = (1..=arguments::MOST_CARDS)
            .filter(|cards| game_with((*cards).into()).is_ok())
            .collect();
        assert_eq!(played, arguments::WHEEL_CARDS);
    }
}
