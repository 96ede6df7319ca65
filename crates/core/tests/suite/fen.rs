//! FEN parsing and writing, and the validation of boards.

use super::text;
use proptest::prelude::*;
use tabiya_core::FenErrorKind as Kind;
use tabiya_core::{
    Board, BoardBuilder, BoardError, CastlingRights, CastlingSide, Color, FenError, FenField, File, Piece,
    Rank, Square,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn error(fen: &str) -> FenError {
    Board::from_fen(fen).expect_err(fen)
}

fn strict_error(fen: &str) -> FenError {
    Board::from_fen_strict(fen).expect_err(fen)
}

/// Every error that lenient and strict parsing share, with its field, byte position and kind.
#[test]
fn reports_errors_with_field_and_position() {
    for (fen, field, position, kind) in [
        ("", FenField::Placement, 0, Kind::MissingField),
        ("4k3/8/8/8/8/8/8/4K3", FenField::SideToMove, 19, Kind::MissingField),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", FenField::FullmoveNumber, 30, Kind::TrailingText),
        ("4k3/8/8/8/8/8/8/4K2? w - - 0 1", FenField::Placement, 19, Kind::InvalidPiece('?')),
        ("4k3/8/8/9/8/8/8/4K3 w - - 0 1", FenField::Placement, 8, Kind::InvalidPiece('9')),
        ("4k3/8/8/0/8/8/8/4K3 w - - 0 1", FenField::Placement, 8, Kind::InvalidPiece('0')),
        ("4k3/é7/8/8/8/8/8/4K3 w - - 0 1", FenField::Placement, 4, Kind::InvalidPiece('é')),
        ("4k3p/8/8/8/8/8/8/4K3 w - - 0 1", FenField::Placement, 3, Kind::RankTooLong(Rank::Eighth, 9)),
        ("4k3/p8/8/8/8/8/8/4K3 w - - 0 1", FenField::Placement, 5, Kind::RankTooLong(Rank::Seventh, 9)),
        ("4k3/8/8/7/8/8/8/4K3 w - - 0 1", FenField::Placement, 9, Kind::RankTooShort(Rank::Fifth, 7)),
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", FenField::Placement, 19, Kind::RankTooShort(Rank::First, 7)),
        ("4k3//8/8/8/8/8/4K3 w - - 0 1", FenField::Placement, 4, Kind::RankTooShort(Rank::Seventh, 0)),
        ("4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", FenField::Placement, 19, Kind::TooManyRanks),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", FenField::Placement, 17, Kind::TooFewRanks(7)),
        ("4k3/8/8/8/8/8/8/4K3 W - - 0 1", FenField::SideToMove, 20, Kind::InvalidSide),
        ("4k3/8/8/8/8/8/8/4K3 white - - 0 1", FenField::SideToMove, 20, Kind::InvalidSide),
        ("4k3/8/8/8/8/8/8/4K2R w Kx - 0 1", FenField::Castling, 24, Kind::InvalidCastling('x')),
        ("4k3/8/8/8/8/8/8/4K2R w K- - 0 1", FenField::Castling, 24, Kind::InvalidCastling('-')),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", FenField::Castling, 24, Kind::DuplicateCastling('K')),
        ("4k3/8/8/8/8/8/8/4KR1R w HF - 0 1", FenField::Castling, 25, Kind::DuplicateCastling('F')),
        ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", FenField::Castling, 23, Kind::UnavailableCastling('Q')),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", FenField::Castling, 23, Kind::UnavailableCastling('K')),
        ("4k3/8/8/8/8/8/8/4K2R w G - 0 1", FenField::Castling, 23, Kind::UnavailableCastling('G')),
        ("4k3/8/8/8/8/8/8/4K2R w k - 0 1", FenField::Castling, 23, Kind::UnavailableCastling('k')),
        ("4k3/8/8/8/8/8/8/4K3 w - e4 0 1", FenField::EnPassant, 24, Kind::InvalidEnPassant),
        ("4k3/8/8/8/8/8/8/4K3 w - e 0 1", FenField::EnPassant, 24, Kind::InvalidEnPassant),
        ("4k3/8/8/8/8/8/8/4K3 w - E3 0 1", FenField::EnPassant, 24, Kind::InvalidEnPassant),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", FenField::HalfmoveClock, 26, Kind::InvalidNumber),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", FenField::HalfmoveClock, 26, Kind::InvalidNumber),
        ("4k3/8/8/8/8/8/8/4K3 w - - 65536 1", FenField::HalfmoveClock, 26, Kind::InvalidNumber),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 +1", FenField::FullmoveNumber, 28, Kind::InvalidNumber),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999",
            FenField::FullmoveNumber,
            28,
            Kind::InvalidNumber,
        ),
    ] {
        let expected = FenError { field, position, kind };
        assert_eq!(error(fen), expected, "{fen}");
        assert_eq!(strict_error(fen), expected, "{fen}");
        let message = expected.to_string();
        assert!(message.contains(&field.to_string()) && message.contains(&position.to_string()), "{message}");
    }
}

