//! How bad the world may be: every disturbance, its unit, nominal and harsh.
//!
//! **Nominal** is a well-kept table: the daily check was passed, cards are changed by the
//! clock, the card is pushed home. Half of the mechanical play is used, and every kind of
//! dirt and light that a clean casino has is there, in each read, all at once.
//! **Harsh** uses the whole play that the edge beams allow and cards, lamps and windows at
//! the end of their lives, again all at once: worse than any one table, so that what never
//! errs here has a margin there.
//!
//! Each figure is the far end of a uniform draw for one read: `shift: 0.75` is anything from
//! -0.75 to +0.75 mm, `fade: 0.25` anything from none to a quarter.

/// The far ends, for one level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// The level's name, as on the command line.
    pub name: &'static str,
    /// Print off its nominal place, each way, mm. The beams allow 1.5.
    pub shift: f32,
    /// Card turned, each way, degrees.
    pub turn: f32,
    /// Cut edge off the print, each way, mm: cards are cut from sheets.
    pub miscut: f32,
    /// Print larger or smaller, parts: card stock moves with the air's damp.
    pub size: f32,
    /// Plane of focus off the window, each way, mm.
    pub focus: f32,
    /// Bow of the whole card, mm at its middle.
    pub curl: f32,
    /// How often a corner is bent, of all reads.
    pub bent: f32,
    /// Angle of a bent corner, degrees.
    pub bend: f32,
    /// Card moving from one frame set to the next, each way, mm.
    pub motion: f32,
    /// Ink that has gone, parts.
    pub fade: f32,
    /// Print rubbed away in patches, parts of the ink there.
    pub wear: f32,
    /// Scratches on the card.
    pub scratches: usize,
    /// Fibres of lint on card and window.
    pub lint: usize,
    /// Width of the thickest fibre, mm.
    pub lint_width: f32,
    /// Specks of ash.
    pub ash: usize,
    /// Radius of the largest speck, mm.
    pub ash_radius: f32,
    /// Grease smears on the card, each with at most this opacity.
    pub smear: f32,
    /// Exposure off, each way, parts: what the closed loop leaves over.
    pub exposure: f32,
    /// Light a bank has lost with age, parts; each bank by itself.
    pub ageing: f32,
    /// Light that changes across the window, each bank, parts from edge to edge.
    pub uneven: f32,
    /// Light the window has lost to dirt, parts.
    pub dirt: f32,
    /// Light that dirt on the window scatters over everything, parts of white.
    pub veil: f32,
    /// How often a bank mirrors itself in the card, of all reads.
    pub glossy: f32,
    /// Brightness of that glare, parts of white. Each bank's spot is in its own place.
    pub glare: f32,
    /// Room light under the hood, parts of white.
    pub ambient: f32,
    /// How much of the room light flickers with the mains, parts.
    pub flicker: f32,
    /// Noise of one pixel in the dark, grey levels (standard deviation).
    pub noise: f32,
    /// Photon noise: its square for each grey level of light.
    pub photons: f32,
    /// Pixels unlike each other, parts (standard deviation).
    pub pattern: f32,
}

impl Level {
    /// Nothing disturbs: card in place, new, clean, still. For teaching aids and tests.
    pub const CALM: Self = Self {
        name: "calm",
        shift: 0.0,
        turn: 0.0,
        miscut: 0.0,
        size: 0.0,
        focus: 0.0,
        curl: 0.0,
        bent: 0.0,
        bend: 0.0,
        motion: 0.0,
        fade: 0.0,
        wear: 0.0,
        scratches: 0,
        lint: 0,
        lint_width: 0.0,
        ash: 0,
        ash_radius: 0.0,
        smear: 0.0,
        exposure: 0.0,
        ageing: 0.0,
        uneven: 0.0,
        dirt: 0.0,
        veil: 0.0,
        glossy: 0.0,
        glare: 0.0,
        ambient: 0.0,
        flicker: 0.0,
        noise: 1.0,
        photons: 0.01,
        pattern: 0.0,
    };

    /// How a brand is taught: new cards, clean window, card laid in with care.
    pub const TEACHING: Self = Self {
        name: "teaching",
        shift: 0.3,
        turn: 1.0,
        miscut: 0.15,
        size: 0.005,
        focus: 0.4,
        curl: 0.3,
        motion: 0.02,
        fade: 0.05,
        exposure: 0.03,
        ageing: 0.05,
        uneven: 0.1,
        dirt: 0.03,
        veil: 0.01,
        ambient: 0.03,
        flicker: 1.0,
        noise: 1.2,
        photons: 0.02,
        pattern: 0.01,
        ..Self::CALM
    };

    /// A well-kept table.
    pub const NOMINAL: Self = Self {
        name: "nominal",
        shift: 0.75,
        turn: 2.0,
        miscut: 0.2,
        size: 0.01,
        focus: 1.0,
        curl: 1.0,
        bent: 0.05,
        bend: 6.0,
        motion: 0.04,
        fade: 0.2,
        wear: 0.2,
        scratches: 2,
        lint: 2,
        lint_width: 0.05,
        ash: 3,
        ash_radius: 0.15,
        smear: 0.12,
        exposure: 0.06,
        ageing: 0.1,
        uneven: 0.15,
        dirt: 0.08,
        veil: 0.03,
        glossy: 0.3,
        glare: 0.5,
        ambient: 0.08,
        flicker: 1.0,
        noise: 1.5,
        photons: 0.02,
        pattern: 0.01,
    };

    /// The whole of what the beams let in and the daily check lets pass.
    pub const HARSH: Self = Self {
        name: "harsh",
        shift: 1.5,
        turn: 4.0,
        miscut: 0.4,
        size: 0.02,
        focus: 2.0,
        curl: 2.5,
        bent: 0.25,
        bend: 15.0,
        motion: 0.12,
        fade: 0.45,
        wear: 0.45,
        scratches: 5,
        lint: 6,
        lint_width: 0.1,
        ash: 10,
        ash_radius: 0.3,
        smear: 0.3,
        exposure: 0.12,
        ageing: 0.2,
        uneven: 0.3,
        dirt: 0.15,
        veil: 0.08,
        glossy: 0.7,
        glare: 1.5,
        ambient: 0.2,
        flicker: 1.0,
        noise: 2.5,
        photons: 0.05,
        pattern: 0.02,
    };

    /// The level with that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::NOMINAL, Self::HARSH, Self::TEACHING, Self::CALM]
            .into_iter()
            .find(|level| level.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Issue 5's ranges are the harsh ones, and nominal proves something too.
    #[test]
    fn harsh_reaches_the_promised_ranges_and_nominal_half_of_them() {
        assert_eq!((Level::HARSH.shift, Level::HARSH.turn), (1.5, 4.0));
        assert_eq!((Level::NOMINAL.shift, Level::NOMINAL.turn), (0.75, 2.0));
    }

    #[test]
    fn levels_are_found_by_name_and_no_other_is() {
        assert_eq!(Level::named("harsh"), Some(Level::HARSH));
        assert_eq!(Level::named("gentle"), None);
    }
}
