//! [`BoardBuilder`]: the pieces as the first field of a FEN, everything else by name.

use super::FromText;
use crate::fen::{parse_placement, placement};
use crate::{BoardBuilder, CastlingRights, Color, FenError, Piece, Square};
use core::marker::PhantomData;
use core::str::FromStr;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The serialized form. A whole FEN would not do: its castling rights depend on the rooks, which a builder may lack.
#[derive(Serialize, Deserialize)]
#[serde(rename = "BoardBuilder")]
struct Setup {
    pieces: Placement,
    side_to_move: Color,
    castling: CastlingRights,
    en_passant: Option<Square>,
    halfmove_clock: u16,
    fullmove_number: u16,
}

struct Placement([Option<Piece>; Square::COUNT]);

impl FromStr for Placement {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Placement, FenError> {
        parse_placement(text).map(Placement)
    }
}

impl Serialize for Placement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(placement(&self.0).as_str())
    }
}

impl<'de> Deserialize<'de> for Placement {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Placement, D::Error> {
        deserializer.deserialize_str(FromText("the pieces as in a FEN", PhantomData))
    }
}

impl Serialize for BoardBuilder {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &BoardBuilder { pieces, side_to_move, castling, en_passant, halfmove_clock, fullmove_number } =
            self;
        let pieces = Placement(pieces);
        Setup { pieces, side_to_move, castling, en_passant, halfmove_clock, fullmove_number }
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for BoardBuilder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BoardBuilder, D::Error> {
        let Setup { pieces, side_to_move, castling, en_passant, halfmove_clock, fullmove_number } =
            Setup::deserialize(deserializer)?;
        let pieces = pieces.0;
        Ok(BoardBuilder { pieces, side_to_move, castling, en_passant, halfmove_clock, fullmove_number })
    }
}
