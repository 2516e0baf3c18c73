//! What QEMU lacks is made up for, and what nobody knows ends the run.

use hil_tests::{Bench, BenchError, Guest, Setup, plan::Plan};

fn checks(mode: &str) -> Result<Guest, BenchError> {
    Guest::open(&Plan::chosen()?, Setup::new("checks").argument("mode", mode).without_watchdog())
}

#[test]
fn every_load_and_store_a_compiler_may_choose_is_carried_out() -> Result<(), BenchError> {
    let mut bench = checks("shim")?;
    bench.power_on()?;
    bench.await_log("every form carried out")?;
    bench.await_log("ready after")?;
    Ok(())
}

#[test]
fn a_register_the_shim_does_not_know_ends_the_run_and_is_reported() -> Result<(), BenchError> {
    let mut bench = checks("trespass")?;
    bench.power_on()?;
    bench.await_log("reset: power on")?;
    bench.await_log("reset: hard fault at")?;
    Ok(())
}

#[test]
fn noise_comes_from_the_named_file_word_by_word_and_its_end_is_a_fault() -> Result<(), BenchError> {
    let words = [0x0403_0201_u32, 0, 0xFFFF_FFFF];
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let file = tempfile::NamedTempFile::new().map_err(BenchError::io("making a noise file"))?;
    std::fs::write(file.path(), bytes).map_err(BenchError::io("writing the noise file"))?;

    let mut setup = Setup::new("checks").argument("mode", "noise").without_watchdog();
    setup.entropy = file.path().into();
    let mut bench = Guest::open(&Plan::chosen()?, setup)?;
    bench.power_on()?;
    for expected in ["noise 04030201", "noise fault Zero", "noise ffffffff", "noise fault Silent"] {
        bench.await_log(expected)?;
    }
    Ok(())
}
