//! Positions of the command line.

use anyhow::{Context, Result};
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::Path;
use tabiya_movegen::{Game, Position};

/// The position of a command line: text as people copy it ([`Game::from_text`]), as one or several arguments, or `startpos` or nothing
/// for the start position. What is left out or assumed is reported on standard error.
///
/// # Errors
/// If the text has no position, or an illegal position or move, or is not UTF-8.
pub(crate) fn from_args(args: &[impl AsRef<OsStr>]) -> Result<Position> {
    Ok(game_from_args(args)?.position().clone())
}

/// The position as by [`from_args`], with the moves that lead to it.
///
/// # Errors
/// As for [`from_args`].
pub(crate) fn game_from_args(args: &[impl AsRef<OsStr>]) -> Result<Game> {
    let words = args.iter().map(|arg| {
        let arg = arg.as_ref();
        arg.to_str().with_context(|| format!("the position {arg:?} is not UTF-8 text"))
    });
    let text = words.collect::<Result<Vec<_>>>()?.join(" ");
    if text.trim().is_empty() {
        return Ok(Game::new());
    }
    let (game, notes) = Game::from_text(&text)?;
    for note in notes {
        // A closed standard error must not fail the command.
        let _ = writeln!(io::stderr(), "{note}");
    }
    Ok(game)
}

/// Returns true if an argument names a file rather than a position: if it has this extension, is `-`, an absolute path or one that
/// begins with a dot, or if there is a file or folder of the name.
pub(crate) fn is_file_name(argument: &OsStr, extension: &str) -> bool {
    let path = Path::new(argument);
    argument == "-"
        || path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
        || path.has_root()
        || argument.as_encoded_bytes().starts_with(b".")
        || path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_files_from_positions() {
        let folder = env!("CARGO_MANIFEST_DIR");
        for file in ["game.pgn", "GAME.PGN", "-", "./game", "../game", folder] {
            assert!(is_file_name(file.as_ref(), "pgn"), "{file}");
        }
        for position in ["startpos", "8/8/8/8/8/8/8/8", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e4", "book.bin"] {
            assert!(!is_file_name(position.as_ref(), "pgn"), "{position}");
        }
    }

    #[test]
    fn parses_command_line_positions() {
        let fields = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(from_args(&fields(fen)).unwrap().to_string(), fen);
        assert_eq!(from_args(&[fen.to_owned()]).unwrap().to_string(), fen);
        assert_eq!(from_args(&[""; 0]).unwrap(), Position::startpos());
        assert_eq!(from_args(&fields("startpos")).unwrap(), Position::startpos());
        assert!(from_args(&fields("e4 e4")).is_err());
        assert_eq!(game_from_args(&fields("e4 e5")).unwrap().moves().len(), 2);
        let untidy = "4k3/8/8/8/8/8/8/4K3 w KQkq e3 bm Kd2;";
        assert_eq!(from_args(&fields(untidy)).unwrap().to_string(), fen);
    }
}
