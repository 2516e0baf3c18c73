//! Where the card lies: place, turn, curl, bent corner, motion.
//!
//! A pixel looks at a place on the window; the pose says which place of the card is there,
//! how high above the window it is and how it leans. Height blurs and shrinks, lean changes
//! the light. Small angles throughout: nothing in a nest leans more than 20 degrees.

use super::Point;

/// From the window to the lens, mm: how much height shrinks the card.
const DISTANCE: f32 = 30.0;
/// Spread of light that a millimetre out of focus adds, mm.
const DEFOCUS: f32 = 0.12;
/// Spread of light in focus, mm.
const SHARP: f32 = super::face::SPREADS[0];
/// A card's corner is cut round, mm.
const CORNER: f32 = 3.2;
/// A card's thickness, mm: at 45 degrees its shadow is as wide.
const THICKNESS: f32 = 0.3;
/// The length over which a card bows, mm: between its width and its height.
const BOW: f32 = 75.0;

/// How one card lies during one frame set.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pose {
    /// Where the print's corner is on the window, mm.
    pub shift: Point,
    /// The card's turn about its corner, radians.
    pub turn: f32,
    /// Where the cut edge is from the print's own edge, mm.
    pub miscut: Point,
    /// How much larger than life the print is: 0.01 is a hundredth.
    pub size: f32,
    /// Height of the plane of focus above the window, mm.
    pub focus: f32,
    /// The bow's height, mm. Above zero the corner touches the window, below zero it stands off.
    pub curl: f32,
    /// The direction the bow runs in, radians from across.
    pub bow: f32,
    /// A bent corner, if there is one.
    pub bend: Option<Bend>,
}

/// A corner bent up, away from the window.
#[derive(Debug, Clone, Copy)]
pub struct Bend {
    /// How far from the corner the fold is, mm.
    pub reach: f32,
    /// The direction from the corner to the fold, radians from across.
    pub toward: f32,
    /// The fold's angle, radians.
    pub angle: f32,
}

/// What a pixel meets.
#[derive(Debug, Clone, Copy)]
pub struct Meeting {
    /// The place on the print, mm from its corner.
    pub place: Point,
    /// Height above the window, mm.
    pub height: f32,
    /// How the card leans, across: rise for each mm.
    pub lean: f32,
    /// Spread of the light, mm.
    pub spread: f32,
    /// How much of the pixel the card fills, 0 to 1.
    pub inside: f32,
}

/// A pose with its sines worked out.
pub struct Lay {
    pose: Pose,
    cosine: f32,
    sine: f32,
    along: Point,
    fold: Option<(f32, Point, f32)>,
}

impl Pose {
    /// Readies the pose for many pixels.
    pub fn lay(self) -> Lay {
        let scale = 1.0 / (1.0 + self.size);
        let fold = self
            .bend
            .map(|bend| (bend.reach, (bend.toward.cos(), bend.toward.sin()), bend.angle.tan()));
        Lay {
            pose: self,
            cosine: self.turn.cos() * scale,
            sine: self.turn.sin() * scale,
            along: (self.bow.cos(), self.bow.sin()),
            fold,
        }
    }
}

impl Lay {
    /// What the pixel over `place` of the window meets.
    #[inline]
    pub fn meet(&self, place: Point) -> Meeting {
        let flat = self.on_card(place);
        let (mut height, mut lean) = self.bowed(flat);
        let mut found = flat;
        if let Some((reach, toward, rise)) = self.fold {
            let past = reach - (flat.0 * toward.0 + flat.1 * toward.1);
            if past > 0.0 {
                height += past * rise;
                lean -= rise * toward.0;
                // The bent part is seen foreshortened: more of the card in the same window.
                let more = past * 0.5 * rise * rise;
                found = (found.0 - toward.0 * more, found.1 - toward.1 * more);
            }
        }
        let nearer = 1.0 + height / DISTANCE;
        found = (found.0 * nearer, found.1 * nearer);
        let out = (height - self.pose.focus) * DEFOCUS;
        let spread = (SHARP * SHARP + out * out).sqrt();
        Meeting { place: found, height, lean, spread, inside: self.inside(found, spread) }
    }

    /// Where on a flat card that place of the window is.
    #[inline]
    pub fn on_card(&self, (x, y): Point) -> Point {
        let (x, y) = (x - self.pose.shift.0, y - self.pose.shift.1);
        (x * self.cosine + y * self.sine, y * self.cosine - x * self.sine)
    }

