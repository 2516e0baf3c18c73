//! What comes out of the simulated shuffler passes the battery; a wheel that cheats does not.

use battery::run::{Size, count_orders};
use battery::supply::Supply;
use battery::verdict::{Verdict, of_run};
use battery::wheel::Wheel;
use indicatif::ProgressBar;

/// A shuffler that leaves its first two cards where they were, every fourth time.
struct Lazy;

impl Supply for Lazy {
    fn name(&self) -> String {
        "lazy".into()
    }

    fn deal(&self, stream: u64, cards: usize, orders: &mut [u16]) -> anyhow::Result<()> {
        Wheel(9).deal(stream, cards, orders)?;
        for deck in orders.chunks_exact_mut(cards).step_by(4) {
            let first = deck.iter().position(|card| *card == 0).unwrap();
            deck.swap(0, first);
        }
        Ok(())
    }
}

fn verdict(supply: &dyn Supply, cards: usize, count: u64) -> Verdict {
    let size = Size { cards, count, first_stream: 0 };
    of_run(&count_orders(supply, size, &ProgressBar::hidden()).unwrap().judge())
}

/// SH-01, SH-04: the wheel neither adds to the draw nor takes from it.
#[test]
fn what_comes_out_of_the_wheel_passes_the_battery() {
    assert_ne!(verdict(&Wheel(1), 52, 2_048), Verdict::Reject);
    assert_ne!(verdict(&Wheel(1), 312, 256), Verdict::Reject);
}

/// The test above can fail.
#[test]
fn a_wheel_that_leaves_a_card_on_top_is_rejected() {
    assert_eq!(verdict(&Lazy, 52, 2_048), Verdict::Reject);
}
