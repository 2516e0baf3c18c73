//! The battery sees what it must, and nothing where there is nothing.
//!
//! Seeds are fixed, so a change here is a change of the battery.

use battery::bad::{Bad, Shuffle};
use battery::calibrate::{Expect, measure, quick_rows, rows};
use battery::ideal::Ideal;
use battery::outcome::{Family, Outcome};
use battery::production::Production;
use battery::run::{Size, count_numbers, count_orders};
use battery::supply::Supply;
use battery::uniform::{LIMIT, survey};
use battery::verdict::{Verdict, of_run, worst};
use indicatif::ProgressBar;

fn orders(supply: &dyn Supply, cards: usize, count: u64) -> Vec<Outcome> {
    let size = Size { cards, count, first_stream: 0 };
    count_orders(supply, size, &ProgressBar::hidden()).expect("the supply deals").judge()
}

// PG-03, PG-05: a pass means something because these fail.
#[test]
fn every_quick_row_of_the_calibration_set_comes_out_as_expected() {
    let mut rejected = 0;
    for row in quick_rows() {
        let measured = measure(row, 1).unwrap();
        let why = worst(&measured.outcomes).map(|outcome| (outcome.name, outcome.ln_p()));
        assert!(
            measured.as_expected(),
            "{} {} {}: {why:?}",
            row.dealer.name(),
            row.cards,
            row.count
        );
        rejected += u32::from(row.expect == Expect::Reject);
    }
    assert!(rejected >= 27, "only {rejected} bad dealers were tried");
}

#[test]
fn full_set_holds_bad_limit_and_ideal_rows_at_both_sizes() {
    for expect in [Expect::Reject, Expect::Pass, Expect::Blind] {
        for cards in [52, 416] {
            assert!(rows().iter().any(|row| row.expect == expect && row.cards == cards));
        }
    }
}

#[test]
fn fed_back_riffles_are_seen_only_relative_to_the_shuffle_before() {
    let outcomes = orders(&Bad { shuffle: Shuffle::RifflesFedBack(7), seed: 3 }, 52, 1000);
    let family =
        |family| outcomes.iter().filter(|o| o.family == family).cloned().collect::<Vec<_>>();
    let ln_p =
        |outcomes: &[Outcome], name| outcomes.iter().find(|o| o.name == name).unwrap().ln_p();
    assert!(ln_p(&family(Family::Relative), "rising sequences") < -300.0);
    assert!(ln_p(&family(Family::Dealt), "rising sequences") > -15.0);
}

#[test]
fn all_nineteen_tests_run_on_a_full_deck_and_the_second_family_counts_none_twice() {
    let outcomes = orders(&Ideal(5), 52, 710_000);
    let numbers = |family| {
        outcomes.iter().filter(move |o| o.family == family).map(|o| o.number).collect::<Vec<_>>()
    };
    assert_eq!(numbers(Family::Dealt), (1..=19).collect::<Vec<u8>>());
    assert_eq!(numbers(Family::Relative), (1..=19).filter(|&n| n != 7).collect::<Vec<u8>>());
    assert_eq!(of_run(&outcomes), Verdict::Pass);
}

#[test]
fn same_seed_gives_the_same_p_values_and_another_seed_others() {
    let p = |seed| orders(&Ideal(seed), 52, 3000).iter().map(|o| o.ln_p()).collect::<Vec<_>>();
    assert_eq!(p(1), p(1));
    assert_ne!(p(1), p(2));
}

// PG-03, PG-05, PG-21: the very functions of the firmware.
#[test]
fn production_core_passes_small_runs_of_orders_and_numbers() {
    let supply = Production(Some(2));
    assert_eq!(of_run(&orders(&supply, 52, 20_000)), Verdict::Pass);
    assert_eq!(of_run(&orders(&supply, 416, 2_048)), Verdict::Pass);
    let size = Size { cards: 7, count: 100_000, first_stream: 0 };
    let numbers = count_numbers(&supply, size, &ProgressBar::hidden()).unwrap().judge();
    assert_eq!(of_run(&numbers), Verdict::Pass);
}

#[test]
fn order_with_a_card_twice_is_an_error_and_not_a_statistic() {
    struct Broken;
    impl Supply for Broken {
        fn name(&self) -> String {
            "broken".into()
        }
        fn deal(&self, stream: u64, cards: usize, orders: &mut [u16]) -> anyhow::Result<()> {
            Ideal(1).deal(stream, cards, orders)?;
            orders[5] = orders[6];
            Ok(())
        }
    }
    let size = Size { cards: 52, count: 100, first_stream: 0 };
    let why = count_orders(&Broken, size, &ProgressBar::hidden()).unwrap_err().to_string();
    assert!(why.contains("does not hold each card once"), "{why}");
}

// The 1e-6 alarm rate, in small; the release suite counts a thousand runs.
#[test]
fn p_values_of_ideal_runs_are_uniform() {
    let spreads = survey(9, 100, 52, 2048, &ProgressBar::hidden()).unwrap();
    for spread in spreads.iter().filter(|spread| spread.smooth) {
        let (distance, p) = spread.distance();
        assert!(p > LIMIT, "{} {}: distance {distance}, p {p}", spread.name, spread.family.word());
    }
}
