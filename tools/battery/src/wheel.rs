//! Orders as they come out of the simulated shuffler, not as they were drawn.
//!
//! The rules of the firmware move cards through the mechanical world, one certified stack
//! after the other; an order says which of the cards fed comes to each place. Whatever
//! the wheel added to the draw, or took from it, shows here.

use std::collections::BTreeMap;

use crate::supply::Supply;
use anyhow::{Result, bail, ensure};
use croupier::profile::Game;
use croupier::shuffler::Model;
use hil_tests::world::shuffler::Campaign;

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
        let model = if decks == 1 { Model::SingleDeck } else { Model::MultiDeck };
        let campaign = Campaign::new(game, decks, model).map_err(anyhow::Error::msg)?.kind();
        let mut places = BTreeMap::new();
        let count = (orders.len() / cards) as u64;
        let mut decks = orders.chunks_exact_mut(cards);
        let results = campaign.watch(seed, count, &mut |table| {
            places.clear();
            places.extend(table.fed().iter().copied().zip(0..));
            let out = table.mechanism.places.delivery.iter();
            if let Some(deck) = decks.next() {
                deck.iter_mut().zip(out).for_each(|(to, card)| *to = places[card]);
            }
        });
        ensure!(
            results.certified == count && results.is_clean(),
            "the simulated shuffler did not certify every stack: {results}"
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
