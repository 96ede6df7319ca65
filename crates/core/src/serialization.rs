//! `serde` implementations.
//!
//! A type with a text form is serialized as that text, a board as its FEN. In formats that are not
//! human-readable, types with an index or a bit pattern are serialized as numbers.

#[cfg(feature = "std")]
use crate::notation::PgnGame;
use crate::notation::{GameResult, Nag, San, UciMove};
use crate::{
    Bitboard, Board, Bound, CastlingRights, CastlingSide, Color, Epd, File, Move, MoveKind, MoveList, Piece,
    PieceType, Rank, Square,
};
use core::fmt::{self, Display};
use core::marker::PhantomData;
use core::str::FromStr;
use serde::de::{Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A visitor that parses a string with [`FromStr`]. The field describes the expected text.
struct FromText<T>(&'static str, PhantomData<T>);

impl<T: FromStr<Err: Display>> Visitor<'_> for FromText<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// Implements serialization as text for types with `Display` and `FromStr`.
macro_rules! serialize_as_text {
    ($($name:ident: $expected:literal,)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                deserializer.deserialize_str(FromText($expected, PhantomData))
            }
        }
    )*};
}

serialize_as_text! {
    Board: "a position in FEN",
    CastlingRights: "castling rights such as KQkq or -",
    Epd: "a position in EPD",
    GameResult: "1-0, 0-1, 1/2-1/2 or *",
    MoveKind: "a move kind such as quiet or capture",
    San: "a move in standard algebraic notation",
    UciMove: "a move in UCI notation",
}

/// Implements serialization as text in human-readable formats, as index in others.
macro_rules! serialize_as_text_or_index {
    ($($name:ident: $expected:literal,)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(self)
                } else {
                    serializer.serialize_u8(self.index() as u8)
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                if deserializer.is_human_readable() {
                    return deserializer.deserialize_str(FromText($expected, PhantomData));
                }
                let index = u8::deserialize(deserializer)?;
                let value = $name::ALL.get(usize::from(index)).copied();
                value.ok_or_else(|| D::Error::invalid_value(Unexpected::Unsigned(index.into()), &$expected))
            }
        }
    )*};
}

serialize_as_text_or_index! {
    CastlingSide: "O-O or O-O-O",
    Color: "white or black",
    File: "a file, a to h",
    Piece: "a piece, one of PNBRQKpnbrqk",
    PieceType: "a piece type",
    Rank: "a rank, 1 to 8",
    Square: "a square, a1 to h8",
}

/// Human-readable formats get a hexadecimal string, because many JSON parsers lack 64-bit integers.
impl Serialize for Bitboard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(&format_args!("{self:#018x}"))
        } else {
            serializer.serialize_u64(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Bitboard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bitboard, D::Error> {
        struct Hexadecimal;

        impl Visitor<'_> for Hexadecimal {
            type Value = Bitboard;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a bitboard such as 0x00000000000000ff")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Bitboard, E> {
                let digits = text.strip_prefix("0x").filter(|digits| !digits.starts_with('+'));
                let bits = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
                bits.map(Bitboard).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
            }
        }

        if deserializer.is_human_readable() {
            deserializer.deserialize_str(Hexadecimal)
        } else {
            u64::deserialize(deserializer).map(Bitboard)
        }
    }
}

/// The human-readable form of a [`Move`]. No standard notation contains the move kind.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Move")]
struct Parts {
    from: Square,
    to: Square,
    kind: MoveKind,
}

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            Parts { from: self.from(), to: self.to(), kind: self.kind() }.serialize(serializer)
        } else {
            serializer.serialize_u16(self.to_bits())
        }
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Move, D::Error> {
        if deserializer.is_human_readable() {
            let Parts { from, to, kind } = Parts::deserialize(deserializer)?;
            if from == to {
                return Err(D::Error::custom("invalid move: from and to are the same square"));
            }
            return Ok(Move::new(from, to, kind));
        }
        let bits = u16::deserialize(deserializer)?;
        let mv = Move::from_bits(bits).filter(|mv| mv.is_canonical());
        mv.ok_or_else(|| D::Error::invalid_value(Unexpected::Unsigned(bits.into()), &"the bits of a move"))
    }
}

impl Serialize for Nag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

impl<'de> Deserialize<'de> for Nag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Nag, D::Error> {
        u8::deserialize(deserializer).map(Nag)
    }
}

/// Serializes as a sequence of moves.
impl Serialize for MoveList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

/// Fails above [`MoveList::CAPACITY`] moves.
impl<'de> Deserialize<'de> for MoveList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MoveList, D::Error> {
        struct Moves;

        impl<'de> Visitor<'de> for Moves {
            type Value = MoveList;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "at most {} moves", MoveList::CAPACITY)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut moves: A) -> Result<MoveList, A::Error> {
                let mut list = MoveList::new();
                while let Some(mv) = moves.next_element()? {
                    if list.len() == MoveList::CAPACITY {
                        return Err(A::Error::invalid_length(list.len() + 1, &self));
                    }
                    list.push(mv);
                }
                Ok(list)
            }
        }

        deserializer.deserialize_seq(Moves)
    }
}

/// Serializes as `exact`, `lower` or `upper`.
impl Serialize for Bound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Bound::Exact => "exact",
            Bound::Lower => "lower",
            Bound::Upper => "upper",
        })
    }
}

impl<'de> Deserialize<'de> for Bound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bound, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = Bound;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("exact, lower or upper")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Bound, E> {
                match text {
                    "exact" => Ok(Bound::Exact),
                    "lower" => Ok(Bound::Lower),
                    "upper" => Ok(Bound::Upper),
                    _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
                }
            }
        }

        deserializer.deserialize_str(Name)
    }
}

/// Serializes as PGN.
#[cfg(feature = "std")]
impl Serialize for PgnGame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Deserializes from PGN with one game and no error.
#[cfg(feature = "std")]
impl<'de> Deserialize<'de> for PgnGame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PgnGame, D::Error> {
        deserializer.deserialize_str(FromText("a game in PGN", PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        text(GameResult::Draw, "1/2-1/2");
        text(MoveKind::EnPassant, "en-passant");
        text("Nbd7+".parse::<San>().unwrap(), "Nbd7+");
        text("e7e8q".parse::<UciMove>().unwrap(), "e7e8q");
        assert_tokens(&Nag::MISTAKE, &[Token::U8(2)]);
    }

    #[test]
    fn moves_are_structs_or_bits() {
        let mv = Move::new(Square::A7, Square::B8, MoveKind::PromotionCapture(PieceType::Rook));
        let parts = [
            Token::Struct { name: "Move", len: 3 },
            Token::Str("from"),
            Token::Str("a7"),
            Token::Str("to"),
            Token::Str("b8"),
            Token::Str("kind"),
            Token::Str("promotion-capture-rook"),
            Token::StructEnd,
        ];
        assert_tokens(&mv.readable(), &parts);
        assert_tokens(&mv.compact(), &[Token::U16(mv.to_bits())]);
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
}
