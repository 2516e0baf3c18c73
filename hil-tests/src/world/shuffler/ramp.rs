//! A motor's ramp: where it is and how fast, at any moment, by formula.
//!
//! No integration in small steps, so a year of turning costs what a second does and two
//! runs agree to the last digit.

/// What the ramp is after.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    /// Stop at this place.
    Place(f64),
    /// Keep this speed; negative turns down.
    Speed(f64),
}

/// A stretch of constant acceleration.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Leg {
    seconds: f64,
    acceleration: f64,
}

/// A motion from one place and speed towards an aim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ramp {
    place: f64,
    speed: f64,
    legs: [Leg; 4],
    aim: Aim,
}

impl Ramp {
    /// At rest.
    pub fn resting(place: f64) -> Self {
        Self { place, speed: 0.0, legs: [Leg::default(); 4], aim: Aim::Place(place) }
    }

    /// From `place` at `speed` towards `aim`, never faster than `fastest`.
    pub fn new(place: f64, speed: f64, aim: Aim, fastest: f64, acceleration: f64) -> Self {
        let legs = match aim {
            Aim::Speed(wanted) => {
                let mut legs = [Leg::default(); 4];
                legs[0] = change(speed, wanted, acceleration);
                legs
            }
            Aim::Place(target) => towards(target - place, speed, fastest, acceleration),
        };
        Self { place, speed, legs, aim }
    }

    /// How long it takes to end: for ever counts as zero, the speed being reached.
    pub fn seconds(&self) -> f64 {
        self.legs.iter().map(|leg| leg.seconds).sum()
    }

    /// Place and speed after `seconds`.
    pub fn after(&self, seconds: f64) -> (f64, f64) {
        let (mut place, mut speed, mut left) = (self.place, self.speed, seconds);
        for leg in self.legs {
            let time = leg.seconds.min(left);
            place += speed * time + 0.5 * leg.acceleration * time * time;
            speed += leg.acceleration * time;
            left -= time;
            if left <= 0.0 {
                return (place, speed);
            }
        }
        match self.aim {
            Aim::Place(target) => (target, 0.0),
            Aim::Speed(wanted) => (place + wanted * left, wanted),
        }
    }
}

/// The time a turn takes from rest to rest.
pub fn seconds_for(distance: f64, fastest: f64, acceleration: f64) -> f64 {
    Ramp::new(0.0, 0.0, Aim::Place(distance.abs()), fastest, acceleration).seconds()
}

fn change(from: f64, to: f64, acceleration: f64) -> Leg {
    let signed = if to >= from { acceleration } else { -acceleration };
    Leg { seconds: (to - from).abs() / acceleration, acceleration: signed }
}

/// Brakes first if it goes the wrong way or too fast to stop in time; then up, along, down.
fn towards(distance: f64, speed: f64, fastest: f64, acceleration: f64) -> [Leg; 4] {
    let braking = change(speed, 0.0, acceleration);
    let braked = speed * braking.seconds / 2.0;
    let overshoots = distance * speed < 0.0 || braked.abs() > distance.abs() + 1e-6;
    if overshoots {
        let [up, along, down, _] = towards(distance - braked, 0.0, fastest, acceleration);
        return [braking, up, along, down];
    }
    let (way, length) = (distance.signum(), distance.abs());
    let begun = speed.abs();
    let peak = (acceleration * length + begun * begun / 2.0).sqrt().min(fastest.max(begun));
    let up = change(way * begun, way * peak, acceleration);
    let down = change(way * peak, 0.0, acceleration);
    let ramps = (begun + peak) / 2.0 * up.seconds + peak / 2.0 * down.seconds;
    let along = if peak > 0.0 { (length - ramps).max(0.0) / peak } else { 0.0 };
    [up, Leg { seconds: along, acceleration: 0.0 }, down, Leg::default()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_turn_never_reaches_full_speed_and_a_long_one_does() {
        // 1000 steps at 1e6/s2: half way up, half way down, 2 * sqrt(1000 / 1e6).
        assert!((seconds_for(1_000.0, 50_000.0, 1e6) - 0.0632).abs() < 1e-3);
        // 0.05 s up, 0.05 s down cover 2500; the rest at 50000 a second.
        assert!((seconds_for(12_500.0, 50_000.0, 1e6) - 0.3).abs() < 1e-9);
        assert_eq!(seconds_for(0.0, 50_000.0, 1e6), 0.0);
    }

    #[test]
    fn every_ramp_ends_at_its_aim_and_never_jumps() {
        for (place, speed, target) in [
            (0.0, 0.0, 900.0),
            (50.0, 0.0, -7_000.0),
            (0.0, 30_000.0, 100.0),
            (0.0, -9_000.0, 640.0),
        ] {
            let ramp = Ramp::new(place, speed, Aim::Place(target), 50_000.0, 1e6);
            let mut last = (place, speed);
            for step in 1..=2_000 {
                let seconds = ramp.seconds() * f64::from(step) / 2_000.0;
                let now = ramp.after(seconds);
                let dt = ramp.seconds() / 2_000.0;
                assert!((now.0 - last.0).abs() <= 50_001.0 * dt, "jumped at {step}");
                assert!((now.1 - last.1).abs() <= 1.01e6 * dt, "pushed too hard at {step}");
                last = now;
            }
            assert!((last.0 - target).abs() < 1e-3 && last.1.abs() < 1e-3, "{target}: {last:?}");
        }
        let ramp = Ramp::new(0.0, 0.0, Aim::Speed(-100.0), 50_000.0, 1e6);
        assert_eq!(ramp.after(10.0).1, -100.0);
    }
}
