//! Serde implementations that are not derived.

use crate::handcrafted::{Phase, Tapered};
use crate::nnue::{Architecture, KingBuckets};
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The serialized form of a tapered number.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Tapered")]
struct Halves {
    mg: i16,
    eg: i16,
}

/// Serializes as the fields `mg` and `eg`.
impl<U> Serialize for Tapered<U> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Each half has 16 bits.
        Halves { mg: self.mg() as i16, eg: self.eg() as i16 }.serialize(serializer)
    }
}

impl<'de, U> Deserialize<'de> for Tapered<U> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tapered<U>, D::Error> {
        Halves::deserialize(deserializer).map(|Halves { mg, eg }| Tapered::new(mg, eg))
    }
}

/// Serializes as its number.
impl Serialize for Phase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.get())
    }
}

impl<'de> Deserialize<'de> for Phase {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Phase, D::Error> {
        let number = u8::deserialize(deserializer)?;
        if number > Phase::MIDDLEGAME.get() {
            return Err(D::Error::invalid_value(Unexpected::Unsigned(number.into()), &"a phase, 0 to 24"));
        }
        Ok(Phase::of_pieces(number.into(), 0, 0))
    }
}

/// Serializes as the buckets of the squares in the order a1, b1, c1, d1, a2 to d8.
impl Serialize for KingBuckets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.map().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for KingBuckets {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<KingBuckets, D::Error> {
        KingBuckets::new(Deserialize::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// The serialized form of an architecture.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Architecture")]
struct Sizes {
    hidden: usize,
    king_buckets: KingBuckets,
    output_buckets: usize,
    scale: i32,
}

impl Serialize for Architecture {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let king_buckets = self.king_buckets().clone();
        let (hidden, output_buckets, scale) = (self.hidden(), self.output_buckets(), self.scale());
        Sizes { hidden, king_buckets, output_buckets, scale }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Architecture {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Architecture, D::Error> {
        let Sizes { hidden, king_buckets, output_buckets, scale } = Sizes::deserialize(deserializer)?;
        Architecture::new(hidden, king_buckets, output_buckets, scale).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classic;
    use crate::handcrafted::{self, Score};
    use crate::nnue::{self, Network, Parameters};
    use serde::de::DeserializeOwned;
    use std::fmt::Debug;
    use tabiya_movegen::Position;

    fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
        let json = serde_json::to_string(value).unwrap();
        assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value, "{json}");
        json
    }

    #[test]
    fn numbers_round_trip() {
        assert_eq!(round_trip(&Score::new(-7, 30)), r#"{"mg":-7,"eg":30}"#);
        round_trip(&Score::new(i16::MAX, i16::MIN + 1));
        assert_eq!(round_trip(&Phase::MIDDLEGAME), "24");
        assert!(serde_json::from_str::<Phase>("25").unwrap_err().to_string().contains("a phase, 0 to 24"));
    }

    #[test]
    fn traces_round_trip() {
        let position: Position =
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3".parse().unwrap();
        let architecture = Architecture::new(32, KingBuckets::single(), 4, 400).unwrap();
        assert!(round_trip(&architecture).starts_with(r#"{"hidden":32,"king_buckets":[0,0,"#));
        let network =
            Network::new(architecture.clone(), "random", &Parameters::random(&architecture, 1)).unwrap();
        round_trip(&nnue::trace(&network, &position));
        assert!(
            round_trip(&handcrafted::trace(&position)).contains(r#"{"term":"piece_squares","white":{"mg":"#)
        );
        round_trip(&classic::trace(&position));
    }

    #[test]
    fn invalid_architectures_are_rejected() {
        let json =
            serde_json::to_string(&Architecture::new(32, KingBuckets::single(), 4, 400).unwrap()).unwrap();
        let error = serde_json::from_str::<Architecture>(&json.replace(":32,", ":33,")).unwrap_err();
        assert!(!error.is_syntax(), "{error}");
        assert!(serde_json::from_str::<Architecture>(&json.replace("[0,", "[9,")).is_err());
    }
}