/// Texts that only strict parsing rejects, and the standard form of their lenient reading.
#[test]
fn strict_parsing_rejects_deviations() {
    for (fen, field, position, kind, standard_form) in [
        (
            "4k3/8/8/8/8/8/8/4K3 w",
            FenField::Castling,
            21,
            Kind::MissingField,
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 b - -",
            FenField::HalfmoveClock,
            25,
            Kind::MissingField,
            "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3  w - - 0 1",
            FenField::SideToMove,
            20,
            Kind::Spacing,
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ),
        (
            " 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            FenField::Placement,
            0,
            Kind::Spacing,
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n",
            FenField::FullmoveNumber,
            30,
            Kind::Spacing,
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ),
        (
            "4k3/8/44/8/8/8/8/4K3 w - - 0 1",
            FenField::Placement,
            7,
            Kind::AdjacentDigits,
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ),
        (
            "4k2r/8/8/8/8/8/8/4K2R w kK - 0 1",
            FenField::Castling,
            25,
            Kind::CastlingOrder,
            "4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 7 0",
            FenField::FullmoveNumber,
            28,
            Kind::InvalidNumber,
            "4k3/8/8/8/8/8/8/4K3 w - - 7 1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3\tw - - 0 1",
            FenField::SideToMove,
            20,
            Kind::Spacing,
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
            FenField::EnPassant,
            24,
            Kind::Board(BoardError::ImpossibleEnPassant(Square::E6)),
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ),
    ] {
        assert_eq!(strict_error(fen), FenError { field, position, kind }, "{fen}");
        assert_eq!(Board::from_fen(fen).unwrap().to_string(), standard_form, "{fen}");
        assert_eq!(fen.parse::<Board>(), Board::from_fen(fen));
    }
}

#[test]
fn messages_state_the_expected_text() {
    for (fen, message) in [
        (
            "4k3/8/8/9/8/8/8/4K3 w - - 0 1",
            "invalid FEN, piece placement, byte 8: unexpected '9' (expected one of PNBRQKpnbrqk, a digit 1-8 or a slash)",
        ),
        (
            "4k3/8/8/8/8/p8/8/4K3 w - - 0 1",
            "invalid FEN, piece placement, byte 13: rank 3 has 9 files (expected 8)",
        ),
        (
            "4k3/8/8/8/8/88p w - - 0 1",
            "invalid FEN, piece placement, byte 13: rank 3 has 17 files (expected 8)",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 x",
            "invalid FEN, full-move number, byte 28: expected a whole number from 1 to 65535",
        ),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "illegal position: black has no king (expected exactly 1)"),
    ] {
        assert_eq!(error(fen).to_string(), message);
    }
    // The text holds the error beneath, which `source` would repeat.
    assert!(std::error::Error::source(&error("8/8/8/8/8/8/8/4K3 w - - 0 1")).is_none());
}

/// Every condition of a board that a FEN can violate.
#[test]
fn rejects_illegal_positions() {
    use BoardError as E;
    use Color::{Black, White};
    for (fen, board_error) in [
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", E::NoKing(White)),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", E::NoKing(Black)),
        ("4k3/8/8/8/8/8/8/4KK2 w - - 0 1", E::TooManyKings(White)),
        ("4kk2/8/8/8/8/8/8/4K3 w - - 0 1", E::TooManyKings(Black)),
        ("4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1", E::TooManyPieces(White)),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", E::TooManyPawns(White)),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", E::TooManyPawns(Black)),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", E::PawnOnBackRank(Square::A1)),
        ("p3k3/8/8/8/8/8/8/4K3 w - - 0 1", E::PawnOnBackRank(Square::A8)),
        ("4k3/8/8/8/8/8/8/4K2r b - - 0 1", E::OpponentInCheck),
        ("8/8/8/8/8/8/3k4/4K3 w - - 0 1", E::OpponentInCheck),
    ] {
        let kind = Kind::Board(board_error);
        let expected = FenError { field: FenField::Placement, position: 0, kind };
        assert_eq!(error(fen), expected, "{fen}");
        assert_eq!(strict_error(fen), expected, "{fen}");
        assert!(expected.to_string().starts_with("illegal position: "));
    }
}

