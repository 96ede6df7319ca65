#![doc = include_str!("../README.md")]

pub mod input;
#[cfg(feature = "output")]
pub mod lock;
#[cfg(feature = "output")]
pub mod output;
