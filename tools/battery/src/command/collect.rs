//! `collect`: the two collection tools a laboratory asks for (PG-21).

use super::{firmware_commit, progress};
use anyhow::{Context, Result, ensure};
use battery::collect::collect;
use battery::evidence::{Header, Kind, NoiseOrigin};
use battery::production::Production;
use battery::run::MOST_CARDS;
use battery::simulated::Simulated;
use battery::supply::Supply;
use battery::wheel::Wheel;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;

/// What to collect.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum What {
    /// Shuffled orders: final outcomes.
    Orders,
    /// Numbers from 1 to --cards: final outcomes.
    Numbers,
    /// Generator output before scaling and shuffling.
    Raw,
}

/// Where the production code runs.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum From {
    /// On this computer, over its random device.
    Host,
    /// In the simulated chip.
    Qemu,
    /// The same computer, and what its orders come to in the simulated shuffler.
    Wheel,
}

/// Collect evidence. The same line continues an interrupted collection.
#[derive(Debug, Args)]
pub struct Collect {
    what: What,
    /// Cards in an order, or the highest number. Default 52 for orders, 7 for numbers.
    #[arg(long)]
    cards: Option<u16>,
    /// Orders, numbers or bytes to collect.
    #[arg(long)]
    count: u64,
    #[arg(long, value_enum, default_value = "host")]
    from: From,
    /// Seed the noise, so that the same file can be made again; the random device without.
    #[arg(long)]
    seed: Option<u64>,
    /// Raw words that a board gave, as `cargo xtask silicon-check noise` writes them; with --from qemu
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    noise: Option<PathBuf>,
    #[arg(long)]
    out: PathBuf,
}

impl Collect {
    /// Runs the command.
    pub fn run(&self) -> Result<ExitCode> {
        let (kind, usual) = match self.what {
            What::Orders => (Kind::Orders, 52),
            What::Numbers => (Kind::Numbers, 7),
            What::Raw => (Kind::Raw, 256),
        };
        let cards = self.cards.unwrap_or(usual);
        ensure!(self.count > 0, "nothing to collect: --count is 0");
        ensure!(
            kind != Kind::Orders || (4..=MOST_CARDS as u16).contains(&cards),
            "an order has 4 to {MOST_CARDS} cards, not {cards}"
        );
        ensure!(kind != Kind::Raw || cards == 256, "raw output is bytes: leave out --cards");
        ensure!(
            self.noise.is_none() || matches!(self.from, From::Qemu),
            "--noise feeds the core in QEMU: give --from qemu too"
        );
        let supply = self.supply()?;
        let header = Header {
            kind,
            cards,
            count: self.count,
            noise: self.seed.map_or(NoiseOrigin::Physical, NoiseOrigin::Seeded),
            commit: firmware_commit(),
            source: format!("{:?}: {}", self.from, supply.name()).to_lowercase(),
        };
        let bar = progress(self.count, kind.word());
        let digest = collect(supply.as_ref(), header, &self.out, &bar)?;
        bar.finish_and_clear();
        match digest {
            Some(chain) => {
                let hex: String = chain.iter().map(|byte| format!("{byte:02x}")).collect();
                println!("{}: {} {}, digest {hex}", self.out.display(), self.count, kind.word());
            }
            None => println!("{} is already whole", self.out.display()),
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Where the records come from; an interrupted guest leaves nothing behind.
    fn supply(&self) -> Result<Box<dyn Supply>> {
        match self.from {
            From::Host => Ok(Box::new(Production(self.seed))),
            From::Wheel => {
                let seed = self.seed.context("the simulated shuffler needs a --seed")?;
                Ok(Box::new(Wheel(seed)))
            }
            From::Qemu => {
                ctrlc::set_handler(hil_tests::wait::interrupt)
                    .context("cannot listen for Ctrl-C")?;
                Ok(Box::new(match (&self.noise, self.seed) {
                    (Some(file), _) => Simulated::Recorded(file.clone()),
                    (None, Some(seed)) => Simulated::Seeded(seed),
                    (None, None) => Simulated::Random,
                }))
            }
        }
    }
}
