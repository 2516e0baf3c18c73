//! A rule of the manual that the image has broken.

/// What was broken, in words; the trap handler adds the program counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Breach {
    /// The register, such as `FLASH_ACR`.
    pub register: &'static str,
    /// What was written, or what the register holds.
    pub value: u32,
    /// The rule and where it stands, such as `80 MHz needs 4 wait states (RM0351 3.3.3)`.
    pub rule: &'static str,
}

impl Breach {
    /// `rule` is broken at `register`, which holds or was to hold `value`.
    pub const fn new(register: &'static str, value: u32, rule: &'static str) -> Self {
        Self { register, value, rule }
    }
}
