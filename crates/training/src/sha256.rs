//! SHA-256 hashes as text.

/// Returns the hexadecimal digits of a hash.
pub(crate) fn hexadecimal(hash: &[u8]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_lower_case_and_in_order() {
        assert_eq!(hexadecimal(&[0x0a, 0xff, 3]), "0aff03");
    }
}
