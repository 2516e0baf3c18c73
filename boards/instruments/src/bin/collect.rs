//! Writes what the random core makes to the host, for `cargo xtask collect --from qemu`.
//!
//! Core and store are those of the devices, noise is the host's, and nothing here touches a
//! record but to write it, laid out as in a block of an evidence file. A record is
//! written when its request has passed: after a fault the file holds nothing of it.
//!
//! Arguments: `mode=` orders, numbers or raw, `cards=`, `count=` and `report=`, the file.
#![no_std]
#![no_main]

use core::num::NonZeroU8;
use core::str::FromStr;
use croupier::entropy::{MOST_CARDS, OrderBuffer, RandomCore, RngFault};
use croupier::services::StoreHandle;
use instruments::noise::NoiseFile;
use instruments::nor::NorFile;
use instruments::{clock, context, host};
use rand_core::TryRng;
use semihosting::fs::File;
use semihosting::io::Write;

type Core = RandomCore<NoiseFile, StoreHandle<NorFile>>;

/// Raw bytes asked of the core at once: one request each.
const RAW_REQUEST: usize = 1024;

/// Why the collection is not whole.
#[derive(defmt::Format)]
enum Short {
    /// The command line lacks this, or holds what it may not.
    Argument(&'static str),
    /// The core gave no record.
    Core(RngFault),
    /// The host did not take one.
    Host,
}

impl From<RngFault> for Short {
    fn from(fault: RngFault) -> Self {
        Self::Core(fault)
    }
}

impl From<semihosting::io::Error> for Short {
    fn from(_: semihosting::io::Error) -> Self {
        Self::Host
    }
}

impl Short {
    /// What QEMU ends with: the core's refusal is a finding, the others are mistakes.
    fn exit_code(&self) -> i32 {
        match self {
            Self::Core(_) => 1,
            Self::Argument(_) | Self::Host => 2,
        }
    }
}

fn argument<T: FromStr>(key: &'static str) -> Result<T, Short> {
    host::value(key).and_then(|value| value.parse().ok()).ok_or(Short::Argument(key))
}

fn orders(core: &mut Core, count: usize, mut file: File) -> Result<(), Short> {
    let cards = argument("cards")?;
    let width = if cards > 256 { 2 } else { 1 };
    let mut tray = OrderBuffer::new();
    let mut record = [0; 2 * MOST_CARDS];
    for _ in 0..count {
        let order = core.order(cards, &mut tray)?;
        let places = record.chunks_exact_mut(width);
        places.zip(order.cards()).for_each(|(place, card)| {
            place.copy_from_slice(&card.to_le_bytes()[..width]);
        });
        file.write_all(&record[..width * cards])?;
    }
    Ok(())
}

fn numbers(core: &mut Core, count: usize, mut file: File) -> Result<(), Short> {
    let most: NonZeroU8 = argument("cards")?;
    for _ in 0..count {
        file.write_all(&[core.number(most)?.get()])?;
    }
    Ok(())
}

fn raw(core: &mut Core, count: usize, mut file: File) -> Result<(), Short> {
    let mut bytes = [0; RAW_REQUEST];
    for begun in (0..count).step_by(RAW_REQUEST) {
        let request = &mut bytes[..RAW_REQUEST.min(count - begun)];
        core.try_fill_bytes(request)?;
        file.write_all(request)?;
    }
    Ok(())
}

fn collect() -> Result<(), Short> {
    let path = host::path("report").ok_or(Short::Argument("report"))?;
    let file = File::create(path.as_c_str())?;
    let mut core = RandomCore::new(NoiseFile::open(), context::store(), instruments::serial().0);
    core.start()?;
    let (mode, count) = (host::value("mode"), argument("count")?);
    match mode.as_deref() {
        Some("orders") => orders(&mut core, count, file),
        Some("numbers") => numbers(&mut core, count, file),
        Some("raw") => raw(&mut core, count, file),
        _ => Err(Short::Argument("mode")),
    }
}

#[cortex_m_rt::entry]
fn main() -> ! {
    clock::start();
    let code = match collect() {
        Ok(()) => 0,
        Err(short) => {
            defmt::error!("collection ended: {}", short);
            short.exit_code()
        }
    };
    semihosting::process::exit(code)
}
