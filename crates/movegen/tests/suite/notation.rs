//! SAN and UCI moves: agreement with shakmaty, and rejection of invalid text.

use crate::data;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use shakmaty::Chess;
use shakmaty::san::SanPlus;
use tabiya_core::Move;
use tabiya_core::notation::UciMove;
use tabiya_movegen::{Game, GameTree, Position, ResolveSanError, ResolveUciError};

/// Asserts [`assert_move_agrees`] for every legal move.
pub(crate) fn assert_all_moves_agree(position: &Position, shakmaty: &Chess) {
    for mv in position.legal_moves() {
        assert_move_agrees(position, shakmaty, mv);
    }
}

/// Asserts that a move's SAN equals shakmaty's, and that parsing its SAN and UCI text returns the move.
pub(crate) fn assert_move_agrees(position: &Position, shakmaty: &Chess, mv: Move) {
    let uci = mv.to_uci(true).to_string();
    let theirs: shakmaty::uci::UciMove = uci.parse().expect("UCI coordinates");
    let theirs = theirs.to_move(shakmaty).unwrap_or_else(|_| panic!("shakmaty: {uci} in {position:#}"));
    let san = position.san(mv).to_string();
    assert_eq!(san, SanPlus::from_move(shakmaty.clone(), theirs).to_string(), "{uci} in {position:#}");
    assert_eq!(position.parse_san(&san), Ok(mv), "reading {san} in {position:#}");
    assert_uci_round_trips(position, mv);
}

/// Asserts that parsing both UCI forms returns the move. In Chess960 a king move and castling can have the same text in
/// the standard form; it then means the king move.
fn assert_uci_round_trips(position: &Position, mv: Move) {
    let chess960_form = mv.to_uci(true).to_string();
    assert_eq!(position.parse_uci(&chess960_form), Ok(mv), "reading {chess960_form} in {position:#}");
    let standard_form = mv.to_uci(false).to_string();
    let same_text = |other: &Move| *other != mv && (other.to_uci(true) == mv.to_uci(false));
    let expected = position.legal_moves().into_iter().find(same_text).unwrap_or(mv);
    // In Chess960 castling can take the king to a neighbouring square or leave it on its own, which the standard form
    // cannot express.
    let has_standard_form = !mv.is_castle() || mv.from().distance(mv.destination()) > 1;
    if has_standard_form || expected != mv {
        assert_eq!(
            position.parse_uci(&standard_form),
            Ok(expected),
            "reading {standard_form} in {position:#}"
        );
    }
}

#[test]
fn san_and_uci_tables() {
    let rows = data::rows::<5>("rules/san_uci_truth.tsv");
    assert!(rows.len() > 200);
    for [fen, uci, san, fen_after, chess960] in rows {
        let position = Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mv = position.parse_uci(&uci).unwrap_or_else(|error| panic!("{uci} in {fen}: {error}"));
        assert_eq!(position.parse_san(&san), Ok(mv), "{san} in {fen}");
        assert_eq!(position.san(mv).to_string(), san, "{uci} in {fen}");
        assert_eq!(mv.to_uci(chess960 == "1").to_string(), uci, "in {fen}");
        let next = position.play(mv).expect("the move is legal");
        assert_eq!(Ok(&next), Position::from_fen(&fen_after).as_ref(), "{san} in {fen}");
        let written = if chess960 == "1" { format!("{next:#}") } else { next.to_string() };
        assert_eq!(written, fen_after, "{san} in {fen}");
    }
}

/// Cases are (FEN, UCI move, SAN).
#[test]
fn minimal_disambiguation() {
    for (fen, uci, san) in [
        // By file, by rank, by both.
        ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "g1e2", "Nge2"),
        ("4k3/8/8/2N5/8/2N5/8/4K3 w - - 0 1", "c3e4", "N3e4"),
        ("3k4/8/8/2N5/8/2N3N1/8/4K3 w - - 0 1", "c3e4", "Nc3e4"),
        ("3k4/8/8/2N5/8/2N3N1/8/4K3 w - - 0 1", "c5e4", "N5e4"),
        ("3k4/8/8/2N5/8/2N3N1/8/4K3 w - - 0 1", "g3e4", "Nge4"),
        // A pinned piece does not count.
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        // A pinned piece that may move along its pin does.
        ("3k4/4r3/8/R7/8/4R3/8/4K3 w - - 0 1", "a5e5", "Rae5"),
        // In check only moves that end the check count.
        ("4k3/4r3/8/8/R7/8/8/R3K3 w - - 0 1", "a4e4", "Re4"),
        // Pawn captures have the file, pushes do not.
        ("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "c4d5", "cxd5"),
        ("4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1", "f4e3", "fxe3"),
        ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8n", "exd8=N"),
        // Check, mate, castling with check.
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q+"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
    ] {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mv = position.parse_uci(uci).unwrap_or_else(|error| panic!("{uci} in {fen}: {error}"));
        assert_eq!(position.san(mv).to_string(), san, "{fen}");
        assert_eq!(position.parse_san(san), Ok(mv), "{fen}");
    }
}

#[test]
fn chess960_king_move_differs_from_castling_to_the_same_square() {
    let position = Position::from_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1").expect("it is legal");
    let step = position.parse_uci("f1g1").expect("the king may step");
    assert!(!step.is_castle());
    let castling = position.parse_uci("f1h1").expect("the king may castle");
    assert!(castling.is_castle());
    assert_eq!(castling.to_uci(false).to_string(), "f1g1");
    assert_eq!(position.san(step).to_string(), "Kg1");
    assert_eq!(position.san(castling).to_string(), "O-O");
}

