//! Tables of legal and illegal moves, and of sufficient and insufficient material.

use crate::data;
use tabiya_core::Color;
use tabiya_core::notation::UciMove;
use tabiya_movegen::Position;

#[test]
fn move_legality() {
    let rows = data::rows::<3>("rules/move_legality.tsv");
    assert!(rows.len() >= 300);
    for [fen, _, moves] in rows {
        let position = Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        for entry in moves.split_whitespace() {
            let (uci, legal) = entry.split_once(':').expect("a move and a verdict");
            let uci: UciMove = uci.parse().expect("UCI coordinates");
            let resolved = position.resolve_uci(uci);
            assert_eq!(resolved.is_ok(), legal == "1", "{uci} in {fen}: {resolved:?}");
            if let Ok(mv) = resolved {
                assert!(position.is_legal(mv) && position.legal_moves().contains(&mv), "{uci} in {fen}");
            }
        }
    }
}

#[test]
fn insufficient_material() {
    let mut checked = 0;
    for [fen, white_cannot, black_cannot, dead, _] in data::rows::<5>("rules/insufficient_material.tsv") {
        // Some rows are not legal positions: more than 16 pieces a side, or the side not to move in check.
        if let Ok(position) = Position::from_fen(&fen) {
            assert_eq!(position.is_dead(), dead == "1", "{fen}");
            assert_eq!(position.can_mate(Color::White), white_cannot == "0", "{fen}");
            assert_eq!(position.can_mate(Color::Black), black_cannot == "0", "{fen}");
            checked += 1;
        }
    }
    assert!(checked >= 25, "only {checked} of the positions are legal");
}
