//! Round trips of every type, and errors.

use super::*;
use crate::notation::{Location, SanSuffix};
use crate::{BoardBuilder, Epd, EpdOperand, EpdOperation, EpdRegister, SplitMix64};
use core::fmt::Debug;
use serde_test::{Compact, Configure, Readable, Token, assert_de_tokens_error, assert_tokens};

type Both<T> = (Readable<T>, Compact<T>);

fn both<T>(value: T, text: &'static str, compact: Token)
where
    T: Serialize + for<'de> Deserialize<'de> + PartialEq + Debug + Copy,
{
    let (readable, binary): Both<T> = (value.readable(), value.compact());
    assert_tokens(&readable, &[Token::Str(text)]);
    assert_tokens(&binary, &[compact]);
}

#[test]
fn indexed_types_are_text_or_numbers() {
    both(Color::Black, "black", Token::U8(1));
    both(PieceType::Queen, "queen", Token::U8(4));
    both(Piece::WhiteKnight, "N", Token::U8(2));
    both(File::C, "c", Token::U8(2));
    both(Rank::Eighth, "8", Token::U8(7));
    both(Square::E4, "e4", Token::U8(28));
    both(CastlingSide::Queen, "O-O-O", Token::U8(1));
    both(Bitboard(0xff00), "0x000000000000ff00", Token::U64(0xff00));
}

#[test]
fn text_types_are_text_in_all_formats() {
    fn text<T>(value: T, text: &'static str)
    where
        T: Serialize + for<'de> Deserialize<'de> + PartialEq + Debug + FromStr<Err: Debug>,
    {
        assert_tokens(&value, &[Token::Str(text)]);
        assert_eq!(text.parse::<T>().unwrap(), value);
    }
    let fen = "r3k2r/8/8/8/8/8/8/4K3 b kq - 3 40";
    text(Board::from_fen(fen).unwrap(), fen);
    text(CastlingRights::STANDARD, "KQkq");
    text(
        "4k3/8/8/8/8/8/8/4K3 w - - id \"x\";".parse::<Epd>().unwrap(),
        "4k3/8/8/8/8/8/8/4K3 w - - id \"x\";",
    );
    let counted = "4k3/8/8/8/8/8/8/4K3 w - - id \"x\"; hmvc 8; fmvn 40;";
    assert_tokens(&counted.parse::<Epd>().unwrap(), &[Token::Str(counted)]);
    text(GameResult::Draw, "1/2-1/2");
    text(MoveKind::EnPassant, "en-passant");
    text("Nbd7+".parse::<San>().unwrap(), "Nbd7+");
    text("e7e8q".parse::<UciMove>().unwrap(), "e7e8q");
    assert_tokens(&Nag::MISTAKE, &[Token::U8(2)]);
}

#[test]
fn packed_boards_are_hexadecimal_or_bytes() {
    let packed = Board::startpos().pack();
    let text = "ffff00000000ffff2c844ac200000000111111113d955bd3";
    assert_tokens(&packed.readable(), &[Token::Str(text)]);
    let mut tokens = vec![Token::Tuple { len: 24 }];
    tokens.extend(packed.to_bytes().map(Token::U8));
    tokens.push(Token::TupleEnd);
    assert_tokens(&packed.compact(), &tokens);
    for text in ["", "ff", &"f".repeat(49), &"+f".repeat(24)] {
        assert!(serde_json::from_str::<PackedBoard>(&format!("{text:?}")).is_err(), "{text}");
    }
}

#[test]
fn moves_are_text_or_bits() {
    let mv = Move::new(Square::A7, Square::B8, MoveKind::PromotionCapture(PieceType::Rook));
    both(mv, "a7b8r promotion-capture-rook", Token::U16(mv.to_bits()));
    let castle = Move::new(Square::E1, Square::H1, MoveKind::Castle(CastlingSide::King));
    both(castle, "e1h1 castle-king", Token::U16(castle.to_bits()));
    for kind in MoveKind::ALL {
        let json = serde_json::to_string(&Move::new(Square::A1, Square::H8, kind)).unwrap();
        assert_eq!(serde_json::from_str::<Move>(&json).unwrap().kind(), kind);
    }
    for text in ["e2e4", "0000 quiet", "e2e2 quiet", "a1a1 quiet", "a7a8q promotion-rook", "e2e4q quiet"] {
        let error = serde_json::from_str::<Move>(&format!("{text:?}")).unwrap_err().to_string();
        assert!(error.contains("expected a move and its kind, such as e2e4 double-push"), "{error}");
    }
}

#[test]
fn moves_and_packed_boards_are_keys_of_maps_in_json() {
    let mv = Move::new(Square::G1, Square::F3, MoveKind::Quiet);
    let map = alloc::collections::BTreeMap::from([(mv, Board::startpos().pack())]);
    let json = serde_json::to_string(&map).unwrap();
    assert!(json.starts_with(r#"{"g1f3 quiet":"ffff00000000ffff"#), "{json}");
    assert_eq!(serde_json::from_str::<alloc::collections::BTreeMap<_, _>>(&json).unwrap(), map);
    let map = alloc::collections::BTreeMap::from([(Board::startpos().pack(), mv)]);
    let json = serde_json::to_string(&map).unwrap();
    assert_eq!(serde_json::from_str::<alloc::collections::BTreeMap<_, _>>(&json).unwrap(), map);
}

#[test]
fn lists_bounds_and_games_round_trip() {
    let moves: MoveList = [Move::new(Square::G1, Square::F3, MoveKind::Quiet)].into_iter().collect();
    let bits = Token::U16(moves[0].to_bits());
    assert_tokens(&moves.compact(), &[Token::Seq { len: Some(1) }, bits, Token::SeqEnd]);
    for (bound, text) in [(Bound::Exact, "exact"), (Bound::Lower, "lower"), (Bound::Upper, "upper")] {
        assert_tokens(&bound, &[Token::Str(text)]);
    }
    assert_de_tokens_error::<Bound>(
        &[Token::Str("both")],
        "invalid value: string \"both\", expected exact, lower or upper",
    );
    let text = "[Event \"x\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 (1. d4) 1... e5 *\n";
    assert_tokens(&text.parse::<PgnGame>().unwrap(), &[Token::Str(text)]);
}

#[test]
fn errors_state_the_expected_value() {
    assert_de_tokens_error::<Readable<Square>>(
        &[Token::Str("j9")],
        "invalid square: expected a file letter a-h and a rank digit 1-8, as in e4",
    );
    assert_de_tokens_error::<Compact<Square>>(
        &[Token::U8(64)],
        "invalid value: integer `64`, expected a square, a1 to h8",
    );
    assert_de_tokens_error::<Board>(
        &[Token::Str("8/8/8/8/8/8/8/8 w - -")],
        "illegal position: white has no king (expected exactly 1)",
    );
    assert_de_tokens_error::<Readable<Bitboard>>(
        &[Token::Str("0x+1")],
        "invalid value: string \"0x+1\", expected a bitboard such as 0x00000000000000ff",
    );
    assert_de_tokens_error::<Compact<Move>>(
        &[Token::U16(0)],
        "invalid value: integer `0`, expected the bits of a move",
    );
}

#[test]
fn parts_of_games_and_records_round_trip() {
    assert_tokens(&PgnScore::Centipawns(-5), &[Token::Str("-0.05")]);
    assert_tokens(&PgnScore::Mate(-3), &[Token::Str("#-3")]);
    assert_de_tokens_error::<PgnScore>(
        &[Token::Str("good")],
        "invalid value: string \"good\", expected a score such as 0.17 or #-3",
    );
    assert_tokens(&"Nbxd7+".parse::<San>().unwrap().mv, &[Token::Str("Nbxd7")]);
    assert_de_tokens_error::<SanMove>(
        &[Token::Str("Nd7+")],
        "invalid value: string \"Nd7+\", expected a move in standard algebraic notation, without a check mark",
    );
    let variant = |variant| Token::UnitVariant { name: "SanSuffix", variant };
    assert_tokens(&SanSuffix::Check, &[variant("+")]);
    assert_tokens(&SanSuffix::Checkmate, &[variant("#")]);
    let location = Location { offset: 12, line: 2, column: 3 };
    let fields = [("offset", 12), ("line", 2), ("column", 3)]
        .map(|(name, value)| [Token::Str(name), Token::U64(value)]);
    let fields = fields.concat();
    let tokens = [&[Token::Struct { name: "Location", len: 3 }], &fields[..], &[Token::StructEnd]].concat();
    assert_tokens(&location, &tokens);
    assert_tokens(&EpdRegister::new(9).unwrap(), &[Token::U8(9)]);
    assert_de_tokens_error::<EpdRegister>(
        &[Token::U8(10)],
        "invalid value: integer `10`, expected a register, 0 to 9",
    );
}

#[test]
fn epd_operations_have_names() {
    let operation = |variant| Token::NewtypeVariant { name: "EpdOperation", variant };
    let best = EpdOperation::BestMoves(["Nf3".parse().unwrap()].into());
    let moves = [Token::Seq { len: Some(1) }, Token::Str("Nf3"), Token::SeqEnd];
    assert_tokens(&best, &[&[operation("best-moves")], &moves[..]].concat());
    let other =
        EpdOperation::Other { opcode: "noop".into(), operands: [EpdOperand::Word("x".into())].into() };
    let fields = [
        Token::StructVariant { name: "EpdOperation", variant: "other", len: 2 },
        Token::Str("opcode"),
        Token::Str("noop"),
        Token::Str("operands"),
        Token::Seq { len: Some(1) },
        Token::NewtypeVariant { name: "EpdOperand", variant: "word" },
        Token::Str("x"),
        Token::SeqEnd,
        Token::StructVariantEnd,
    ];
    assert_tokens(&other, &fields);
}

#[test]
fn random_streams_continue_where_they_were_saved() {
    let mut random = SplitMix64::new(7);
    random.next_u64();
    let json = serde_json::to_string(&random).unwrap();
    assert_eq!(serde_json::from_str::<SplitMix64>(&json).unwrap(), random);
}

#[test]
fn builders_round_trip_even_where_no_position_is_legal() {
    let mut builder = BoardBuilder::empty();
    builder.set(Square::A8, Some(Piece::WhitePawn));
    builder.set(Square::D4, Some(Piece::BlackKing));
    builder.set(Square::H1, Some(Piece::WhiteQueen));
    builder.castling.set(Color::Black, CastlingSide::King, Some(File::C));
    builder.en_passant = Some(Square::A1);
    builder.fullmove_number = 0;
    let json = r#"{"pieces":"P7/8/8/8/3k4/8/8/7Q","side_to_move":"white","castling":"kc","en_passant":"a1","halfmove_clock":0,"fullmove_number":0}"#;
    assert_eq!(serde_json::to_string(&builder).unwrap(), json);
    assert_eq!(serde_json::from_str::<BoardBuilder>(json).unwrap(), builder);
    let error = serde_json::from_str::<BoardBuilder>(&json.replace("3k4", "3k5")).unwrap_err().to_string();
    assert!(error.starts_with("invalid FEN, piece placement, byte 11"), "{error}");
}
