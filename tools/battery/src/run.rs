//! One run: deal, read and count on all cores, then judge.

use crate::numbers::NumberTally;
use crate::order_tests;
use crate::outcome::{Family, Outcome};
use crate::reading::Reading;
use crate::supply::{NUMBERS_PER_STREAM, ORDERS_PER_STREAM, Supply};
use crate::tally::Tally;
use anyhow::{Result, ensure};
use indicatif::ProgressBar;
use rayon::prelude::*;

/// Streams a second look begins at, far beyond any first look.
pub const FRESH_STREAMS: u64 = 1 << 40;

/// Largest order that can be read.
pub const MOST_CARDS: usize = arguments::MOST_CARDS as usize;

/// Orders as dealt, and each relative to the one before.
#[derive(Debug, Clone)]
pub struct OrderCounts {
    /// As dealt.
    pub dealt: Tally,
    /// Relative to the shuffle before.
    pub relative: Tally,
}

impl OrderCounts {
    fn new(cards: usize) -> Self {
        Self { dealt: Tally::new(cards), relative: Tally::new(cards) }
    }

    fn join(self, other: Self) -> Self {
        Self { dealt: self.dealt.join(other.dealt), relative: self.relative.join(other.relative) }
    }

    /// All tests of both families.
    pub fn judge(&mut self) -> Vec<Outcome> {
        let mut outcomes = order_tests::judge(&mut self.dealt, Family::Dealt);
        if self.relative.orders > 0 {
            outcomes.extend(order_tests::judge(&mut self.relative, Family::Relative));
        }
        outcomes
    }
}

/// The size of a run of orders.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Cards in an order, or sides of a draw.
    pub cards: usize,
    /// Orders or numbers.
    pub count: u64,
    /// The first stream to take them from.
    pub first_stream: u64,
}

/// Pieces of `each` that make up `count`: the stream and how many to take from it.
fn streams(size: Size, each: usize) -> impl IndexedParallelIterator<Item = (u64, usize)> {
    let each = each as u64;
    (0..size.count.div_ceil(each) as usize).into_par_iter().map(move |index| {
        let index = index as u64;
        (size.first_stream + index, each.min(size.count - index * each) as usize)
    })
}

/// Deals and counts `size.count` orders.
pub fn count_orders(
    supply: &dyn Supply,
    size: Size,
    progress: &ProgressBar,
) -> Result<OrderCounts> {
    let cards = size.cards;
    ensure!((4..=MOST_CARDS).contains(&cards), "an order has 4 to {MOST_CARDS} cards, not {cards}");
    // Tables are large; as few as there are workers keeps them in the caches.
    let pieces = size.count.div_ceil(ORDERS_PER_STREAM as u64) as usize;
    let share = pieces.div_ceil(4 * rayon::current_num_threads()).max(1);
    streams(size, ORDERS_PER_STREAM)
        .with_min_len(share)
        .try_fold(
            || (OrderCounts::new(cards), Reader::new(cards)),
            |(mut counts, mut reader), (stream, orders)| {
                reader.count_stream(supply, stream, orders, &mut counts)?;
                progress.inc(orders as u64);
                Ok::<_, anyhow::Error>((counts, reader))
            },
        )
        .map(|part| part.map(|(counts, _)| counts))
        .try_reduce(|| OrderCounts::new(cards), |a, b| Ok(a.join(b)))
}

/// One worker's scratch memory.
struct Reader {
    reading: Reading,
    orders: Vec<u16>,
    before_place_of: Vec<u16>,
    relative: Vec<u16>,
    relative_before: Vec<u16>,
}

impl Reader {
    fn new(cards: usize) -> Self {
        Self {
            reading: Reading::new(cards),
            orders: Vec::new(),
            before_place_of: vec![0; cards],
            relative: vec![0; cards],
            relative_before: vec![0; cards],
        }
    }

    fn count_stream(
        &mut self,
        supply: &dyn Supply,
        stream: u64,
        count: usize,
        counts: &mut OrderCounts,
    ) -> Result<()> {
        let cards = self.relative.len();
        self.orders.resize(count * cards, 0);
        let mut orders = std::mem::take(&mut self.orders);
        supply.deal(stream, cards, &mut orders)?;
        for index in 0..count {
            let order = &orders[index * cards..][..cards];
            ensure!(
                is_order(order),
                "{}: stream {stream}, order {index} does not hold each card once",
                supply.name()
            );
            if index > 0 {
                self.count_relative(order, index, counts);
                counts.dealt.compare(&orders[(index - 1) * cards..][..cards], order);
            }
            self.reading.read(order);
            counts.dealt.count(order, &self.reading);
            self.before_place_of.copy_from_slice(&self.reading.place_of);
        }
        self.orders = orders;
        Ok(())
    }

    /// Where each card lay in the order before: what this shuffle did to its input.
    fn count_relative(&mut self, order: &[u16], index: usize, counts: &mut OrderCounts) {
        for (card, now) in self.relative.iter_mut().zip(order) {
            *card = self.before_place_of[usize::from(*now)];
        }
        if index > 1 {
            counts.relative.compare(&self.relative_before, &self.relative);
        }
        self.reading.read(&self.relative);
        counts.relative.count(&self.relative, &self.reading);
        self.relative_before.copy_from_slice(&self.relative);
    }
}

/// Whether each card is there exactly once.
pub fn is_order(order: &[u16]) -> bool {
    let mut seen = [0u64; MOST_CARDS / 64];
    order.len() <= MOST_CARDS
        && order.iter().all(|&card| {
            let card = usize::from(card);
            let (word, bit) = (card / 64, 1u64 << (card % 64));
            let fresh = card < order.len() && seen[word] & bit == 0;
            if fresh {
                seen[word] |= bit;
            }
            fresh
        })
}

/// Draws and counts `size.count` numbers from 1 to `size.cards`.
pub fn count_numbers(
    supply: &dyn Supply,
    size: Size,
    progress: &ProgressBar,
) -> Result<NumberTally> {
    let sides = size.cards;
    ensure!((2..=64).contains(&sides), "a draw has 2 to 64 sides, not {sides}");
    streams(size, NUMBERS_PER_STREAM)
        .map(|(stream, count)| {
            let mut numbers = vec![0; count];
            supply.draw(stream, sides as u16, &mut numbers)?;
            let bad = numbers.iter().find(|&&number| !(1..=sides).contains(&usize::from(number)));
            ensure!(bad.is_none(), "{}: drew {bad:?}, outside 1 to {sides}", supply.name());
            let mut tally = NumberTally::new(sides);
            tally.count(stream, &numbers);
            progress.inc(count as u64);
            Ok(tally)
        })
        .try_reduce(|| NumberTally::new(sides), |a, b| Ok(a.join(b)))
}
