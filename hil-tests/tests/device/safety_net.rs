//! Whatever goes wrong inside, the device makes its outputs safe, comes back, says why.

use hil_tests::plan::Plan;
use hil_tests::{Bench, BenchError, Guest, Mark, Setup, open};

const DEVICES: [&str; 3] = ["reader", "shuffler", "paigow"];

/// Boots, and has all lamps lit: now there is something to make safe.
fn lit(device: &str) -> Result<Box<dyn Bench>, BenchError> {
    let mut bench = open(device)?;
    bench.boot()?;
    // A tap that the next reset lets go of, so that what is lit afterwards is the device's doing.
    bench.hand().trip("lamp-test")?;
    let lamps: Vec<&str> = bench.wiring().lamps.iter().map(String::as_str).collect();
    bench.await_pins(&lamps, true)?;
    Ok(bench)
}

/// From the fall until the next `ready`, as the pins show: every lamp dark, by the device's own
/// hand before its reset, and none comes on. Ports are written one after the other, the fault lamp's
/// among the first.
fn outputs_were_safe(bench: &dyn Bench, mark: Mark) -> Result<(), BenchError> {
    let lamps = &bench.wiring().lamps;
    let (_, crashed) = bench.await_edge("fault", true, mark)?;
    let (_, reset) = bench.await_edge("fault", false, crashed)?;
    let (ready, _) = bench.await_edge("ready", true, crashed)?;
    let lit: Vec<_> =
        bench.pins().on_at(reset).into_iter().filter(|pin| lamps.contains(pin)).collect();
    assert!(lit.is_empty(), "still lit when the reset came: {lit:?}");
    let between = bench.pins().edges(crashed).into_iter().take_while(|edge| edge.at < ready.at);
    let lit: Vec<_> = between.filter(|edge| edge.on && lamps.contains(&edge.pin)).collect();
    assert_eq!(lit, [], "lit between fault and ready");
    Ok(())
}

fn raises_out_of_order(bench: &dyn Bench, mark: Mark) -> Result<(), BenchError> {
    match bench.device() {
        // SH-23: a shuffler that crashed is out of order until it says otherwise.
        "shuffler" => bench.await_edge("out-of-order", true, mark).map(drop),
        _ => Ok(()),
    }
}

/// Injects a fault into a device and checks that it crashes safely by itself and tells why.
fn crashes_safely(device: &str, fault: &str, why: &str) -> Result<(), BenchError> {
    let bench = lit(device)?;
    let mark = bench.pins().mark();
    bench.hand().trip(fault)?;
    raises_out_of_order(&*bench, mark)?;
    outputs_were_safe(&*bench, mark)?;
    let said = bench.await_log("reset: ")?.message;
    assert!(said.starts_with(&format!("reset: {why}")), "{device}: {said}");
    bench.await_log("ready after")?;
    bench.await_pin("fault", false)?;
    assert_eq!(bench.watchdog_resets(), 0, "{device} needed help");
    works_again(&*bench)
}

fn works_again(bench: &dyn Bench) -> Result<(), BenchError> {
    let mark = bench.pins().mark();
    bench.press("lamp-test")?;
    for lamp in &bench.wiring().lamps {
        bench.await_edge(lamp, true, mark)?;
    }
    bench.release("lamp-test")
}

#[test]
fn panic_is_survived_and_reported() -> Result<(), BenchError> {
    DEVICES.iter().try_for_each(|device| crashes_safely(device, "fault-panic", "panic at "))
}

#[test]
fn hard_fault_is_survived_and_reported() -> Result<(), BenchError> {
    DEVICES
        .iter()
        .try_for_each(|device| crashes_safely(device, "fault-hard-fault", "hard fault at "))
}

#[test]
fn hung_task_is_survived_and_reported() -> Result<(), BenchError> {
    DEVICES.iter().try_for_each(|device| crashes_safely(device, "fault-hang", "hung task: "))
}

#[test]
fn stack_overflow_is_survived_and_reported() -> Result<(), BenchError> {
    DEVICES.iter().try_for_each(|device| crashes_safely(device, "fault-stack", "hard fault at "))
}

#[test]
fn dead_interrupts_are_ended_by_the_watchdog() -> Result<(), BenchError> {
    for device in DEVICES {
        let bench = lit(device)?;
        bench.hand().trip("fault-dead")?;
        let said = bench.await_log("reset: ")?.message;
        assert!(said.starts_with("reset: watchdog"), "{device}: {said}");
        bench.await_log("ready after")?;
        assert_eq!(bench.watchdog_resets(), 1, "{device}");
        works_again(&*bench)?;
    }
    Ok(())
}

#[test]
fn power_cut_is_survived_and_starts_afresh() -> Result<(), BenchError> {
    for device in DEVICES {
        let mut bench = lit(device)?;
        bench.cut_power()?;
        for output in bench.wiring().outputs.keys() {
            assert!(!bench.is_on(output)?, "{output} is lit without power");
        }
        bench.power_on()?;
        let said = bench.await_log("reset: ")?.message;
        assert!(said.starts_with("reset: power on"), "{device}: {said}");
        bench.await_log("ready after")?;
        works_again(&*bench)?;
    }
    Ok(())
}

#[test]
fn reset_line_is_survived_and_reported() -> Result<(), BenchError> {
    for device in DEVICES {
        let mut bench = lit(device)?;
        bench.reset()?;
        let said = bench.await_log("reset: ")?.message;
        assert!(said.starts_with("reset: reset line"), "{device}: {said}");
        bench.await_log("ready after")?;
        works_again(&*bench)?;
    }
    Ok(())
}

#[test]
fn brown_out_is_survived_and_reported() -> Result<(), BenchError> {
    for device in DEVICES {
        let mut guest = Guest::open(&Plan::chosen()?, Setup::new(device))?;
        guest.boot()?;
        guest.await_log("image sha256 ")?;
        guest.brown_out()?;
        let said = guest.await_log("reset: ")?.message;
        assert!(said.starts_with("reset: power on"), "{device}: {said}");
        guest.await_log("ready after")?;
        works_again(&guest)?;
    }
    Ok(())
}

/// A finger does not let go because the device crashed.
#[test]
fn held_key_is_still_held_after_a_crash() -> Result<(), BenchError> {
    let mut bench = open("paigow")?;
    bench.boot()?;
    bench.press("lamp-test")?;
    bench.await_pin("segment-a", true)?;
    let mark = bench.pins().mark();
    bench.hand().trip("fault-panic")?;
    let (_, crashed) = bench.await_edge("fault", true, mark)?;
    let (_, back) = bench.await_edge("ready", true, crashed)?;
    bench.await_edge("segment-a", true, back).map(drop)
}
