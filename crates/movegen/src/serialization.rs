//! Serde implementations of positions, games and outcomes.

use crate::game::Game;
#[cfg(feature = "std")]
use crate::game_tree::GameTree;
use crate::outcome::{DrawReason, Outcome, WinReason};
use crate::position::Position;
use crate::see::PieceValues;
use alloc::vec::Vec;
use core::fmt;
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tabiya_core::notation::San;
use tabiya_core::{Board, PieceType, Value};

/// Serializes as FEN.
impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.board().serialize(serializer)
    }
}

/// Deserializes from FEN.
impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
        Board::deserialize(deserializer).map(Position::from_valid)
    }
}

/// Implements `Serialize` by `Display` and `Deserialize` by `FromStr`.
macro_rules! serialize_as_text {
    ($($name:ident: $expected:literal,)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                struct Text;

                impl Visitor<'_> for Text {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expected)
                    }

                    fn visit_str<E: Error>(self, text: &str) -> Result<$name, E> {
                        text.parse().map_err(E::custom)
                    }
                }

                deserializer.deserialize_str(Text)
            }
        }
    )*};
}

serialize_as_text! {
    Outcome: "the outcome of a game, such as 1-0 (checkmate)",
    WinReason: "the reason for a win, such as checkmate",
    DrawReason: "the reason for a draw, such as stalemate",
}

/// Serializes as the values of pawn, knight, bishop, rook and queen.
impl Serialize for PieceValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use PieceType::{Bishop, Knight, Pawn, Queen, Rook};
        [Pawn, Knight, Bishop, Rook, Queen].map(|piece_type| self.value(piece_type)).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for PieceValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PieceValues, D::Error> {
        let values = <[Value; PieceType::COUNT - 1]>::deserialize(deserializer)?;
        match values.iter().find(|value| !(0..=2000).contains(*value)) {
            Some(&value) => {
                Err(D::Error::invalid_value(Unexpected::Signed(value.into()), &"a value from 0 to 2000"))
            }
            None => Ok(PieceValues::new(values)),
        }
    }
}

/// Serializes as PGN.
#[cfg(feature = "std")]
impl Serialize for GameTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Deserializes from the first game of a PGN, which must have no error.
#[cfg(feature = "std")]
impl<'de> Deserialize<'de> for GameTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameTree, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|broken: crate::BrokenGameTree| D::Error::custom(broken.error))
    }
}

/// The serialized form of a game: start position, moves to the current position, outcome.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Game")]
struct Record {
    start: Position,
    moves: Vec<San>,
    outcome: Option<Outcome>,
}

/// Serializes the start as FEN, the moves in standard algebraic notation, and the outcome. Undone moves are
/// not serialized.
impl Serialize for Game {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let start = self.start().clone();
        Record { start, moves: self.san_moves().collect(), outcome: self.outcome() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Game {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
        let Record { start, moves, outcome } = Record::deserialize(deserializer)?;
        let mut game = Game::from_position(start);
        for san in moves {
            let position = game.position();
            let mv = position.resolve_san(san).map_err(|error| {
                D::Error::custom(format_args!("{san} cannot be played: {error}; the position is {position}"))
            })?;
            game.play_legal(mv);
        }
        if let Some(outcome) = outcome
            && game.outcome() != Some(outcome)
        {
            game.end(outcome);
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Filter;
    use alloc::string::ToString;
    use tabiya_core::{Bitboard, Color};

    #[test]
    fn games_round_trip_through_json() {
        let mut game = Game::from_position(Position::chess960(3).unwrap());
        for _ in 0..6 {
            let mv = game.position().legal().next().unwrap().mv();
            game.play(mv).unwrap();
        }
        game.undo();
        game.resign(Color::Black);
        let json = serde_json::to_string(&game).unwrap();
        assert_eq!(serde_json::from_str::<Game>(&json).unwrap(), game);

        let json = r#"{"moves":["f3","e5","g4","Qh4"],"outcome":null,"start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"}"#;
        let game: Game = serde_json::from_str(json).unwrap();
        assert_eq!(
            serde_json::to_string(&game).unwrap(),
            r##"{"start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","moves":["f3","e5","g4","Qh4#"],"outcome":"0-1 (checkmate)"}"##
        );
        let tree: GameTree = "1. e4 e5 (1... c5 { x }) *".parse().unwrap();
        let text = serde_json::to_string(&tree).unwrap();
        assert_eq!(serde_json::from_str::<GameTree>(&text).unwrap(), tree);
        assert!(serde_json::from_str::<GameTree>("\"1. e5 *\"").is_err());
        let error = serde_json::from_str::<Game>(&json.replace("g4", "g5")).unwrap_err().to_string();
        assert!(error.starts_with("g5 cannot be played: no legal move fits"), "{error}");
    }

    #[test]
    fn positions_and_reasons_round_trip_through_json() {
        let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
        let json = serde_json::to_string(&position).unwrap();
        assert_eq!(json, r#""4k3/8/8/8/8/8/8/4K2R w K - 0 1""#);
        assert_eq!(serde_json::from_str::<Position>(&json).unwrap(), position);
        let reasons = r#"["agreement","stalemate"]"#;
        let read: [DrawReason; 2] = serde_json::from_str(reasons).unwrap();
        assert_eq!(read, [DrawReason::Agreement, DrawReason::Stalemate]);
        assert_eq!(serde_json::to_string(&read).unwrap(), reasons);
        assert!(serde_json::from_str::<WinReason>(r#""stalemate""#).is_err());
    }

    #[test]
    fn filters_and_piece_values_round_trip_through_json() {
        let filter = Filter::CAPTURES.from(Bitboard(0xff));
        let json = r#"{"kind":"captures","from":"0x00000000000000ff","to":"0xffffffffffffffff"}"#;
        assert_eq!(serde_json::to_string(&filter).unwrap(), json);
        assert_eq!(serde_json::from_str::<Filter>(json).unwrap(), filter);
        let values = PieceValues::new([100, 320, 330, 500, 900]);
        assert_eq!(serde_json::to_string(&values).unwrap(), "[100,320,330,500,900]");
        assert_eq!(serde_json::from_str::<PieceValues>("[100,320,330,500,900]").unwrap(), values);
        let error = serde_json::from_str::<PieceValues>("[100,320,330,500,9000]").unwrap_err().to_string();
        assert!(
            error.starts_with("invalid value: integer `9000`, expected a value from 0 to 2000"),
            "{error}"
        );
    }
}
