//! Serde implementations that are not derived.

use crate::book_move::BookMove;
use crate::polyglot::PolyglotBook;
use crate::text::TextBook;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_bytes::ByteBuf;
use std::collections::{BTreeMap, HashMap, HashSet};
use tabiya_core::Key;

/// Serializes as the bytes of the book's file.
impl Serialize for PolyglotBook {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ByteBuf::from(self.to_bytes()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for PolyglotBook {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PolyglotBook, D::Error> {
        PolyglotBook::from_bytes(&ByteBuf::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Serializes as a map from Zobrist keys to replies, in the order of the keys. The book does not keep the positions.
impl Serialize for TextBook {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.replies.iter().collect::<BTreeMap<_, _>>().serialize(serializer)
    }
}

/// Fails if a position has no reply, or one twice.
impl<'de> Deserialize<'de> for TextBook {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TextBook, D::Error> {
        let replies = HashMap::<Key, Vec<BookMove>>::deserialize(deserializer)?;
        for moves in replies.values() {
            let mut seen = HashSet::new();
            if moves.is_empty() {
                return Err(D::Error::invalid_length(0, &"at least one reply to each position"));
            }
            if let Some(twice) = moves.iter().find(|reply| !seen.insert(reply.mv)) {
                return Err(D::Error::custom(format_args!("the reply {} is there twice", twice.mv)));
            }
        }
        Ok(TextBook { replies })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Book, PolyglotBuilder};
    use tabiya_core::notation::GameResult;
    use tabiya_movegen::Position;

    fn polyglot() -> PolyglotBook {
        let start = Position::startpos();
        let mut builder = PolyglotBuilder::new();
        start.legal_moves().into_iter().for_each(|mv| builder.add(&start, mv, GameResult::WhiteWins));
        PolyglotBook::from_bytes(&builder.build(1)).unwrap()
    }

    #[test]
    fn books_round_trip() {
        for book in [Book::main_lines(), Book::Polyglot(polyglot())] {
            let json = serde_json::to_string(&book).unwrap();
            assert_eq!(serde_json::from_str::<Book>(&json).unwrap(), book);
        }
        let json = serde_json::to_string(&polyglot()).unwrap();
        assert!(json.starts_with("[70,59,150,24,22,145,252,156,"), "the key of the start position: {json}");
    }

    #[test]
    fn text_books_are_maps_of_keys() {
        let book = TextBook::from_lines("e4 e5").unwrap();
        let json = serde_json::to_string(&book).unwrap();
        let first = format!("\"{}\":[", Position::startpos().key());
        let reply = r#"{"mv":"e2e4 double-push","weight":1}"#;
        assert!(json.contains(&format!("{first}{reply}]")), "{json}");
        assert_eq!(serde_json::from_str::<TextBook>(&json).unwrap(), book);

        let error = |json: &str| serde_json::from_str::<TextBook>(json).unwrap_err().to_string();
        let empty = error(&json.replace(&format!("{first}{reply}"), &first));
        assert!(empty.starts_with("invalid length 0, expected at least one reply"), "{empty}");
        let twice = error(&json.replace(reply, &format!("{reply},{reply}")));
        assert!(twice.starts_with("the reply e2e4 is there twice"), "{twice}");
    }

    #[test]
    fn polyglot_books_need_whole_entries() {
        let error = serde_json::from_str::<PolyglotBook>("[1,2,3]").unwrap_err().to_string();
        assert!(error.contains("16"), "{error}");
    }
}