    /// Where on the window that place of a flat card is.
    pub fn on_window(&self, (x, y): Point) -> Point {
        let grown = 1.0 / (self.cosine * self.cosine + self.sine * self.sine);
        let (x, y) =
            ((x * self.cosine - y * self.sine) * grown, (x * self.sine + y * self.cosine) * grown);
        (x + self.pose.shift.0, y + self.pose.shift.1)
    }

    /// Height and lean of the bowed card.
    #[inline]
    fn bowed(&self, (x, y): Point) -> (f32, f32) {
        let run = (x * self.along.0 + y * self.along.1) / BOW;
        let (rise, slope) = if self.pose.curl >= 0.0 {
            (4.0 * run * (1.0 - run), 4.0 * (1.0 - 2.0 * run))
        } else {
            let back = 1.0 - 2.0 * run;
            (back * back, -4.0 * back)
        };
        let size = self.pose.curl.abs();
        (size * rise, size * slope / BOW * self.along.0)
    }

    /// How much of the pixel lies inside the card's cut edge.
    #[inline]
    fn inside(&self, place: Point, spread: f32) -> f32 {
        ramp(self.depth(place), spread)
    }

    /// How far inside the cut edge a place is, mm; outside it is below zero.
    #[inline]
    fn depth(&self, place: Point) -> f32 {
        let (x, y) = self.cut(place);
        if x < CORNER && y < CORNER { CORNER - (CORNER - x).hypot(CORNER - y) } else { x.min(y) }
    }

    fn cut(&self, (x, y): Point) -> Point {
        (x - self.pose.miscut.0, y - self.pose.miscut.1)
    }

    /// How much of a bank's light this card's thickness keeps from what lies behind it there. `toward`
    /// is the way the light travels: 1 from the left bank, -1 from the right one.
    pub fn shadow(&self, met: &Meeting, toward: f32) -> f32 {
        let depth = self.depth(met.place);
        let strip = ramp(-depth, met.spread) - ramp(-depth - THICKNESS, met.spread);
        let (x, y) = self.cut(met.place);
        let facing = match (x < CORNER, y < CORNER) {
            (true, true) => (x - CORNER) / (CORNER - x).hypot(CORNER - y).max(1e-3),
            _ if x < y => -1.0,
            _ => 0.0,
        };
        // A bank is long: along its own direction it shades an edge by half.
        strip * 0.5 * (1.0 + facing * toward)
    }
}

/// How much of a pixel lies beyond an edge that is `depth` away.
#[inline]
fn ramp(depth: f32, spread: f32) -> f32 {
    (0.5 + depth / (3.4 * spread)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: Point, b: Point) -> bool {
        (a.0 - b.0).abs() < 1e-3 && (a.1 - b.1).abs() < 1e-3
    }

    #[test]
    fn a_calm_card_is_met_where_it_is() {
        let met = Pose::default().lay().meet((5.0, 7.0));
        assert!(near(met.place, (5.0, 7.0)) && met.inside == 1.0 && met.height == 0.0);
    }

    #[test]
    fn window_and_card_are_each_others_way_back() {
        let pose = Pose { shift: (1.2, -0.7), turn: 0.07, size: 0.02, ..Pose::default() };
        let lay = pose.lay();
        assert!(near(lay.on_window(lay.on_card((6.0, 11.0))), (6.0, 11.0)));
    }

    #[test]
    fn beyond_the_cut_edge_and_in_the_round_corner_there_is_no_card() {
        let lay = Pose::default().lay();
        for (place, inside) in [((-1.0, 9.0), 0.0), ((0.4, 0.4), 0.0), ((3.0, 9.0), 1.0)] {
            assert_eq!(lay.meet(place).inside, inside, "{place:?}");
        }
    }

    #[test]
    fn a_bent_corner_rises_only_before_its_fold() {
        let bend = Bend { reach: 6.0, toward: 0.785, angle: 0.2 };
        let lay = Pose { bend: Some(bend), ..Pose::default() }.lay();
        assert!(lay.meet((1.0, 1.0)).height > 0.8);
        assert_eq!(lay.meet((9.0, 9.0)).height, 0.0);
        assert!(lay.meet((1.0, 1.0)).spread > lay.meet((9.0, 9.0)).spread);
    }

    #[test]
    fn an_edge_shades_the_side_that_the_light_comes_over_and_only_close_by() {
        let lay = Pose { shift: (5.0, 0.0), ..Pose::default() }.lay();
        let beside = |mm: f32, toward| lay.shadow(&lay.meet((5.0 - mm, 9.0)), toward);
        // The card lies to the right, so light that travels left comes over it.
        assert!(beside(0.15, -1.0) > 0.5 && beside(0.15, 1.0) < 0.01);
        assert!(beside(2.0, -1.0) < 0.01);
    }
}
