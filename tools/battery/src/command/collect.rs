//! `collect`: the two collection tools a laboratory asks for (PG-21).

use super::{firmware_commit, progress};
use anyhow::{Context, Result};
use arguments::{Collect, From, What};
use battery::collect::collect;
use battery::evidence::{Header, Kind, NoiseOrigin};
use battery::production::Production;
use battery::simulated::Simulated;
use battery::supply::Supply;
use battery::wheel::Wheel;
use std::process::ExitCode;

/// Runs the command; the same line continues an interrupted collection.
pub(crate) fn run(arguments: &Collect) -> Result<ExitCode> {
    let kind = match arguments.what {
        What::Orders => Kind::Orders,
        What::Numbers => Kind::Numbers,
        What::Raw => Kind::Raw,
    };
    let supply = supply(arguments)?;
    let header = Header {
        kind,
        cards: arguments.cards(),
        count: arguments.count,
        noise: arguments.seed.map_or(NoiseOrigin::Physical, NoiseOrigin::Seeded),
        commit: firmware_commit(),
        source: format!("{:?}: {}", arguments.from, supply.name()).to_lowercase(),
    };
    let bar = progress(arguments.count, kind.word());
    let digest = collect(supply.as_ref(), header, &arguments.out, &bar)?;
    bar.finish_and_clear();
    match digest {
        Some(chain) => {
            let hex: String = chain.iter().map(|byte| format!("{byte:02x}")).collect();
            println!(
                "{}: {} {}, digest {hex}",
                arguments.out.display(),
                arguments.count,
                kind.word()
            );
        }
        None => println!("{} is already whole", arguments.out.display()),
    }
    Ok(ExitCode::SUCCESS)
}

/// Where the records come from; an interrupted guest leaves nothing behind.
fn supply(arguments: &Collect) -> Result<Box<dyn Supply>> {
    match arguments.from {
        From::Host => Ok(Box::new(Production(arguments.seed))),
        From::Wheel => {
            let seed = arguments.seed.context("the simulated shuffler needs a --seed")?;
            Ok(Box::new(Wheel(seed)))
        }
        From::Qemu => {
            ctrlc::set_handler(hil_tests::wait::interrupt).context("cannot listen for Ctrl-C")?;
            Ok(Box::new(match (&arguments.noise, arguments.seed) {
                (Some(file), _) => Simulated::Recorded(file.clone()),
                (None, Some(seed)) => Simulated::Seeded(seed),
                (None, None) => Simulated::Random,
            }))
        }
    }
}
