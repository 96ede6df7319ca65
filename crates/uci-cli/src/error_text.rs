//! How an error is told to people.

use anyhow::Error;

/// An error and what led to it, in one line. What an error says of its cause already is not said again.
pub(crate) fn error_text(error: &Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::Board;

    #[test]
    fn causes_are_told_once() {
        let error: Error = "8/8/8/8/8/8/8/8 w - - 0 1".parse::<Board>().unwrap_err().into();
        assert_eq!(
            error_text(&error.context("the position is no good")),
            "the position is no good: illegal position: white has no king (expected exactly 1)"
        );
    }
}
