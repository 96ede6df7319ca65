//! Tablebase settings, and the values of tablebase results on the search's scale.
//!
//! The root ranks its moves in `root`; nodes probe in `node/tablebase`.

use crate::window::is_cutoff;
use std::sync::Arc;
use tabiya_core::notation::GameResult;
use tabiya_core::{Bound, Color, INFINITE, TB_WIN, VALUE_DRAW, Value};
use tabiya_movegen::Position;
use tabiya_syzygy::{MAX_PIECES, Tablebases, Wdl};

/// The tablebases of an engine and the conditions for probing them.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct TablebaseOptions {
    /// The tables, which several engines may share; `None` for no tablebases. They are open files and therefore not serialized.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub tables: Option<Arc<Tablebases>>,
    /// The minimum remaining depth, in plies, at which positions with the maximum number of pieces (of the
    /// tables or `probe_limit`) are probed. Smaller positions are probed at any depth. A higher value saves
    /// time on slow disks.
    pub probe_depth: u32,
    /// The maximum number of pieces of a position that is probed. 0 disables the tablebases.
    pub probe_limit: usize,
    /// True if wins that take too long for the fifty-move rule count as draws.
    pub fifty_move_rule: bool,
}

impl Default for TablebaseOptions {
    fn default() -> TablebaseOptions {
        TablebaseOptions { tables: None, probe_depth: 1, probe_limit: MAX_PIECES, fifty_move_rule: true }
    }
}

impl TablebaseOptions {
    /// Probes these tables under the default conditions.
    pub fn new(tables: Arc<Tablebases>) -> TablebaseOptions {
        TablebaseOptions { tables: Some(tables), ..TablebaseOptions::default() }
    }

    /// Sets [`tables`](TablebaseOptions::tables).
    #[must_use]
    pub fn with_tables(self, tables: impl Into<Option<Arc<Tablebases>>>) -> TablebaseOptions {
        TablebaseOptions { tables: tables.into(), ..self }
    }

    /// Sets [`probe_depth`](TablebaseOptions::probe_depth), in plies.
    #[must_use]
    pub fn with_probe_depth(self, probe_depth: u32) -> TablebaseOptions {
        TablebaseOptions { probe_depth, ..self }
    }

    /// Sets [`probe_limit`](TablebaseOptions::probe_limit), in pieces.
    #[must_use]
    pub fn with_probe_limit(self, probe_limit: usize) -> TablebaseOptions {
        TablebaseOptions { probe_limit, ..self }
    }

    /// Sets [`fifty_move_rule`](TablebaseOptions::fifty_move_rule).
    #[must_use]
    pub fn with_fifty_move_rule(self, fifty_move_rule: bool) -> TablebaseOptions {
        TablebaseOptions { fifty_move_rule, ..self }
    }

    /// Returns the result of a position by the tables with its half-move clock: wins that the fifty-move rule turns into draws are
    /// draws, unless the rule is off. `None` if the tables are not probed for so many pieces or do not know it.
    pub fn result(&self, position: &Position) -> Option<GameResult> {
        let (tables, limit) = self.in_use()?;
        if position.occupied().count() as usize > limit {
            return None;
        }
        let side = position.side_to_move();
        let winner = match tables.probe_result(position)? {
            Wdl::Win => Some(side),
            Wdl::CursedWin if !self.fifty_move_rule => Some(side),
            Wdl::BlessedLoss if !self.fifty_move_rule => Some(!side),
            Wdl::Loss => Some(!side),
            Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => None,
        };
        Some(match winner {
            Some(Color::White) => GameResult::WhiteWins,
            Some(Color::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        })
    }

    /// Returns the tables and the maximum number of pieces to probe, unless there is nothing to probe.
    pub(crate) fn in_use(&self) -> Option<(&Tablebases, usize)> {
        let tables = self.tables.as_deref()?;
        let limit = self.probe_limit.min(tables.max_pieces());
        (limit > 0).then_some((tables, limit))
    }
}

/// The value of a tablebase result, or a bound on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TbResult {
    pub(crate) value: Value,
    pub(crate) bound: Bound,
}

