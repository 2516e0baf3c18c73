//! Many cycles instead of one to watch: a campaign for each game, and what they came to.

use std::time::Instant;

use anstream::println;
use arguments::Shuffle;
use croupier::shuffler::Model;
use hil_tests::wait;
use hil_tests::world::shuffler::{Campaign, Results};
use indicatif::{ProgressBar, ProgressStyle};

use crate::options;

/// What a campaign came to.
struct Played {
    campaign: Campaign,
    results: Results,
    /// Cycles, or cards, in a second of this computer.
    speed: f64,
}

/// Plays what is asked for and prints the figures; whether nothing was wrong.
pub(crate) fn play(options: &Shuffle, count: u64) -> Result<bool, String> {
    let campaigns = options::campaigns(options)?;
    let bar = bar(count * campaigns.len() as u64);
    let seed = options.seed.unwrap_or(1);
    let mut all = Vec::new();
    for campaign in campaigns {
        bar.set_message(campaign.chosen.game.profile().chapter);
        let begun = Instant::now();
        let results = campaign.play_all(seed, count, |cycles| bar.inc(cycles));
        let done =
            if campaign.model == Model::Continuous { results.dealt } else { results.started };
        let speed = done as f64 / begun.elapsed().as_secs_f64();
        all.push(Played { campaign, results, speed });
        if wait::interrupted() {
            break;
        }
    }
    bar.finish_and_clear();
    for played in &all {
        println!("{}, {}:", chapter(played), machine(played));
        println!("{}", played.results);
    }
    println!("{HEAD}");
    for played in &all {
        println!("{}", row(played));
    }
    Ok(all.iter().all(|played| played.results.is_clean()))
}

fn bar(cycles: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{msg:>14} {bar:30} {human_pos} of {human_len}, {eta}")
            .expect("the template is well formed");
    ProgressBar::new(cycles).with_style(style)
}

const HEAD: &str = "\
game            machine     cards    cycles certified   dealt cards wrong planted  right decks  by itself   mean      per s
                                                                          cert./in  condemned          %      s
";

fn row(played: &Played) -> String {
    let results = &played.results;
    let total = played.campaign.total();
    let planted = format!("{}/{}", results.planted_certified, results.planted);
    let mean = match played.campaign.model {
        Model::Continuous => "-".to_owned(),
        _ => format!("{:.2}", results.mean_s()),
    };
    format!(
        "{:<15} {:<10} {total:>6} {:>9} {:>9} {:>13} {:>5} {planted:>8} {:>11} {:>10.3} {mean:>6} {:>10.0}",
        chapter(played),
        machine(played),
        results.started,
        results.certified,
        results.dealt,
        results.wrongly_certified(),
        results.falsely_condemned,
        100.0 * results.availability(),
        played.speed,
    )
}

fn chapter(played: &Played) -> &'static str {
    played.campaign.chosen.game.profile().chapter
}

const fn machine(played: &Played) -> &'static str {
    match played.campaign.model {
        Model::SingleDeck => "single",
        Model::MultiDeck => "multi",
        Model::Continuous => "continuous",
    }
}
