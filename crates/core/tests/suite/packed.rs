//! Packed boards: the documented bytes, and errors. Round trips over many positions are tests of `tabiya-movegen`.

use tabiya_core::{Board, BoardError, PackedBoard, SplitMix64, Square, UnpackError};

fn packed(fen: &str) -> PackedBoard {
    Board::from_fen(fen).unwrap().pack()
}

/// Bytes from hexadecimal digits, low addresses first.
fn bytes(hex: &str) -> [u8; 24] {
    core::array::from_fn(|index| u8::from_str_radix(&hex[2 * index..2 * index + 2], 16).unwrap())
}

#[test]
fn layout_is_the_documented_one() {
    for (fen, hex) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "ffff00000000ffff2c844ac20000000011111111".to_owned() + "3d955bd3",
        ),
        // d4 and e4 are a black pawn and a white one that can be captured, h1 a rook with castling rights, e8 the king to move.
        ("4k3/8/8/8/3pP3/8/8/4K2R b K e3 7 20", "9000001800000010cae10f".to_owned() + &"00".repeat(13)),
    ] {
        assert_eq!(packed(fen).to_bytes(), bytes(&hex), "{fen}");
        assert_eq!(packed(fen).unpack().unwrap().epd(), Board::from_fen(fen).unwrap().epd());
    }
}

#[test]
fn order_is_that_of_the_bytes() {
    let (a, b) = (packed("4k3/8/8/8/8/8/8/K7 w - -"), packed("4k3/8/8/8/8/8/8/1K6 w - -"));
    assert_eq!(a.cmp(&b), a.to_bytes().cmp(&b.to_bytes()));
    assert_ne!(a, packed("4k3/8/8/8/8/8/8/K7 b - -"));
    assert_eq!(a, packed("4k3/8/8/8/8/8/8/K7 w - - 30 90"));
}

#[test]
fn damage_is_an_error() {
    let start = Board::startpos().pack().to_bytes();
    let with = |changes: &[(usize, u8)]| {
        let mut bytes = start;
        changes.iter().for_each(|&(at, byte)| bytes[at] = byte);
        PackedBoard::from_bytes(bytes).unpack().unwrap_err()
    };
    assert_eq!(with(&[(2, 0xff)]), UnpackError::TooManyPieces(40));
    // h8 is empty, but its rook is still there.
    assert_eq!(with(&[(7, 0x7f)]), UnpackError::TrailingBits);
    // a2 has a rook with castling rights; so has b1, beside the one on a1.
    assert_eq!(with(&[(12, 0x0c)]), UnpackError::InvalidCastlingRook(Square::A2));
    assert_eq!(with(&[(8, 0xcc)]), UnpackError::InvalidCastlingRook(Square::B1));
    // A rook with castling rights, but a queen instead of the king.
    assert_eq!(with(&[(10, 0x48)]), UnpackError::InvalidCastlingRook(Square::A1));
    assert_eq!(with(&[(12, 0x0e)]), UnpackError::InvalidEnPassantPawn(Square::A2));
    assert_eq!(with(&[(12, 0xee)]), UnpackError::InvalidEnPassantPawn(Square::B2));
    let no_pieces = PackedBoard::from_bytes([0; 24]).unpack().unwrap_err();
    assert!(matches!(no_pieces, UnpackError::Board(BoardError::NoKing(_))));
    assert_eq!(no_pieces.to_string(), "invalid packed board: white has no king (expected exactly 1)");

    let mut random = SplitMix64::new(7);
    for _ in 0..20_000 {
        let mut bytes = start;
        for _ in 0..=random.below(3) {
            bytes[random.below(24)] = random.next_u64() as u8;
        }
        // Compares boards, not bytes, because unpacking may drop an en-passant square.
        if let Ok(board) = PackedBoard::from_bytes(bytes).unpack() {
            assert_eq!(board.pack().unpack(), Ok(board));
        }
    }
}
