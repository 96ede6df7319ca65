//! Value parsers for floating-point command-line arguments.

/// Parses a number from 0 to 1.
///
/// # Errors
/// If the text is anything else.
pub fn fraction(text: &str) -> Result<f64, String> {
    number(text, |number| (0.0..=1.0).contains(&number), "a number from 0 to 1")
}

/// Parses a finite number greater than 0.
///
/// # Errors
/// If the text is anything else.
pub fn positive(text: &str) -> Result<f64, String> {
    number(text, |number| number > 0.0 && number.is_finite(), "a number greater than 0")
}

/// Parses a finite number of at least 0.
///
/// # Errors
/// If the text is anything else.
pub fn non_negative(text: &str) -> Result<f64, String> {
    number(text, |number| number >= 0.0 && number.is_finite(), "a number of at least 0")
}

/// Parses a finite number.
///
/// # Errors
/// If the text is anything else.
pub fn finite(text: &str) -> Result<f64, String> {
    number(text, f64::is_finite, "a finite number")
}

fn number(text: &str, is_valid: impl Fn(f64) -> bool, expected: &str) -> Result<f64, String> {
    text.parse().ok().filter(|&number: &f64| is_valid(number)).ok_or_else(|| format!("expected {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finite_numbers_are_parsed() {
        assert_eq!(finite("-3.5"), Ok(-3.5));
        for text in ["nan", "inf", "-inf", "1e400", "", "x"] {
            assert_eq!(finite(text).unwrap_err(), "expected a finite number", "{text}");
        }
    }
}