/// Positions that no game can reach, but in which the rules of chess determine the legal moves.
#[test]
fn accepts_unreachable_positions() {
    for fen in [
        // More promoted pieces than missing pawns.
        "4k3/8/8/8/8/Q7/PPPPPPPP/3QK3 w - - 0 1",
        "4k3/8/8/8/8/NN6/PPPPPPP1/1N2K1N1 w - - 0 1",
        "4k3/8/8/8/8/8/PPPPPPPP/B1B1K3 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/QQQQKQQQ w kq - 0 1",
        "QQQQQQQQ/QQQQQQQ1/8/8/8/8/5k2/7K b - - 0 1",
        // Check by three pieces.
        "4k3/8/3N4/8/B7/8/8/4R1K1 b - - 0 1",
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    ] {
        assert!(Board::from_fen_strict(fen).is_ok(), "{fen}");
    }
}

#[test]
fn drops_en_passant_squares_that_contradict_a_check() {
    // The double push to d4 cannot have uncovered the check by the queen on f1.
    let fen = "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1";
    let kind = Kind::Board(BoardError::ImpossibleEnPassant(Square::D3));
    assert_eq!(strict_error(fen), FenError { field: FenField::EnPassant, position: 28, kind });
    assert_eq!(Board::from_fen(fen).unwrap().en_passant(), None);
}

#[test]
fn lossy_parsing_drops_impossible_rights() {
    for (fen, expected, dropped) in [
        ("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Qkq"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "K"),
        ("4k3/8/8/8/8/8/8/4K2R w - e4 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e4"),
        ("4k3/8/8/8/8/8/8/4K2R w - e6 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e6"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", ""),
    ] {
        let (board, errors) = Board::from_fen_lossy(fen).unwrap();
        assert_eq!(board.to_string(), expected, "{fen}");
        let texts = errors.iter().map(|error| match error.kind {
            Kind::UnavailableCastling(c) | Kind::DuplicateCastling(c) => c.to_string(),
            _ => fen.split(' ').nth(3).unwrap().to_owned(),
        });
        assert_eq!(texts.collect::<String>(), dropped, "{fen}");
    }
    for fen in
        ["4k3/8/8/8/8/8/8/4K2R w Kx - 0 1", "4k3/8/8/8/8/8/8/4K2R w K e9 0 1", "8/8/8/8/8/8/8/4K3 w - - 0 1"]
    {
        assert_eq!(Board::from_fen_lossy(fen).map(|(board, _)| board), Board::from_fen(fen), "{fen}");
    }
}

/// Conditions that lenient FEN parsing cannot violate: it resolves castling letters by the pieces and drops an
/// impossible en-passant square.
#[test]
fn builder_rejects_impossible_castling_and_en_passant() {
    let kings = |white, black| {
        let mut builder = BoardBuilder::empty();
        builder.set(white, Some(Piece::WhiteKing));
        builder.set(black, Some(Piece::BlackKing));
        builder
    };

    let mut builder = kings(Square::E2, Square::E8);
    builder.castling.set(Color::White, CastlingSide::King, Some(File::H));
    assert_eq!(builder.build(), Err(BoardError::CastlingWithoutKing(Color::White)));

    let mut builder = kings(Square::E1, Square::E8);
    builder.castling.set(Color::Black, CastlingSide::Queen, Some(File::A));
    assert_eq!(builder.build(), Err(BoardError::CastlingWithoutRook(Color::Black, File::A)));
    builder.set(Square::A8, Some(Piece::WhiteRook));
    assert_eq!(builder.build(), Err(BoardError::CastlingWithoutRook(Color::Black, File::A)));
    // An own rook, but on the other side of the king.
    builder.set(Square::A8, None);
    builder.castling = CastlingRights::NONE;
    builder.castling.set(Color::Black, CastlingSide::Queen, Some(File::H));
    builder.set(Square::H8, Some(Piece::BlackRook));
    assert_eq!(builder.build(), Err(BoardError::CastlingWithoutRook(Color::Black, File::H)));

    let mut builder = kings(Square::E1, Square::E8);
    builder.set(Square::D5, Some(Piece::BlackPawn));
    for (square, valid) in [(Square::D6, true), (Square::D3, false), (Square::C6, false), (Square::D5, false)]
    {
        builder.en_passant = Some(square);
        let expected = if valid { Ok(()) } else { Err(BoardError::ImpossibleEnPassant(square)) };
        assert_eq!(builder.build().map(|_| ()), expected);
    }
    builder.en_passant = Some(Square::D6);
    builder.set(Square::D7, Some(Piece::BlackBishop));
    assert_eq!(builder.build(), Err(BoardError::ImpossibleEnPassant(Square::D6)));
}

#[test]
fn castling_rights_are_read_in_all_three_fen_forms() {
    for (fen, canonical, shredder) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "KQkq", "HAha"),
        // The inner rook of two must be named.
        ("4k3/8/8/8/8/8/8/RR2KR1R w FB - 0 1", "FB", "FB"),
        ("4k3/8/8/8/8/8/8/RR2KR1R w KQ - 0 1", "KQ", "HA"),
        ("4k3/8/8/8/8/8/8/RR2KR1R w FQ - 0 1", "FQ", "FA"),
        ("1r1k1r2/8/8/8/8/8/8/1R1K1R2 b kq - 0 1", "kq", "fb"),
    ] {
        let board = Board::from_fen_strict(fen).unwrap();
        assert_eq!(board.to_string().split(' ').nth(2), Some(canonical), "{fen}");
        assert_eq!(format!("{board:#}").split(' ').nth(2), Some(shredder), "{fen}");
    }
}

