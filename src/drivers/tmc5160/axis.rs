//! An axis: set up, homed, turned from place to place.
//!
//! Nothing here waits: a caller with a clock asks [`Axis::look`] now and then how a turn
//! stands, and knows how long it may take. After any fault the axis must be homed again.
//!
//! Homing runs down to the flag at [`MotionProfile::search`], backs off, and meets the flag's edge
//! again at [`MotionProfile::creep`]; that edge is place zero. Going down the switch closes there,
//! going up it opens there, so by latching the right one of the two the very same edge
//! checks every later turn that passes it.

use embedded_io_async::{Read, Write};

use super::controller::{Controller, Error};
use super::motion_profile::{MotionProfile, Motor, acceleration_units, speed_units};
use super::register::Register::{self, *};
use super::register::{gstat, ramp_mode, ramp_stat, sw_mode};

/// Places are renamed to stay far from where the controller's count would wrap.
const FARTHEST: u32 = 1 << 30;

/// Which way to turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Way {
    /// Towards higher places.
    Up,
    /// Towards lower places.
    Down,
}

/// How the axis stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum AxisStatus {
    /// Its place is not known.
    Unknown,
    /// It looks for its flag.
    Homing,
    /// It is on its way.
    Turning,
    /// It rests at its place.
    Resting,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Unknown,
    Searching,
    BackingOff,
    Creeping,
    Turning,
    Resting,
}

/// An axis with a motor, a home flag and a motion controller.
#[derive(Debug)]
pub struct Axis<L> {
    controller: Controller<L>,
    profile: MotionProfile,
    stage: Stage,
    target: i32,
    switches: u32,
}

impl<L: Read + Write> Axis<L> {
    /// An axis whose place is not known yet.
    pub fn new(line: L, profile: MotionProfile) -> Self {
        let controller = Controller::new(line);
        Self { controller, profile, stage: Stage::Unknown, target: 0, switches: 0 }
    }

    /// How it stood when last looked at.
    pub fn status(&self) -> AxisStatus {
        match self.stage {
            Stage::Unknown => AxisStatus::Unknown,
            Stage::Searching | Stage::BackingOff | Stage::Creeping => AxisStatus::Homing,
            Stage::Turning => AxisStatus::Turning,
            Stage::Resting => AxisStatus::Resting,
        }
    }

    /// The line it talks over: a bench looks at its far end.
    pub fn line(&mut self) -> &mut L {
        self.controller.line()
    }

    /// Datagrams repeated since power on.
    pub fn repeated(&self) -> u32 {
        self.controller.repeated()
    }

    /// Sets the controller up, whatever it held before. The motor holds, the place is unknown.
    async fn set_up(&mut self) -> Result<(), Error> {
        self.stage = Stage::Unknown;
        self.controller.greet().await?;
        let acceleration = acceleration_units(self.profile.acceleration);
        let Motor { currents, chopper, stall, stall_from } = *self.profile.motor;
        let values = [
            (Gstat, gstat::RESET | gstat::DRIVER | gstat::UNDERVOLTAGE),
            (Gconf, 0),
            (IholdIrun, currents),
            (Chopconf, chopper),
            (Coolconf, stall),
            (Tcoolthrs, stall_from),
            (RampMode, ramp_mode::HOLD),
            (VStart, 0),
            (A1, acceleration),
            (V1, 0),
            (AMax, acceleration),
            (DMax, acceleration),
            (D1, acceleration),
            (VStop, 10),
        ];
        self.write(&values).await?;
        self.watch(0).await
    }

    /// Sets the controller up again and begins to look for the flag.
    pub async fn home(&mut self) -> Result<(), Error> {
        let begun = self.begin_homing().await;
        self.guard(begun)
    }

    /// Begins to turn to `place`, microsteps from the flag's edge.
    pub async fn turn_to(&mut self, place: u32, way: Way) -> Result<(), Error> {
        let begun = self.begin_turn(place, way).await;
        self.guard(begun)
    }

    /// Begins a whole turn, up to where it rests.
    pub async fn turn_round(&mut self) -> Result<(), Error> {
        let begun = self.turn_by(self.profile.turn as i32, sw_mode::LATCH_OPENING).await;
        self.guard(begun)
    }

    /// How it stands now. It rests once the place has been checked.
    pub async fn look(&mut self) -> Result<AxisStatus, Error> {
        let seen = self.advance().await;
        self.guard(seen)?;
        Ok(self.status())
    }

    /// Brakes at once. Where it ends is not known well enough to go on without homing.
    pub async fn stop(&mut self) -> Result<(), Error> {
        self.stage = Stage::Unknown;
        self.controller.write(VMax, 0).await
    }

    fn guard(&mut self, result: Result<(), Error>) -> Result<(), Error> {
        if result.is_err() {
            self.stage = Stage::Unknown;
        }
        result
    }

    async fn begin_homing(&mut self) -> Result<(), Error> {
        self.set_up().await?;
        self.controller.write(RampStat, ramp_stat::STALLED | ramp_stat::STOPPED_LEFT).await?;
        if self.controller.read(RampStat).await? & ramp_stat::LEFT_CLOSED != 0 {
            let here = self.controller.read(XActual).await? as i32;
            return self.back_off(here).await;
        }
        self.run_down(self.profile.search, sw_mode::SOFT_STOP, Stage::Searching).await
    }

