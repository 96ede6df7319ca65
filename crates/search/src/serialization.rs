//! Serde implementations that are not derived.

use crate::answer::Line;
use crate::score::Score;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Serializes as text: `+0.35`, `#-3`.
impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Deserializes from text.
impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Score, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Score;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a score, such as +0.35 or #-3")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Score, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Text)
    }
}

/// Deserializes the lines of an answer, of which there is at least one.
pub(crate) fn non_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Line>, D::Error> {
    let lines = Vec::deserialize(deserializer)?;
    if lines.is_empty() { Err(D::Error::invalid_length(0, &"at least one line")) } else { Ok(lines) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Clock, Info, Limits, Options, SearchEvent, TablebaseOptions, Wdl, bench, tuning};
    use serde::de::DeserializeOwned;
    use std::fmt::Debug;
    use std::time::Duration;
    use tabiya_core::{Bound, Move, MoveKind, Square};

    fn mv() -> Move {
        Move::new(Square::E2, Square::E4, MoveKind::DoublePush)
    }

    fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
        let json = serde_json::to_string(value).unwrap();
        assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value, "{json}");
        json
    }

    #[test]
    fn scores_are_text() {
        assert_eq!(round_trip(&Score::Centipawns(-120)), r#""-1.20""#);
        assert_eq!(round_trip(&Score::Mate(3)), r##""#3""##);
        assert!(
            serde_json::from_str::<Score>(r#""good""#).unwrap_err().to_string().contains("invalid score")
        );
    }

    #[test]
    fn limits_round_trip_and_may_be_partial() {
        let clock = Clock::new(Duration::from_secs(60), Duration::from_millis(500)).with_moves_to_go(40);
        round_trip(&Limits::clock(clock).with_search_moves([mv()]).with_multipv(3).with_mate(5));
        let limits: Limits = serde_json::from_str(r#"{"depth":12,"multipv":2}"#).unwrap();
        assert_eq!(limits, Limits::depth(12).with_multipv(2));
    }

    #[test]
    fn answers_and_events_round_trip() {
        let wdl = Wdl { win: 300, draw: 500, loss: 200 };
        let info =
            Info::new(9, Score::Centipawns(35)).with_wdl(wdl).with_bound(Bound::Lower).with_pv(vec![mv()]);
        let best = crate::BestMove { best: Some(mv()), ponder: None };
        let answer = Answer::new(best, vec![info.line()], 1234, Duration::from_micros(7));
        let json = round_trip(&answer);
        let lines = serde_json::to_string(answer.lines()).unwrap();
        let error = serde_json::from_str::<Answer>(&json.replace(&lines, "[]")).unwrap_err().to_string();
        assert!(error.starts_with("invalid length 0, expected at least one line"), "{error}");
        assert!(round_trip(&SearchEvent::Info(info)).starts_with(r#"{"info":{"depth":9,"#));
        assert!(round_trip(&SearchEvent::BestMove(best)).starts_with(r#"{"best-move":{"best":"e2e4 "#));
        round_trip(&SearchEvent::CurrentMove { depth: 9, mv: mv(), number: 4 });
        round_trip(&tuning::WdlModel::NNUE);
    }

    #[test]
    fn options_round_trip_without_tables_and_may_be_partial() {
        let tablebases = TablebaseOptions::default().with_probe_limit(5).with_fifty_move_rule(false);
        let options = Options::default().with_threads(3).with_tablebases(tablebases);
        let json = serde_json::to_string(&options).unwrap();
        let tables = r#""tablebases":{"probe_depth":1,"probe_limit":5,"fifty_move_rule":false}"#;
        assert!(json.starts_with(r#"{"hash_mb":16,"threads":3,"evaluation":""#) && json.contains(tables));
        let read: Options = serde_json::from_str(&json).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), json);

        let read: Options = serde_json::from_str(r#"{"hash_mb":0,"evaluation":"classic"}"#).unwrap();
        assert_eq!((read.threads, &read.evaluation), (1, &tabiya_eval::Evaluation::Classic));
        assert!(crate::Engine::new(read).is_err(), "the engine checks the size");
    }

    #[test]
    fn benchmarks_are_written() {
        let position = serde_json::to_string(&bench::POSITIONS[0]).unwrap();
        assert!(position.starts_with(r#"{"phase":"opening","fen":"rnbqkbnr/"#), "{position}");
        assert_eq!(round_trip(&bench::Phase::MiddleGame), r#""middle-game""#);
    }
}