#[test]
fn en_passant_square_needs_a_capturing_pawn() {
    // The first two are the standard's examples: after 1. e4 and 1... c5.
    for (fen, square) in [
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", None),
        ("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2", None),
        ("rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 0 2", Some(Square::C6)),
        ("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", Some(Square::E3)),
        // The a-file and the h-file are not adjacent.
        ("4k3/8/8/8/P6p/8/8/4K3 b - a3 0 1", None),
    ] {
        assert_eq!(Board::from_fen_strict(fen).unwrap().en_passant(), square, "{fen}");
    }
}

/// The examples of the PGN standard (section 16.1.4), without those whose en-passant square no pawn attacks.
#[test]
fn examples_of_the_standard_round_trip() {
    for fen in [START, "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"] {
        assert_eq!(Board::from_fen_strict(fen).unwrap().to_string(), fen);
    }
}

/// Parsing and writing preserves the text, except for en-passant squares that no pawn attacks, and the
/// board with its keys.
#[test]
fn valid_positions_round_trip() {
    let file = text("rules/positions/valid.sfens") + &text("rules/positions/chess960_start_positions.sfens");
    let mut count = 0;
    for fen in file.lines() {
        let board = Board::from_fen_strict(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(Board::from_fen(fen).as_ref(), Ok(&board), "{fen}");
        let written = format!("{board:#}");
        for (index, (before, after)) in fen.split(' ').zip(written.split(' ')).enumerate() {
            assert!(before == after || (index == 3 && after == "-"), "{fen} became {written}");
        }
        for written in [written, board.to_string()] {
            assert_eq!(Board::from_fen_strict(&written).as_ref(), Ok(&board), "{fen} written as {written}");
        }
        assert_eq!(
            (board.key(), board.pawn_key()),
            (board.key_from_scratch(), board.pawn_key_from_scratch())
        );
        assert_eq!(board.to_builder().build(), Ok(board));
        count += 1;
    }
    assert!(count > 1400);
}

/// Strict parsing rejects all positions of the file except those that are only unreachable. Lenient parsing also
/// accepts those whose only error is an impossible en-passant square, and drops that square.
#[test]
fn rejects_invalid_positions() {
    let file = text("rules/positions/invalid.sfens");
    let (mut rejected, mut unreachable) = (0, 0);
    for fen in file.lines() {
        match (Board::from_fen_strict(fen), Board::from_fen(fen)) {
            (Ok(strict), lenient) => {
                assert_eq!(lenient, Ok(strict), "{fen}");
                unreachable += 1;
            }
            (Err(FenError { kind: Kind::Board(BoardError::ImpossibleEnPassant(_)), .. }), Ok(board)) => {
                assert_eq!(board.en_passant(), None, "{fen}");
                rejected += 1;
            }
            (Err(strict), lenient) => {
                assert_eq!(lenient, Err(strict), "{fen}");
                rejected += 1;
            }
        }
    }
    assert!(rejected > 270, "{rejected} rejected, {unreachable} unreachable");
}

#[test]
fn agrees_with_validation_table() {
    let file = text("rules/fen_validation.tsv");
    let mut count = 0;
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let [fen, strict, lenient] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        assert_eq!(Board::from_fen_strict(fen).is_ok(), strict == "1", "{fen}");
        assert_eq!(Board::from_fen(fen).is_ok(), lenient == "1", "{fen}");
        count += 1;
    }
    assert!(count > 100);
}

