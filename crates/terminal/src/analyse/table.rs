//! The table of reported lines.

use super::{TerminalSize, terminal_size, white_view};
use crate::{style, variation};
use std::io::{self, Write};
use tabiya_core::Bound;
use tabiya_movegen::Position;
use tabiya_search::{Info, Score};

const LEGEND: &str = "Scores are in pawns from White's point of view; #3 is mate in 3 moves.";
const HEADER: &str = "depth    score       time         nodes  nodes/s  line";

/// Rows are at least this wide, even on a narrower terminal.
const MIN_WIDTH: usize = 20;

/// A table of reported lines. On a terminal its rows end at a move, and those of several lines are redrawn in place if they fit.
pub(super) struct Table<'a> {
    position: &'a Position,
    colors: bool,
    /// Returns the size of the terminal, if there is one. It may change.
    size: fn() -> Option<TerminalSize>,
    /// True if the terminal understands control sequences.
    has_control_sequences: bool,
    /// True if there are several lines: rows begin with the number of the line.
    numbered: bool,
    /// The number of rows to redraw.
    drawn: usize,
    /// The latest report of each line.
    last: Vec<Info>,
}

impl Table<'_> {
    pub(super) fn new(position: &Position, colors: bool, numbered: bool) -> Table<'_> {
        let has_control_sequences = !style::is_dumb_terminal();
        let size = terminal_size;
        Table { position, colors, size, has_control_sequences, numbered, drawn: 0, last: Vec::new() }
    }

    pub(super) fn header(&self) -> String {
        let header = if self.numbered { format!("  # {HEADER}") } else { HEADER.to_owned() };
        let header = if self.colors { style::bold(header) } else { header };
        format!("{LEGEND}\n\n{header}")
    }

    /// Shows a report.
    pub(super) fn add(&mut self, info: Info, out: &mut impl Write) -> io::Result<()> {
        let index = (info.multipv as usize).max(1) - 1;
        // The last report of a search often repeats the one before it.
        let content = |info: &Info| (info.depth, info.score, info.bound, info.pv.clone());
        if self.last.get(index).is_some_and(|last| content(last) == content(&info)) {
            return Ok(());
        }
        if index < self.last.len() {
            self.last[index] = info;
        } else {
            self.last.push(info);
        }
        let size = (self.size)();
        let width = size.map(|size| size.columns);
        // The cursor is on the row after the table, and cannot move up to rows that have been scrolled off the screen.
        let fits = size.is_some_and(|size| self.last.len() < size.rows);
        if !fits || !self.has_control_sequences || !self.numbered {
            self.drawn = 0;
            let row = self.last.get(index).or(self.last.last()).map(|info| self.row(info, width));
            return writeln!(out, "{}", row.unwrap_or_default());
        }
        if self.drawn > 0 {
            // Cursor up, and clear to the end of the screen.
            write!(out, "\u{1b}[{}A\u{1b}[J", self.drawn)?;
        }
        self.drawn = self.last.len();
        self.last.iter().try_for_each(|info| writeln!(out, "{}", self.row(info, width)))
    }

    /// A row, narrower than `width` columns.
    fn row(&self, info: &Info, width: Option<usize>) -> String {
        let mut row = self.figures(info);
        let Some(width) = width.map(|width| width.max(MIN_WIDTH) - 1) else {
            return row + &variation::numbered(self.position, &info.pv);
        };
        let left = width.saturating_sub(console::measure_text_width(&row));
        row += &variation::numbered_within(self.position, &info.pv, left);
        // In a narrow terminal, not even the first move fits.
        console::truncate_str(&row, width, "…").into_owned()
    }

    /// The columns before the line.
    fn figures(&self, info: &Info) -> String {
        let (score, bound) = white_view(info.score, info.bound, self.position.side_to_move());
        let sign = match bound {
            Bound::Exact => "",
            Bound::Lower => ">=",
            Bound::Upper => "<=",
        };
        let text = format!("{:>8}", format!("{sign}{score}"));
        let text = match score {
            Score::Centipawns(value) | Score::Mate(value) if self.colors && value > 0 => style::green(text),
            Score::Centipawns(value) | Score::Mate(value) if self.colors && value < 0 => style::red(text),
            _ => text,
        };
        let number = if self.numbered { format!("{:>3} ", info.multipv) } else { String::new() };
        let (time, nps) = (info.time.as_secs_f64(), short(info.nps()));
        format!("{number}{:>5} {text} {time:>9.2}s {:>13} {nps:>8}  ", info.depth, info.nodes)
    }
}

