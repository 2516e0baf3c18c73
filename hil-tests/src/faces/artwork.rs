//! A picture file, and the corners of a card in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{FilterQuality, IntSize, Pixmap, PixmapPaint, Transform};
use resvg::usvg::{self, Tree, fontdb};

use super::problem::{Problem, Result};
use crate::world::optics::Raster;
use crate::world::optics::face::{CELL, COLUMNS, MARGIN, ROWS};

/// The height of a playing card, mm. Poker and bridge cards have it in common.
pub const CARD_HEIGHT: f32 = 88.9;
/// Pixels for each mm that a scan must have: a stroke of a small index is then two pixels.
pub const LEAST_RESOLUTION: f32 = 5.0;

/// Fonts for drawings whose indices are text.
static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_system_fonts();
    Arc::new(fonts)
});

/// A picture, drawn or scanned.
pub struct Artwork {
    path: PathBuf,
    source: Source,
}

enum Source {
    Drawing(Box<Tree>),
    Scan(Pixmap),
}

/// A card's place in a picture, in the picture's own units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Left edge.
    pub left: f32,
    /// Upper edge.
    pub top: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
}

/// Which corner is looked at, with the card turned so that it lies in the nest's corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corner {
    /// The upper left one: an index.
    First,
    /// The lower right one, after a half turn: the other index.
    Second,
    /// The upper right one, after a quarter turn: no index on an ordinary card.
    Wrong,
}

impl Artwork {
    /// Reads a PNG, JPEG, SVG or SVGZ file.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).map_err(|error| Problem::unreadable(path, error))?;
        let ending = ending(path);
        if matches!(ending.as_str(), "svg" | "svgz") {
            return Self::drawing(path, &bytes, FONTS.clone());
        }
        let image =
            image::load_from_memory(&bytes).map_err(|error| Problem::unreadable(path, error))?;
        let image = image.to_rgba8();
        let size = IntSize::from_wh(image.width(), image.height());
        let mut pixels = image.into_raw();
        premultiply(&mut pixels);
        let scan = size.and_then(|size| Pixmap::from_vec(pixels, size));
        let scan = scan.ok_or_else(|| Problem::unreadable(path, "the picture is empty"))?;
        Ok(Self { path: path.into(), source: Source::Scan(scan) })
    }

    /// An SVG drawing whose text is set in `fonts`.
    pub fn drawing(path: &Path, bytes: &[u8], fonts: Arc<fontdb::Database>) -> Result<Self> {
        let options = usvg::Options { fontdb: fonts, ..usvg::Options::default() };
        let tree =
            Tree::from_data(bytes, &options).map_err(|error| Problem::unreadable(path, error))?;
        Ok(Self { path: path.into(), source: Source::Drawing(Box::new(tree)) })
    }

    /// Where it came from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Width and height in its own units.
    pub fn size(&self) -> (f32, f32) {
        match &self.source {
            Source::Drawing(tree) => (tree.size().width(), tree.size().height()),
            Source::Scan(scan) => (scan.width() as f32, scan.height() as f32),
        }
    }

    /// The whole picture as one card's place.
    pub fn whole(&self) -> Place {
        let (width, height) = self.size();
        Place { left: 0.0, top: 0.0, width, height }
    }

    /// The print in one corner of the card at `place`.
    pub fn corner(&self, place: Place, corner: Corner) -> Result<Raster> {
        let units = place.height / CARD_HEIGHT;
        if matches!(self.source, Source::Scan(_)) && units < LEAST_RESOLUTION {
            let path = self.path.clone();
            return Err(Problem::Coarse { path, found: units, least: LEAST_RESOLUTION });
        }
        let mut canvas =
            Pixmap::new(COLUMNS as u32, ROWS as u32).expect("the raster's size is not zero");
        self.draw(&mut canvas, onto(place, corner));
        let card = turned(place, units, corner);
        let inside = |column: usize, row: usize| (clamp(column, card.0), clamp(row, card.1));
        let pixels: Vec<[u8; 3]> = (0..ROWS)
            .flat_map(|row| (0..COLUMNS).map(move |column| (column, row)))
            .map(|(column, row)| {
                let (column, row) = inside(column, row);
                on_white(&canvas.data()[4 * (row * COLUMNS + column)..][..4])
            })
            .collect();
        Ok(Raster::from_rgb(&pixels))
    }

    /// Whether anything is drawn in the middle of `place`.
    pub fn shows(&self, place: Place) -> bool {
        let mut canvas = Pixmap::new(16, 16).expect("sixteen is not zero");
        let scale = 32.0 / place.width;
        let (x, y) = (place.left + place.width * 0.25, place.top + place.height * 0.25);
        self.draw(&mut canvas, Transform::from_row(scale, 0.0, 0.0, scale, -x * scale, -y * scale));
        let filled = canvas.data().chunks_exact(4).filter(|pixel| pixel[3] > 128).count();
        filled > 128
    }

    fn draw(&self, canvas: &mut Pixmap, transform: Transform) {
        match &self.source {
            Source::Drawing(tree) => resvg::render(tree, transform, &mut canvas.as_mut()),
            Source::Scan(scan) => {
                let paint =
                    PixmapPaint { quality: FilterQuality::Bicubic, ..PixmapPaint::default() };
                canvas.draw_pixmap(0, 0, scan.as_ref(), &paint, transform, None);
            }
        }
    }
}

