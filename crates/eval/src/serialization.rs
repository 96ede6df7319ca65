//! Serde implementations that are not derived.

use crate::evaluation::{Evaluation, ParseEvaluationError};
use crate::handcrafted::{Phase, Tapered};
use crate::nnue::{self, Architecture, Kernel, KingBuckets, Network};
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_bytes::ByteBuf;
use std::sync::Arc;

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

/// The serialized form of king buckets.
#[derive(Serialize, Deserialize)]
#[serde(rename = "KingBuckets")]
struct Layout {
    /// The buckets of the squares in the order a1, b1, c1, d1, a2 to d8.
    map: [u8; 32],
    mirrors: bool,
}

impl Serialize for KingBuckets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Layout { map: *self.map(), mirrors: self.mirrors() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for KingBuckets {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<KingBuckets, D::Error> {
        let Layout { map, mirrors } = Layout::deserialize(deserializer)?;
        let buckets = KingBuckets::new(map).map_err(D::Error::custom)?;
        Ok(if mirrors { buckets } else { buckets.without_mirroring() })
    }
}

/// The serialized form of an architecture.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Architecture")]
struct Sizes {
    hidden: usize,
    threat_neurons: usize,
    king_buckets: KingBuckets,
    output_buckets: usize,
    scale: i32,
}

impl Serialize for Architecture {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let king_buckets = self.king_buckets().clone();
        let (hidden, output_buckets, scale) = (self.hidden(), self.output_buckets(), self.scale());
        let threat_neurons = self.threat_neurons();
        Sizes { hidden, threat_neurons, king_buckets, output_buckets, scale }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Architecture {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Architecture, D::Error> {
        let Sizes { hidden, threat_neurons, king_buckets, output_buckets, scale } =
            Sizes::deserialize(deserializer)?;
        Architecture::new(hidden, king_buckets, output_buckets, scale)
            .and_then(|architecture| architecture.with_threats(threat_neurons))
            .map_err(D::Error::custom)
    }
}

/// Serializes as the bytes of the network's file.
impl Serialize for Network {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::new();
        self.write(&mut bytes).map_err(serde::ser::Error::custom)?;
        ByteBuf::from(bytes).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Network, D::Error> {
        Network::read(&ByteBuf::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// The serialized form of an evaluation.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Evaluation", rename_all = "kebab-case")]
enum Choice<N> {
    /// The embedded network.
    Nnue,
    Handcrafted,
    Classic,
    /// Any other network.
    Network(N),
}

/// Serializes as its name. Only a network that is not the [embedded](nnue::embedded) one is written out, as `network`.
impl Serialize for Evaluation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let choice = match self {
            Evaluation::Nnue(network) if nnue::embedded().as_ref() == Some(network) => Choice::Nnue,
            Evaluation::Nnue(network) => Choice::Network(&**network),
            Evaluation::Handcrafted => Choice::Handcrafted,
            Evaluation::Classic => Choice::Classic,
        };
        choice.serialize(serializer)
    }
}

/// Deserializes from a name or a network. `nnue` is the network that is embedded here; it fails if there is none.
impl<'de> Deserialize<'de> for Evaluation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Evaluation, D::Error> {
        match Choice::deserialize(deserializer)? {
            Choice::Nnue => {
                let network = nnue::embedded().ok_or(ParseEvaluationError::NoNetwork);
                network.map(Evaluation::Nnue).map_err(D::Error::custom)
            }
            Choice::Handcrafted => Ok(Evaluation::Handcrafted),
            Choice::Classic => Ok(Evaluation::Classic),
            Choice::Network(network) => Ok(Evaluation::Nnue(Arc::new(network))),
        }
    }
}

/// Serializes as the name of the instruction set.
impl Serialize for Kernel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Fails if this processor lacks the instruction set.
impl<'de> Deserialize<'de> for Kernel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Kernel, D::Error> {
        let name = String::deserialize(deserializer)?;
        let kernel = Kernel::available().into_iter().find(|kernel| kernel.name() == name);
        let expected = "an instruction set of this processor";
        kernel.ok_or_else(|| D::Error::invalid_value(Unexpected::Str(&name), &expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classic;
    use crate::handcrafted::{self, Score};
    use crate::nnue::Parameters;
    use serde::de::DeserializeOwned;
    use std::fmt::Debug;
    use tabiya_movegen::Position;

    fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
        let json = serde_json::to_string(value).unwrap();
        assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value, "{json}");
        json
    }

    fn network() -> Network {
        let architecture = Architecture::new(32, KingBuckets::single(), 4, 400).unwrap();
        let parameters = Parameters::random(&architecture, 1);
        Network::new(architecture, "random", &parameters).unwrap()
    }

    #[test]
    fn evaluations_are_names_or_networks() {
        for evaluation in Evaluation::available() {
            assert_eq!(round_trip(&evaluation), format!("\"{evaluation}\""));
        }
        let json = round_trip(&Evaluation::Nnue(Arc::new(network())));
        assert!(json.starts_with(r#"{"network":["#), "{}", &json[..40]);
        assert!(serde_json::from_str::<Evaluation>(r#""main""#).is_err());
    }

    #[test]
    fn networks_and_parameters_round_trip() {
        let network = network();
        let json = round_trip(&network);
        round_trip(&network.parameters());
        // The first byte of the file.
        let (_, rest) = json.split_once(',').unwrap();
        assert!(serde_json::from_str::<Network>(&format!("[0,{rest}")).is_err());
    }

    #[test]
    fn kernels_are_those_of_the_processor() {
        for kernel in Kernel::available() {
            assert_eq!(round_trip(&kernel), format!("\"{}\"", kernel.name()));
        }
        let error = serde_json::from_str::<Kernel>(r#""altivec""#).unwrap_err().to_string();
        assert!(error.contains("expected an instruction set of this processor"), "{error}");
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
        let network = network();
        assert!(
            round_trip(network.architecture())
                .starts_with(r#"{"hidden":32,"threat_neurons":0,"king_buckets":{"map":[0,0,"#)
        );
        round_trip(&KingBuckets::single().without_mirroring());
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