/// Formats a number with an SI suffix: `950`, `12.3k`, `4.56M`.
fn short(number: u64) -> String {
    let number = number as f64;
    match number {
        n if n < 1e3 => format!("{n:.0}"),
        n if n < 1e6 => format!("{:.1}k", n / 1e3),
        n if n < 1e9 => format!("{:.2}M", n / 1e6),
        n => format!("{:.2}G", n / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn rows_are_from_whites_point_of_view() {
        let position: Position = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7".parse().unwrap();
        let info = Info::new(3, Score::Centipawns(-135))
            .with_seldepth(5)
            .with_bound(Bound::Lower)
            .with_nodes(12345)
            .with_time(Duration::from_millis(1500))
            .with_pv(vec![position.parse_uci("e8e7").unwrap()]);
        let row = Table::new(&position, false, false).row(&info, None);
        assert_eq!(row, "    3  <=+1.35      1.50s         12345     8.2k  7... Ke7");
        assert_eq!(row.find("7..."), HEADER.find("line"));
    }

    #[test]
    fn redraws_several_lines_in_place() {
        let position = Position::startpos();
        let info = |depth, multipv, mv: &str| {
            Info::new(depth, Score::Centipawns(20))
                .with_seldepth(5)
                .with_multipv(multipv)
                .with_nodes(1)
                .with_pv(vec![position.parse_uci(mv).unwrap()])
        };
        let reports = [(1, 1, "e2e4"), (1, 2, "d2d4"), (2, 1, "d2d4"), (2, 1, "d2d4")];
        let text = |size, has_control_sequences| {
            let mut out = Vec::new();
            let table = Table::new(&position, false, true);
            let mut table = Table { size, has_control_sequences, ..table };
            for (depth, multipv, mv) in reports {
                table.add(info(depth, multipv, mv), &mut out).unwrap();
            }
            String::from_utf8(out).unwrap()
        };
        // On a terminal without control sequences or with too few rows, each report is a new row.
        let dumb = text(|| Some(TerminalSize { rows: 24, columns: 60 }), false);
        assert!(!dumb.contains('\u{1b}') && dumb.lines().count() == 3, "{dumb:?}");
        let low = text(|| Some(TerminalSize { rows: 2, columns: 60 }), true);
        assert!(!low.contains('\u{1b}') && low.lines().count() == 3, "{low:?}");
        let text = text(|| Some(TerminalSize { rows: 3, columns: 60 }), true);
        assert_eq!(text.matches("\u{1b}[1A\u{1b}[J").count(), 1, "{text:?}");
        assert_eq!(text.matches("\u{1b}[2A\u{1b}[J").count(), 1, "{text:?}");
        assert_eq!(text.lines().count(), 5);
        assert!(text.lines().all(|line| console::measure_text_width(line) < 60));
    }

    #[test]
    fn rows_end_at_a_move() {
        let position = Position::startpos();
        let game: tabiya_movegen::Game = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *".parse().unwrap();
        let info = Info::new(20, Score::Centipawns(20)).with_pv(game.moves().to_vec());
        let table = Table::new(&position, true, true);
        for (width, end) in [(200, "3. Bb5 a6"), (70, "1. e4 e5 …"), (30, "…")] {
            let row = table.row(&info, Some(width));
            assert!(row.ends_with(end) && console::measure_text_width(&row) < width, "{row:?}");
        }
    }

    #[test]
    fn abbreviates_numbers() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1000, "1.0k"), (4_560_000, "4.56M"), (u64::MAX, "18446744073.71G")]
        {
            assert_eq!(short(number), text);
        }
    }
}
