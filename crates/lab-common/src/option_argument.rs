//! Command-line arguments that set options of engines.

/// Parses `NAME=VALUE`; a value parser for clap.
///
/// # Errors
/// If the name or the `=` is missing.
pub fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_options() {
        assert_eq!(name_and_value("Hash=16"), Ok(("Hash".to_owned(), "16".to_owned())));
        assert_eq!(name_and_value("Path=a=b"), Ok(("Path".to_owned(), "a=b".to_owned())));
        assert_eq!(name_and_value("Path="), Ok(("Path".to_owned(), String::new())));
        assert!(name_and_value("Hash").is_err() && name_and_value("=1").is_err());
    }
}
