//! The purpose of the better move.

use super::Comparison;
use super::effects;
use super::kinds::{Purpose, Tactic, TbResult};
use super::quiet;
use super::searched_line::SearchedLine;
use tabiya_search::Score;

/// Returns the purpose that the lines show.
pub(super) fn find(comparison: &Comparison) -> Option<Purpose> {
    let Comparison { refutation, better, before, after, .. } = comparison;
    // If the move played keeps the result, too, it does not tell the moves apart.
    let tb_before =
        comparison.tb_before.filter(|&result| comparison.tb_after.is_some_and(|after| after < result));
    if let Some(Score::Mate(moves @ 1..)) = before {
        // A missed mate has been named.
        let is_mated = matches!(after, Some(Score::Mate(..=-1)));
        return (is_mated && *moves > 1).then(|| Purpose::Mates { moves: moves.unsigned_abs() });
    }
    // Material that both moves win, such as a recaptured piece, is no reason to prefer one of them.
    let wins_more = better.gain() > refutation.loss();
    let keeps_material = comparison.printed.gain() >= 0 && refutation.gain() > 0 && better.gain() == 0;
    of_line(better, *before, tb_before)
        .filter(|purpose| wins_more || !matches!(purpose, Purpose::WinsMaterial { .. }))
        .or_else(|| effects::find(comparison))
        .or_else(|| keeps_material.then_some(Purpose::KeepsMaterial))
        .or_else(|| quiet::find(comparison))
}

/// Returns the purpose of the first move of a line, from what the line alone shows.
pub(super) fn of_line(
    better: &SearchedLine,
    score: Option<Score>,
    tb_result: Option<TbResult>,
) -> Option<Purpose> {
    if let Some(Score::Mate(moves @ 1..)) = score {
        return Some(Purpose::Mates { moves: moves.unsigned_abs() });
    }
    if let Some(result @ (TbResult::Win | TbResult::Draw)) = tb_result {
        return Some(Purpose::KeepsTbResult { result });
    }
    if better.wins_material() { gain(better) } else { None }
}

/// The material that the line wins, with its tactic.
fn gain(better: &SearchedLine) -> Option<Purpose> {
    let tactic = better.tactic().filter(|tactic| !matches!(tactic, Tactic::HangingPiece { .. }));
    Some(Purpose::WinsMaterial { tactic, winnings: better.winnings()? })
}
