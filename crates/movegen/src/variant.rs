//! The `Variant` tag of PGN games.

use crate::replay_error::{ReplayError, ReplayErrorKind};
use alloc::borrow::ToOwned;
use alloc::string::String;

/// Checks that a `Variant` tag names chess or Chess960, in one of the spellings of the usual programs.
pub(crate) fn check_variant(name: &str) -> Result<(), ReplayError> {
    const CHESS: [&str; 17] = [
        "", "chess", "standard", "normal", "classical", "orthodox", "fromposition", "chess960", "960",
        "chessboard960", "fischerandom", "fischerrandom", "freestyle", "frc", "dfrc", "doublechess960",
        "doublefischerrandom",
    ];
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let letters = letters.to_ascii_lowercase();
    let plain = letters.strip_suffix("chess").filter(|rest| !rest.is_empty()).unwrap_or(&letters);
    if CHESS.contains(&plain) || CHESS.contains(&&*letters) {
        return Ok(());
    }
    Err(ReplayErrorKind::Variant(name.to_owned()).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;

    #[test]
    fn only_chess_and_chess960_are_replayed() {
        for name in [
            "Standard", "Chess", "Chess960", "Chess 960", "fischerandom", "From Position", "Freestyle Chess",
            "?",
        ] {
            assert_eq!(check_variant(name), Ok(()), "{name}");
        }
        for name in ["Atomic", "Crazyhouse", "King of the Hill", "Suicide chess", "xiangqi"] {
            assert!(check_variant(name).is_err(), "{name}");
        }
        let mut pgn = Game::new().to_pgn();
        pgn.set_tag("Variant", "Atomic").unwrap();
        let error = Game::from_pgn(&pgn).unwrap_err();
        assert_eq!(error.kind, ReplayErrorKind::Variant("Atomic".into()));
    }
}
