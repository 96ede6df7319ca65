//! Serialization of EPD records and their registers.

use super::FromText;
use crate::{Epd, EpdRegister};
use core::marker::PhantomData;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// With the counters of the board, so that nothing is lost.
impl Serialize for Epd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.with_counters())
    }
}

impl<'de> Deserialize<'de> for Epd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Epd, D::Error> {
        deserializer.deserialize_str(FromText("a position in EPD", PhantomData))
    }
}

/// Serializes as its number.
impl Serialize for EpdRegister {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.number())
    }
}

impl<'de> Deserialize<'de> for EpdRegister {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<EpdRegister, D::Error> {
        let number = u8::deserialize(deserializer)?;
        EpdRegister::new(number)
            .ok_or_else(|| Error::invalid_value(Unexpected::Unsigned(number.into()), &"a register, 0 to 9"))
    }
}
