//! The film: the wheel as a ring, counts and messages beside it.

use std::convert::Infallible;
use std::f64::consts::TAU;
use std::time::Duration;

use hil_tests::world::shuffler::view::Picture;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::symbols::Marker;
use ratatui::text::Line;
use ratatui::widgets::canvas::{Canvas, Circle, Context};
use ratatui::widgets::{Block, Gauge, Paragraph, Wrap};
use ratatui::{DefaultTerminal, Frame, Terminal};

/// Columns and rows of a still picture: a plain terminal's.
const WIDTH: u16 = 80;
const HEIGHT: u16 = 24;

/// Where a film is shown.
pub(crate) trait Stage {
    /// Draws one picture.
    fn draw(&mut self, picture: &Picture, messages: &[String]) -> Result<(), String>;

    /// Waits for the next picture's time; returns whether q, Escape or Ctrl-C was pressed.
    fn wants_out(&mut self, pause: Duration) -> Result<bool, String>;
}

/// The terminal, given back as it was when dropped.
pub(crate) struct Screen(DefaultTerminal);

impl Screen {
    /// Takes the terminal.
    pub(crate) fn open() -> Result<Self, String> {
        ratatui::try_init().map(Self).map_err(|why| format!("no use of this terminal: {why}"))
    }
}

impl Stage for Screen {
    fn draw(&mut self, picture: &Picture, messages: &[String]) -> Result<(), String> {
        let drawn = self.0.draw(|frame| paint(frame, picture, messages));
        drawn.map(drop).map_err(|why| format!("drawing failed: {why}"))
    }

    fn wants_out(&mut self, pause: Duration) -> Result<bool, String> {
        let failed = |why: std::io::Error| format!("the keyboard failed: {why}");
        if !event::poll(pause).map_err(failed)? {
            return Ok(false);
        }
        Ok(match event::read().map_err(failed)? {
            Event::Key(key) => match key.code {
                KeyCode::Esc | KeyCode::Char('q') => true,
                KeyCode::Char('c') => key.modifiers.contains(KeyModifiers::CONTROL),
                _ => false,
            },
            _ => false,
        })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

fn paint(frame: &mut Frame<'_>, picture: &Picture, messages: &[String]) {
    let [upper, lower] =
        Layout::vertical([Constraint::Min(12), Constraint::Length(3)]).areas(frame.area());
    let [left, right] =
        Layout::horizontal([Constraint::Percentage(60), Constraint::Min(24)]).areas(upper);
    frame.render_widget(wheel(picture, left), left);
    frame.render_widget(said(picture, messages, right), right);
    frame.render_widget(time(picture), lower);
}

/// A picture as plain text, for the terminal that the film gave back.
pub(crate) fn still(picture: &Picture, messages: &[String]) -> Result<String, String> {
    let failed = |why: Infallible| format!("drawing failed: {why}");
    let mut page = Terminal::new(TestBackend::new(WIDTH, HEIGHT)).map_err(failed)?;
    page.draw(|frame| paint(frame, picture, messages)).map_err(failed)?;
    let cells = page.backend().buffer().content();
    let rows = cells.chunks(usize::from(WIDTH));
    let text = |row: &[Cell]| row.iter().map(Cell::symbol).collect::<String>();
    Ok(rows.map(|row| text(row).trim_end().to_owned() + "\n").collect())
}

/// The ring of slots; the one at the feed is on top.
fn wheel(picture: &Picture, area: Rect) -> Canvas<'_, impl Fn(&mut Context<'_>)> {
    // A character is about twice as high as wide.
    let wide = f64::from(area.width.max(1)) / (2.0 * f64::from(area.height.max(1)));
    let paint = move |context: &mut Context<'_>| {
        context.draw(&Circle { x: 0.0, y: 0.0, radius: 0.7, color: Color::DarkGray });
        let count = picture.slots.len() as f64;
        for (slot, held) in picture.slots.iter().enumerate() {
            let turn = (slot as f64 - f64::from(picture.at)) / count * TAU;
            let (sine, cosine) = turn.sin_cos();
            let mark = picture.mark(*held).to_string();
            context.print(0.85 * sine, 0.85 * cosine, Line::styled(mark, fill(picture, *held)));
        }
        context.print(0.0, 1.0, "▼ feed".bold().yellow());
        let inside = format!("{} in the wheel", picture.census.wheel);
        context.print(-0.25, 0.0, inside.bold());
    };
    Canvas::default()
        .block(Block::bordered().title(" wheel "))
        .marker(Marker::Braille)
        .x_bounds([-1.1 * wide, 1.1 * wide])
        .y_bounds([-1.1, 1.1])
        .paint(paint)
}

fn fill(picture: &Picture, held: usize) -> Style {
    match held {
        0 => Style::new().dark_gray(),
        held if held == picture.capacity => Style::new().green().bold(),
        _ => Style::new().cyan(),
    }
}

fn said<'a>(picture: &Picture, messages: &'a [String], area: Rect) -> Paragraph<'a> {
    let (pass, done, total) = picture.progress;
    let census = picture.census;
    let mut lines = vec![
        Line::from(picture.state.clone()).bold(),
        Line::from(format!("pass {pass}: {done} of {total}")),
        Line::default(),
        Line::from(format!("feed tray   {:>4}", census.feed)),
        Line::from(format!("wheel       {:>4}", census.wheel)),
        Line::from(format!("delivered   {:>4}", census.delivery)),
        Line::from(format!("in the path {:>4}", census.path)),
        Line::default(),
    ];
    let room = usize::from(area.height).saturating_sub(lines.len() + 2);
    let last = messages.len().saturating_sub(room);
    lines.extend(messages[last..].iter().map(|message| Line::from(message.as_str())));
    Paragraph::new(lines).wrap(Wrap { trim: true }).block(Block::bordered().title(" shuffler "))
}

fn time(picture: &Picture) -> Gauge<'static> {
    let share = if picture.floor > 0.0 { picture.seconds / picture.floor } else { 0.0 };
    let label = format!(
        "{:.1} s; no mechanism of this kind takes less than {:.1} s",
        picture.seconds, picture.floor
    );
    let colour = if share <= 1.0 { Color::Green } else { Color::Yellow };
    Gauge::default()
        .block(Block::bordered().title(" time "))
        .gauge_style(colour)
        .ratio(share.clamp(0.0, 1.0))
        .label(label)
}
