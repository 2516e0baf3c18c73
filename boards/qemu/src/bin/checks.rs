//! Checks of this board's own parts, driven by the bench: `mode=` says which.
//!
//! `echo` sends back what comes in on three UARTs; `store` counts in the store until
//! it is killed; `shim` runs every load and store the shim knows; `trespass` writes a
//! register it does not know, which must end the run; `noise` reads the noise source.
#![no_std]
#![no_main]

use adapters::executor;
use board_qemu::{Rest, host, nor::NorFile};
use core::arch::asm;
use croupier::entropy::NoiseSource;
use croupier::identity::DeviceKind;
use croupier::store::{Key, Record, Store};
use embassy_stm32::usart::BufferedUart;
use embedded_io_async::{Read, Write};

#[embassy_executor::task(pool_size = 3)]
async fn echo(mut uart: BufferedUart<'static>) -> ! {
    let mut bytes = [0; 64];
    loop {
        if let Ok(count) = uart.read(&mut bytes).await
            && uart.write_all(&bytes[..count]).await.is_err()
        {
            defmt::error!("echo: write failed");
        }
    }
}

/// A value whose halves must agree, so that a mix of two writes would show.
struct Tally(u32);

impl Record for Tally {
    const KEY: Key = Key::Sequence;
    type Buffer = [u8; 24];
    const BUFFER: [u8; 24] = [0; 24];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        let out = out.get_mut(..24)?;
        out[..4].copy_from_slice(&self.0.to_le_bytes());
        out[4..20].fill(self.0 as u8);
        out[20..].copy_from_slice(&(!self.0).to_le_bytes());
        Some(24)
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let count = u32::from_le_bytes(*bytes.first_chunk()?);
        let agrees = bytes.len() == 24
            && bytes[4..20].iter().all(|&byte| byte == count as u8)
            && bytes[20..] == (!count).to_le_bytes();
        agrees.then_some(Self(count))
    }
}

/// Counts in the store as fast as it can.
fn count_in(flash: NorFile) -> ! {
    let mut store = match Store::open(flash) {
        Ok(store) => store,
        Err(error) => fail(error),
    };
    let mut count = match store.get::<Tally>() {
        Ok(found) => found.map_or(0, |tally| tally.0),
        Err(error) => fail(error),
    };
    defmt::info!("found {}", count);
    loop {
        count += 1;
        if let Err(error) = store.put(&Tally(count)) {
            fail(error);
        }
        defmt::info!("stored {}", count);
    }
}

fn fail(why: impl defmt::Format) -> ! {
    defmt::error!("check failed: {}", why);
    semihosting::process::exit(1)
}

/// A power-control register the shim keeps in memory and nothing else uses (PUCRA).
const SCRATCH: u32 = 0x4000_7020;
/// The flash control register, which the shim does not know: QEMU cannot program flash.
const UNKNOWN: u32 = 0x4002_2014;

/// Loads and stores in each form a compiler may choose, against a register in the shim.
fn every_form() {
    let (word, half, byte, high, indexed, below): (u32, u32, u32, u32, u32, u32);
    // SAFETY: plain loads and stores of one register that only this check uses.
    unsafe {
        asm!(
            "str {value}, [{base}]",
            "ldr {word}, [{base}]",
            "ldrh {half}, [{base}, #2]",
            "ldrb.w {byte}, [{base}, #1]",
            "ldr.w r8, [{base}, #0]",
            "mov {high}, r8",
            "ldr.w {indexed}, [{near}, {index}, lsl #2]",
            "ldr {below}, [{beyond}, #-4]",
            value = in(reg) 0x8765_4321_u32,
            base = in(reg) SCRATCH,
            near = in(reg) SCRATCH - 8,
            index = in(reg) 2,
            beyond = in(reg) SCRATCH + 4,
            word = out(reg) word,
            half = out(reg) half,
            byte = out(reg) byte,
            high = out(reg) high,
            indexed = out(reg) indexed,
            below = out(reg) below,
            out("r8") _,
        );
    }
    let (taken, branch): (u32, u32);
    // SAFETY: as above; a load inside an IT block, whose later conditions must hold too.
    unsafe {
        asm!(
            "cmp {base}, {base}",
            "itte eq",
            "ldreq {taken}, [{base}]",
            "moveq {branch}, #1",
            "movne {branch}, #2",
            base = in(reg) SCRATCH,
            taken = out(reg) taken,
            branch = out(reg) branch,
        );
    }
    if (taken, branch) != (word, 1) {
        fail((taken, branch));
    }
    let seen = [word, half, byte, high, indexed, below];
    let right = [0x8765_4321, 0x8765, 0x43, 0x8765_4321, 0x8765_4321, 0x8765_4321];
    if seen != right {
        fail(seen);
    }
    defmt::info!("every form carried out");
}

fn read_noise(mut source: impl NoiseSource) {
    for _ in 0..4 {
        match source.word() {
            Ok(word) => defmt::info!("noise {=u32:08x}", word),
            Err(fault) => defmt::info!("noise fault {}", fault),
        }
    }
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let (common, _) = board_qemu::bring_up(DeviceKind::Reader);
    let motion_link = common.motion_link;
    let Rest { mut ready, flash, noise, table_link, table_bus, .. } = common.rest;
    let mode = host::value("mode");
    match mode.as_deref().unwrap_or("echo") {
        "echo" => {}
        "store" => match flash {
            Ok(flash) => count_in(flash),
            Err(error) => fail(error),
        },
        "shim" => every_form(),
        // SAFETY: none, on purpose: the shim must refuse it and end the run.
        "trespass" => unsafe { (UNKNOWN as *mut u32).write_volatile(1) },
        "noise" => read_noise(noise),
        _ => fail("unknown mode"),
    }
    executor::run(|spawner, _| {
        for uart in [table_link, table_bus, motion_link] {
            spawner.spawn(echo(uart).expect("a pool of three"));
        }
        ready.set_high();
        defmt::info!("ready after {} us", embassy_time::Instant::now().as_micros());
    })
}