    async fn begin_turn(&mut self, place: u32, way: Way) -> Result<(), Error> {
        let turn = self.profile.turn as i32;
        let ahead = (place as i32).wrapping_sub(self.target).rem_euclid(turn);
        match way {
            Way::Up => self.turn_by(ahead, sw_mode::LATCH_OPENING).await,
            Way::Down => self.turn_by(-((turn - ahead) % turn), sw_mode::LATCH_CLOSING).await,
        }
    }

    async fn turn_by(&mut self, by: i32, edge: u32) -> Result<(), Error> {
        if self.stage != Stage::Resting {
            return Err(Error::NotHomed);
        }
        if self.target.unsigned_abs() > FARTHEST {
            let near = self.target.rem_euclid(self.profile.turn as i32);
            self.rename(near).await?;
        }
        self.watch(edge | sw_mode::STALL_STOPS).await?;
        self.target += by;
        self.controller.write(XTarget, self.target as u32).await?;
        self.stage = Stage::Turning;
        Ok(())
    }

    async fn advance(&mut self) -> Result<(), Error> {
        if matches!(self.stage, Stage::Unknown | Stage::Resting) {
            return Ok(());
        }
        let seen = self.controller.read(RampStat).await?;
        if seen & ramp_stat::STALLED != 0 {
            return Err(Error::Stalled);
        }
        let still = seen & ramp_stat::STILL != 0;
        match self.stage {
            Stage::Searching if still && seen & ramp_stat::STOPPED_LEFT != 0 => {
                let edge = self.controller.read(XLatch).await? as i32;
                self.back_off(edge).await
            }
            Stage::BackingOff if still && seen & ramp_stat::ARRIVED != 0 => {
                self.run_down(self.profile.creep, 0, Stage::Creeping).await
            }
            Stage::Creeping if still && seen & ramp_stat::STOPPED_LEFT != 0 => {
                self.name_the_edge_zero().await
            }
            Stage::Turning if still && seen & ramp_stat::ARRIVED != 0 => {
                self.check(seen).await?;
                self.stage = Stage::Resting;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Whether the controller is well, and the flag was where it should be.
    async fn check(&mut self, seen: u32) -> Result<(), Error> {
        let complaints = self.controller.read(Gstat).await?;
        if complaints & gstat::RESET != 0 {
            return Err(Error::Restarted);
        }
        if complaints & (gstat::DRIVER | gstat::UNDERVOLTAGE) != 0 {
            return Err(Error::Driver);
        }
        if seen & ramp_stat::LATCHED == 0 {
            return Ok(());
        }
        let turn = self.profile.turn as i32;
        let ahead = (self.controller.read(XLatch).await? as i32).rem_euclid(turn);
        let off = if ahead > turn / 2 { ahead - turn } else { ahead };
        self.controller.write(RampStat, ramp_stat::LATCHED).await?;
        if off.unsigned_abs() > self.profile.tolerance {
            return Err(Error::LostSteps(off));
        }
        Ok(())
    }

    async fn run_down(&mut self, speed: u32, how: u32, stage: Stage) -> Result<(), Error> {
        self.watch(sw_mode::STOP_LEFT | sw_mode::LATCH_CLOSING | how).await?;
        let events = ramp_stat::LATCHED | ramp_stat::STOPPED_LEFT;
        let speed = speed_units(speed);
        self.write(&[(RampStat, events), (VMax, speed), (RampMode, ramp_mode::DOWN)]).await?;
        self.stage = stage;
        Ok(())
    }

    async fn back_off(&mut self, from: i32) -> Result<(), Error> {
        self.watch(0).await?;
        let speed = speed_units(self.profile.search);
        let target = from.wrapping_add(self.profile.clearance as i32) as u32;
        let values = [(VMax, speed), (XTarget, target), (RampMode, ramp_mode::POSITION)];
        self.write(&values).await?;
        self.stage = Stage::BackingOff;
        Ok(())
    }

    async fn name_the_edge_zero(&mut self) -> Result<(), Error> {
        let edge = self.controller.read(XLatch).await? as i32;
        let here = self.controller.read(XActual).await? as i32;
        self.rename(here.wrapping_sub(edge)).await?;
        let events = ramp_stat::LATCHED | ramp_stat::STOPPED_LEFT;
        self.write(&[(RampStat, events), (VMax, speed_units(self.profile.travel))]).await?;
        self.stage = Stage::Resting;
        Ok(())
    }

    /// Gives the place where it rests another number, without a move.
    async fn rename(&mut self, place: i32) -> Result<(), Error> {
        self.controller.write(RampMode, ramp_mode::HOLD).await?;
        self.watch(0).await?;
        let here = place as u32;
        let values = [(XActual, here), (XTarget, here), (RampMode, ramp_mode::POSITION)];
        self.write(&values).await?;
        self.target = place;
        Ok(())
    }

    async fn write(&mut self, values: &[(Register, u32)]) -> Result<(), Error> {
        for (register, value) in values {
            self.controller.write(*register, *value).await?;
        }
        Ok(())
    }

    async fn watch(&mut self, switches: u32) -> Result<(), Error> {
        if switches != self.switches || switches == 0 {
            self.controller.write(Register::SwMode, switches).await?;
            self.switches = switches;
        }
        Ok(())
    }
}
