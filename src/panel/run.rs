//! The loop that joins the panel's ports to its rules.
use super::ports::{CheckIn, Clock, Key, Lamps};
use super::{Debounce, LampTest};
use embassy_futures::select::{Either, select};

/// Answers task watchdog at least this often.
const ROUND_MS: u64 = 100;

/// Runs the lamp test for ever; `told` hears when one begins and when it ends.
pub async fn run(
    mut key: impl Key,
    mut lamps: impl Lamps,
    mut clock: impl Clock,
    mut check_in: impl CheckIn,
    mut told: impl FnMut(bool),
) -> ! {
    let mut contacts = Debounce::new();
    let mut test = LampTest::new();
    loop {
        check_in.check_in();
        let now = clock.now_ms();
        if let Some(event) = contacts.sample(key.is_down(), now) {
            test = test.after(event, now);
            told(test.is_running());
        }
        lamps.set_all(test.is_lit(now));

        let next = [contacts.settles_at(), test.changes_at(now)].into_iter().flatten();
        let wake = next.fold(now.saturating_add(ROUND_MS), u64::min);
        if let Either::First(()) = select(key.changed(), clock.wait_until(wake)).await {
            contacts.bounce(clock.now_ms());
        }
    }
}
