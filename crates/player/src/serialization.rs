//! Serde implementations that are not derived.

use crate::strength::{MAX_ELO, MIN_ELO, Strength};
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Serializes as the Elo number.
impl Serialize for Strength {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u16(self.elo())
    }
}

/// Fails if the number is not in the range from [`MIN_ELO`] to [`MAX_ELO`].
impl<'de> Deserialize<'de> for Strength {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Strength, D::Error> {
        let elo = u16::deserialize(deserializer)?;
        if !(MIN_ELO..=MAX_ELO).contains(&elo) {
            let expected = format!("a number from {MIN_ELO} to {MAX_ELO}");
            return Err(D::Error::invalid_value(Unexpected::Unsigned(elo.into()), &expected.as_str()));
        }
        Ok(Strength::from_elo(elo))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RandomOpening;

    #[test]
    fn strengths_are_elo_numbers_in_range() {
        let strength = Strength::from_elo(1500);
        assert_eq!(serde_json::to_string(&strength).unwrap(), "1500");
        assert_eq!(serde_json::from_str::<Strength>("1500").unwrap(), strength);
        let error = serde_json::from_str::<Strength>("100").unwrap_err().to_string();
        assert!(
            error.starts_with("invalid value: integer `100`, expected a number from 800 to 2800"),
            "{error}"
        );
    }

    #[test]
    fn random_openings_round_trip_and_may_be_partial() {
        let opening = RandomOpening { plies: 6, ..RandomOpening::default() };
        let json = serde_json::to_string(&opening).unwrap();
        assert_eq!(serde_json::from_str::<RandomOpening>(&json).unwrap(), opening);
        assert_eq!(serde_json::from_str::<RandomOpening>(r#"{"plies":6}"#).unwrap(), opening);
    }
}
