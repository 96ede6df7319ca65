//! SHA-256 in hexadecimal digits.

use anyhow::Result;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::io::{self, Read};

/// A hash being computed.
#[derive(Clone, Default)]
pub(super) struct Digest(Sha256);

impl Digest {
    /// Adds data.
    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash in hexadecimal digits.
    pub(super) fn hex(&self) -> String {
        self.0.clone().finalize().iter().fold(String::new(), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }

    /// The hash of some bytes in hexadecimal digits.
    pub(super) fn of(bytes: &[u8]) -> String {
        let mut digest = Digest::default();
        digest.update(bytes);
        digest.hex()
    }

    /// The hash of everything that a reader yields, in hexadecimal digits.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(super) fn of_reader(mut input: impl Read) -> Result<String> {
        let mut digest = Digest::default();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match input.read(&mut buffer) {
                Ok(0) => return Ok(digest.hex()),
                Ok(count) => digest.update(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_of_nothing_is_the_standard_one() {
        let expected = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Digest::of(b""), expected);
        assert_eq!(Digest::of_reader(io::empty()).unwrap(), expected);
        assert_ne!(Digest::of(b"a"), expected);
    }
}