impl TbResult {
    /// Returns true if the result decides a node with this window.
    #[inline]
    pub(crate) fn is_cutoff(self, alpha: Value, beta: Value) -> bool {
        is_cutoff(self.value, self.bound, alpha, beta)
    }
}

/// Returns the value of a WDL result at `ply`.
///
/// A win is a lower bound, because it may turn out to be a mate, and a loss an upper bound. A draw by the
/// fifty-move rule alone is slightly better or worse than any other draw.
pub(crate) fn result(wdl: Wdl, fifty_move_rule: bool, ply: usize) -> TbResult {
    let win = TB_WIN - ply as Value;
    let (value, bound) = match wdl {
        Wdl::Win => (win, Bound::Lower),
        Wdl::CursedWin if !fifty_move_rule => (win, Bound::Lower),
        Wdl::CursedWin => (VALUE_DRAW + 2, Bound::Exact),
        Wdl::Draw => (VALUE_DRAW, Bound::Exact),
        Wdl::BlessedLoss if fifty_move_rule => (VALUE_DRAW - 2, Bound::Exact),
        Wdl::BlessedLoss | Wdl::Loss => (-win, Bound::Upper),
    };
    TbResult { value, bound }
}

/// Returns the lowest and highest possible value of a node with this tablebase result.
#[inline]
pub(crate) fn value_range(result: Option<TbResult>) -> (Value, Value) {
    match result {
        Some(TbResult { value, bound: Bound::Lower }) => (value, INFINITE),
        Some(TbResult { value, bound: Bound::Upper }) => (-INFINITE, value),
        _ => (-INFINITE, INFINITE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_count_the_half_move_clock() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy");
        let tables = TablebaseOptions::new(Arc::new(Tablebases::open(&[folder]).unwrap()));
        let result = |options: &TablebaseOptions, fen: &str| options.result(&fen.parse().unwrap());
        for (fen, expected) in [
            ("8/8/8/8/8/4k3/8/4K2Q w - - 0 1", Some(GameResult::WhiteWins)),
            ("8/8/8/8/8/4k3/8/4K2Q b - - 9 1", Some(GameResult::WhiteWins)),
            ("7k/8/8/8/8/8/8/K6q w - - 0 1", Some(GameResult::BlackWins)),
            // The mate comes too late.
            ("8/8/8/8/8/4k3/8/4K2Q w - - 98 90", Some(GameResult::Draw)),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None),
        ] {
            assert_eq!(result(&tables, fen), expected, "{fen}");
        }
        let late = "8/8/8/8/8/4k3/8/4K2Q w - - 98 90";
        let ignored = tables.clone().with_fifty_move_rule(false);
        assert_eq!(result(&ignored, late), Some(GameResult::WhiteWins));
        assert_eq!(result(&tables.with_probe_limit(2), late), None);
        assert_eq!(result(&TablebaseOptions::default(), late), None);
    }

    #[test]
    fn fifty_move_rule_turns_cursed_wins_into_draws() {
        assert_eq!(result(Wdl::CursedWin, false, 3), result(Wdl::Win, true, 3));
        assert_eq!(result(Wdl::BlessedLoss, false, 3), result(Wdl::Loss, true, 3));
        assert!(result(Wdl::CursedWin, true, 3).value.abs() < 10);
    }

    #[test]
    fn wins_and_losses_leave_room_for_mates() {
        let win = result(Wdl::Win, true, 3);
        assert_eq!(value_range(Some(win)), (TB_WIN - 3, INFINITE));
        assert_eq!(value_range(Some(result(Wdl::Loss, true, 3))), (-INFINITE, 3 - TB_WIN));
        assert_eq!(value_range(Some(result(Wdl::Draw, true, 3))), (-INFINITE, INFINITE));
        assert!(win.is_cutoff(0, 1) && !win.is_cutoff(-INFINITE, INFINITE));
    }
}