proptest! {
    /// Any text yields a board or an error within the text, and whatever strict parsing accepts, lenient
    /// parsing reads in the same way.
    #[test]
    fn any_text_is_parsed_or_rejected(fen in ".*") {
        check_any(&fen);
    }

    #[test]
    fn near_fens_are_parsed_or_rejected(fen in "[pnbrqkPNBRQK1-8/]{0,80} ?[wb]? ?[KQkqA-Ha-h-]{0,5} ?(-|[a-h][1-8])? ?[0-9]{0,6} ?[0-9]{0,6}") {
        check_any(&fen);
    }

    /// A FEN with one character changed.
    #[test]
    fn one_changed_character_is_parsed_or_rejected(at in 0..START.len(), c in any::<char>()) {
        let mut fen: Vec<char> = START.chars().collect();
        fen[at] = c;
        check_any(&fen.into_iter().collect::<String>());
    }
}

fn check_any(fen: &str) {
    let lenient = Board::from_fen(fen);
    match Board::from_fen_strict(fen) {
        Ok(board) => {
            assert_eq!(lenient.as_ref(), Ok(&board));
            assert_eq!(Board::from_fen_strict(&board.to_string()).as_ref(), Ok(&board));
        }
        Err(error) => assert!(error.position <= fen.len()),
    }
    if let Err(error) = lenient {
        assert!(error.position <= fen.len() && !error.to_string().is_empty());
    }
}

#[test]
fn extra_pieces_need_a_waiver() {
    use tabiya_core::{BoardBuilder, PackedBoard};

    let fens = [
        "4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1",
        "4k3/8/8/8/8/P7/PPPPPPPP/4K3 b - - 3 9",
        "4k3/pppppppp/pppppppp/pppppp2/8/8/8/4K3 w - - 0 1",
        "QQQQQQQQ/QQQQQQQQ/QQQQQ3/QQ6/8/8/7k/K7 w - - 0 1",
    ];
    for fen in fens {
        assert!(Board::from_fen(fen).is_err() && Board::from_fen_lossy(fen).is_err(), "{fen}");
    }
    // The waiver does not admit positions in which the side not to move is in check.
    assert!(Board::from_fen_with_extra_pieces(fens[3]).is_err());
    for fen in &fens[..3] {
        let board = Board::from_fen_with_extra_pieces(fen).unwrap();
        assert_eq!(board.to_string(), *fen);
        let unpacked = |packed: PackedBoard| {
            packed.to_builder().and_then(|builder| Ok(builder.build_with_extra_pieces()?))
        };
        assert_eq!(unpacked(board.pack()).map(|board| board.epd()), Ok(board.epd()));
        assert!(board.pack().unpack().is_err());
    }

    // 32 pieces are the limit for both sides together.
    let mut builder: BoardBuilder = Board::startpos().to_builder();
    builder.set(Square::E5, Some(Piece::WhiteQueen));
    assert_eq!(builder.build_with_extra_pieces(), Err(BoardError::TooManyPieces(Color::White)));
    builder.set(Square::D7, None);
    assert!(builder.build_with_extra_pieces().is_ok());
}
