//! `serde` implementations.
//!
//! A type with a text form is serialized as that text, a board as its FEN. In formats that are not
//! human-readable, types with an index or a bit pattern are serialized as numbers. Structs of public fields and enums
//! without a text form derive theirs where they are declared.

mod builder;
#[cfg(feature = "epd")]
mod epd;
#[cfg(test)]
mod tests;

#[cfg(feature = "std")]
use crate::notation::PgnGame;
#[cfg(feature = "pgn")]
use crate::notation::PgnScore;
use crate::notation::{GameResult, Nag, San, SanMove, UciMove};
use crate::{
    Bitboard, Board, Bound, CastlingRights, CastlingSide, Color, File, Move, MoveKind, MoveList, PackedBoard,
    Piece, PieceType, Rank, Square,
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

/// A visitor that parses a string with a function. The text describes the expected one.
struct FromFunction<F>(&'static str, F);

impl<T, F: Fn(&str) -> Option<T>> Visitor<'_> for FromFunction<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.1)(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
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
        let parse = |text: &str| {
            let digits = text.strip_prefix("0x").filter(|digits| !digits.starts_with('+'))?;
            u64::from_str_radix(digits, 16).ok().map(Bitboard)
        };
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(FromFunction("a bitboard such as 0x00000000000000ff", parse))
        } else {
            u64::deserialize(deserializer).map(Bitboard)
        }
    }
}

/// Serializes as the move in UCI notation, castling as "king takes rook", and its kind, which no standard notation contains:
/// `e2e4 double-push`.
impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(&format_args!("{self} {}", self.kind()))
        } else {
            serializer.serialize_u16(self.to_bits())
        }
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Move, D::Error> {
        let parse = |text: &str| {
            let (uci, kind) = text.split_once(' ')?;
            let UciMove::Normal { from, to, promotion } = uci.parse().ok()? else { return None };
            let kind: MoveKind = kind.parse().ok()?;
            let mv = (from != to).then(|| Move::new(from, to, kind))?;
            (mv.promotion() == promotion).then_some(mv)
        };
        if deserializer.is_human_readable() {
            return deserializer
                .deserialize_str(FromFunction("a move and its kind, such as e2e4 double-push", parse));
        }
        let bits = u16::deserialize(deserializer)?;
        let mv = Move::from_bits(bits).filter(|mv| mv.is_canonical() && mv.from() != mv.to());
        mv.ok_or_else(|| D::Error::invalid_value(Unexpected::Unsigned(bits.into()), &"the bits of a move"))
    }
}

/// Displays the bytes of a packed board as two digits each.
struct Hexadecimal([u8; PackedBoard::SIZE]);

impl Display for Hexadecimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Human-readable formats get a string of 48 hexadecimal digits, others the 24 bytes.
impl Serialize for PackedBoard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(&Hexadecimal(self.to_bytes()))
        } else {
            self.to_bytes().serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for PackedBoard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PackedBoard, D::Error> {
        let parse = |text: &str| {
            let (digits, rest) = text.as_bytes().as_chunks();
            let mut bytes = [0; PackedBoard::SIZE];
            if digits.len() != bytes.len() || !rest.is_empty() {
                return None;
            }
            for (byte, &[high, low]) in bytes.iter_mut().zip(digits) {
                let digit = |digit: u8| char::from(digit).to_digit(16);
                *byte = (digit(high)? << 4 | digit(low)?) as u8;
            }
            Some(PackedBoard::from_bytes(bytes))
        };
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(FromFunction("a packed board of 48 hexadecimal digits", parse))
        } else {
            <[u8; PackedBoard::SIZE]>::deserialize(deserializer).map(PackedBoard::from_bytes)
        }
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

/// Serializes as text, as in a comment: `0.17`, `#-3`.
#[cfg(feature = "pgn")]
impl Serialize for PgnScore {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "pgn")]
impl<'de> Deserialize<'de> for PgnScore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PgnScore, D::Error> {
        deserializer.deserialize_str(FromFunction("a score such as 0.17 or #-3", PgnScore::parse))
    }
}

/// Serializes as a move in standard algebraic notation.
impl Serialize for SanMove {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Fails if the text has a check mark.
impl<'de> Deserialize<'de> for SanMove {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SanMove, D::Error> {
        let parse = |text: &str| text.parse().ok().filter(|san: &San| san.suffix.is_none()).map(|san| san.mv);
        let expected = "a move in standard algebraic notation, without a check mark";
        deserializer.deserialize_str(FromFunction(expected, parse))
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
        let parse = |text: &str| match text {
            "exact" => Some(Bound::Exact),
            "lower" => Some(Bound::Lower),
            "upper" => Some(Bound::Upper),
            _ => None,
        };
        deserializer.deserialize_str(FromFunction("exact, lower or upper", parse))
    }
}

/// Serializes as PGN.
#[cfg(feature = "std")]
impl Serialize for PgnGame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Deserializes from the first game of a PGN, which must have no error.
#[cfg(feature = "std")]
impl<'de> Deserialize<'de> for PgnGame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PgnGame, D::Error> {
        deserializer.deserialize_str(FromText("a game in PGN", PhantomData))
    }
}
