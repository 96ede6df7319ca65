//! Mates by length and by pattern.

use crate::line::Line;
use crate::motif::{Finding, Motif};
use alloc::vec::Vec;
use tabiya_core::{Color, PieceType, Rank};
use tabiya_movegen::{Position, attacks};

/// Returns the motifs of a line at whose end the opponent is checkmated.
pub(crate) fn find(line: &Line) -> Vec<Finding> {
    let end = line.end();
    let last = line.turns().last().filter(|_| end.is_checkmate() && end.side_to_move() != line.side());
    let Some(last) = last else { return Vec::new() };
    let length = match line.turns().count() {
        1 => Motif::MateIn1,
        2 => Motif::MateIn2,
        3 => Motif::MateIn3,
        4 => Motif::MateIn4,
        _ => Motif::MateIn5,
    };
    let patterns =
        [(Motif::BackRankMate, is_back_rank_mate(end)), (Motif::SmotheredMate, is_smothered_mate(end))];
    let patterns = patterns.into_iter().filter(|&(_, is_shown)| is_shown).map(|(motif, _)| motif);
    let king = end.king(end.side_to_move()).bitboard();
    core::iter::once(length).chain(patterns).map(|motif| last.finding(motif, king)).collect()
}

/// A rook or queen mates on the back rank, and the king's own pieces stand on every square in front of it.
fn is_back_rank_mate(position: &Position) -> bool {
    let us = position.side_to_move();
    let king = position.king(us);
    let back_rank = if us == Color::White { Rank::First } else { Rank::Eighth }.bitboard();
    let front = attacks::king_attacks(king) - back_rank;
    back_rank.contains(king)
        && (position.checkers() & back_rank & position.orthogonal_sliders(!us)).any()
        && front.is_subset_of(position.by_color(us))
}

/// A knight mates, and the king's own pieces stand on every square beside it.
fn is_smothered_mate(position: &Position) -> bool {
    let us = position.side_to_move();
    position.checkers().is_subset_of(position.pieces(!us, PieceType::Knight))
        && attacks::king_attacks(position.king(us)).is_subset_of(position.by_color(us))
}

#[cfg(test)]
mod tests {
    use crate::motif::Motif::{BackRankMate, MateIn1, MateIn2, SmotheredMate};
    use crate::testing::{assert_found, themes};

    #[test]
    fn mates_have_lengths_and_patterns() {
        let line = ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "Rd8#");
        assert_found(line, BackRankMate, "d8", "g8");
        assert!(themes(line.0, line.1).contains(&MateIn1));
        let line = ("5r1k/6pp/7N/8/2Q5/8/5PPP/6K1 w - - 0 1", "Qg8+ Rxg8 Nf7#");
        assert_found(line, SmotheredMate, "f7", "h8");
        assert!(themes(line.0, line.1).contains(&MateIn2));
        // A king in front of the other has its escape taken by it, not by its own pieces.
        assert!(!themes("4k3/8/4K3/8/8/8/8/R7 w - - 0 1", "Ra8#").contains(&BackRankMate));
        assert!(themes("6k1/5pp1/8/8/8/8/5PPP/3R2K1 w - - 0 1", "Rd8+").is_empty());
    }
}