#[test]
fn reports_the_kind_of_error() {
    let start = Position::startpos();
    let uci_error = |position: &Position, text: &str| position.parse_uci(text).expect_err(text);
    assert!(matches!(uci_error(&start, "e2"), ResolveUciError::Syntax(_)));
    assert!(matches!(uci_error(&start, "0000"), ResolveUciError::Null));
    assert!(matches!(uci_error(&start, "e4e5"), ResolveUciError::NoPiece(_)));
    assert!(matches!(uci_error(&start, "e7e5"), ResolveUciError::WrongSide(..)));
    assert!(matches!(uci_error(&start, "e2e5"), ResolveUciError::Illegal(_)));
    assert!(matches!(uci_error(&start, "a1a1"), ResolveUciError::Illegal(_)));
    assert!(matches!(uci_error(&start, "e1g1"), ResolveUciError::Illegal(_)));
    assert!(matches!(uci_error(&start, "e2e4q"), ResolveUciError::UnexpectedPromotion));
    let castling = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("it is legal");
    assert!(matches!(uci_error(&castling, "e1g1q"), ResolveUciError::UnexpectedPromotion));
    assert!(matches!(uci_error(&castling, "e1h1q"), ResolveUciError::UnexpectedPromotion));
    let promoting = Position::from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").expect("it is legal");
    assert!(matches!(uci_error(&promoting, "a7a8"), ResolveUciError::MissingPromotion));

    let san_error = |position: &Position, text: &str| position.parse_san(text).expect_err(text);
    assert!(matches!(san_error(&start, "x"), ResolveSanError::Syntax(_)));
    assert!(matches!(san_error(&start, "--"), ResolveSanError::Null));
    assert!(matches!(san_error(&start, "e5"), ResolveSanError::Illegal));
    assert!(matches!(san_error(&start, "O-O"), ResolveSanError::Illegal));
    assert!(matches!(san_error(&start, "Ke2"), ResolveSanError::Illegal));
    assert!(matches!(san_error(&promoting, "a8"), ResolveSanError::MissingPromotion));
    let knights = Position::from_fen("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1").expect("it is legal");
    assert!(matches!(san_error(&knights, "Ne2"), ResolveSanError::Ambiguous));
}

/// Positions with pins, checks, castling, promotions and en passant.
const VARIED: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "8/8/8/K2pP2q/8/8/8/4k3 w - d6 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
];

proptest! {
    // A fixed seed gives the same cases in every run.
    #![proptest_config(ProptestConfig {
        cases: 20_000,
        rng_seed: RngSeed::Fixed(61),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Any text is either resolved to a legal move or rejected, without panicking.
    #[test]
    fn any_text_is_a_legal_move_or_an_error(
        fen in prop::sample::select(&VARIED[..]),
        text in prop_oneof![
            ".{0,12}",
            "[a-hKQRBNPO0-9x=+#:!?.()-]{0,10}",
            "[KQRBNP]?[a-h]?[1-8]?x?[a-h][1-8](=?[QRBN])?[+#]?",
            "[a-h][1-8][a-h][1-8][nbrqNBRQk]?",
        ],
    ) {
        let position = Position::from_fen(fen).expect("the position is legal");
        for mv in [position.parse_san(&text).ok(), position.parse_uci(&text).ok()].into_iter().flatten() {
            prop_assert!(position.is_legal(mv), "{} as {:?} in {}", text, mv, fen);
        }
        if let (Ok(mv), Ok(uci)) = (position.parse_uci(&text), text.parse::<UciMove>()) {
            prop_assert!(uci == mv.to_uci(true) || uci == mv.to_uci(false));
        }
    }
}

/// The error of a long game has a short `Debug` form, which `main` prints.
#[test]
fn errors_and_positions_are_short_when_debugged() {
    let broken = "1. e4 e5 2. Ke3 *".parse::<Game>().unwrap_err();
    assert_eq!(format!("{broken:?}"), broken.to_string());
    let broken = "1. e4 e5 2. Ke3 *".parse::<GameTree>().unwrap_err();
    assert_eq!(format!("{broken:?}"), broken.to_string());
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(format!("{:?}", Position::startpos()), format!("Position({fen})"));
    assert_eq!(format!("{:?}", Position::startpos().board()), format!("Board({fen})"));
}

#[test]
fn a_fen_is_a_game_without_moves() {
    let fen = "4k3/8/4K3/8/8/8/8/R7 w - - 12 40";
    let game: Game = format!(" {fen}\n").parse().unwrap();
    assert_eq!((game.start().to_string(), game.moves().len()), (fen.to_owned(), 0));
    assert_eq!(Game::from_fen(fen), Ok(game));
    assert_eq!(fen.parse::<GameTree>().unwrap().start().to_string(), fen);
    for text in ["4k3/8/4K3/8/8/8/7/R7 w - -", "4k3/8/4K3/8/8/8/8/R7 x - -"] {
        let error = text.parse::<Position>().unwrap_err().to_string();
        assert_eq!(text.parse::<Game>().unwrap_err().to_string(), error);
        assert_eq!(text.parse::<GameTree>().unwrap_err().to_string(), error);
    }
    // Slashes in a comment or a tag do not make a FEN.
    assert!("{a/b/c/d/e/f/g/h} e4 *".parse::<Game>().is_ok());
}