/// A file's ending, in small letters.
pub fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// From the picture's units to raster cells.
fn onto(place: Place, corner: Corner) -> Transform {
    let scale = CARD_HEIGHT / place.height / CELL;
    let (right, bottom) = (place.left + place.width, place.top + place.height);
    let margin = MARGIN / CELL;
    match corner {
        Corner::First => Transform::from_row(
            scale,
            0.0,
            0.0,
            scale,
            margin - place.left * scale,
            margin - place.top * scale,
        ),
        Corner::Second => Transform::from_row(
            -scale,
            0.0,
            0.0,
            -scale,
            margin + right * scale,
            margin + bottom * scale,
        ),
        Corner::Wrong => Transform::from_row(
            0.0,
            -scale,
            scale,
            0.0,
            margin - place.top * scale,
            margin + right * scale,
        ),
    }
}

/// The cells that the card covers, across and down: print goes on beyond its edge as it ends,
/// so that a miscut shows no neighbour on a sheet.
fn turned(place: Place, units: f32, corner: Corner) -> ((usize, usize), (usize, usize)) {
    let (wide, high) = (place.width / units, place.height / units);
    let (wide, high) = if corner == Corner::Wrong { (high, wide) } else { (wide, high) };
    let cells = |length: f32, most: usize| {
        let first = (MARGIN / CELL).round() as usize + 1;
        let last = ((length + MARGIN) / CELL) as usize;
        (first, last.saturating_sub(2).clamp(first, most - 1))
    };
    (cells(wide, COLUMNS), cells(high, ROWS))
}

fn clamp(index: usize, (first, last): (usize, usize)) -> usize {
    index.clamp(first, last)
}

/// A premultiplied pixel on white stock.
fn on_white(pixel: &[u8]) -> [u8; 3] {
    let stock = 255 - pixel[3];
    [pixel[0], pixel[1], pixel[2]].map(|colour| colour.saturating_add(stock))
}

fn premultiply(pixels: &mut [u8]) {
    for pixel in pixels.chunks_exact_mut(4) {
        let alpha = u16::from(pixel[3]);
        for colour in &mut pixel[..3] {
            *colour = (u16::from(*colour) * alpha / 255) as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A card of 63.5 by 88.9 mm with a black square at 3 to 5 mm in its first corner and a larger,
    /// 4 by 4, in its last.
    fn marked() -> Artwork {
        let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9">
            <rect x="3" y="3" width="2" height="2"/><rect x="56.5" y="81.9" width="4" height="4"/></svg>"#;
        Artwork::drawing(Path::new("marked.svg"), svg.as_bytes(), FONTS.clone()).unwrap()
    }

    fn dark(raster: &Raster) -> usize {
        raster.tones().iter().filter(|tone| **tone < 0.5).count()
    }

    #[test]
    fn each_corner_is_turned_into_the_nest() {
        let card = marked();
        let seen = |corner| card.corner(card.whole(), corner).unwrap();
        assert_eq!(dark(&seen(Corner::First)), 400);
        assert_eq!(dark(&seen(Corner::Second)), 1600);
        assert_eq!(dark(&seen(Corner::Wrong)), 0);
        let cell = |mm: f32| ((mm + MARGIN) / CELL) as usize;
        assert!(seen(Corner::First).tones()[cell(4.0) * COLUMNS + cell(4.0)] < 0.1);
        assert!(seen(Corner::Second).tones()[cell(5.0) * COLUMNS + cell(5.0)] < 0.1);
    }

    #[test]
    fn a_coarse_scan_is_refused_with_its_resolution() {
        let scan = Pixmap::new(100, 140).unwrap();
        let card = Artwork { path: "small.png".into(), source: Source::Scan(scan) };
        let problem = card.corner(card.whole(), Corner::First).err().unwrap().to_string();
        assert!(problem.contains("small.png is too coarse: 1.6 pixels"), "{problem}");
    }
}
