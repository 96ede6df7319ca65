//! Value parsers for floating-point command-line arguments.

/// Parses a number from 0 to 1.
///
/// # Errors
/// If the text is anything else.
pub(crate) fn fraction(text: &str) -> Result<f64, String> {
    number(text, |number| (0.0..=1.0).contains(&number), "a number from 0 to 1")
}

/// Parses a finite number greater than 0.
///
/// # Errors
/// If the text is anything else.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    number(text, |number| number > 0.0 && number.is_finite(), "a number greater than 0")
}

/// Parses a finite number of at least 0.
///
/// # Errors
/// If the text is anything else.
pub(crate) fn non_negative(text: &str) -> Result<f64, String> {
    number(text, |number| number >= 0.0 && number.is_finite(), "a number of at least 0")
}

fn number(text: &str, is_valid: impl Fn(f64) -> bool, expected: &str) -> Result<f64, String> {
    text.parse().ok().filter(|&number: &f64| is_valid(number)).ok_or_else(|| format!("expected {expected}"))
}
