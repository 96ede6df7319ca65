//! A game of a PGN file, chosen on the command line.

use crate::args::parse_ordinal;
use crate::message::{GameWarnings, counted, quote};
use anyhow::{Context, Result, bail};
use clap::Args;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::num::NonZeroU64;
use std::path::Path;
use std::str::FromStr;
use tabiya_core::notation::{Broken, GameResult, PgnReader};
use tabiya_files::input;
use tabiya_movegen::{Game, GameTree, GameTreeBuilder, ReplayErrorKind};

/// The choice of a position in a PGN file.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[group(skip)]
pub(crate) struct GameArgs {
    /// Number of the game in the PGN file, from 1. May be left out if there is only one.
    #[arg(long, value_name = "NUMBER", value_parser = parse_ordinal)]
    pub(crate) game: Option<NonZeroU64>,
    /// Position after this many half-moves of the game [default: after the last].
    #[arg(long, value_name = "PLIES")]
    pub(crate) ply: Option<usize>,
}

/// Reads the chosen game of a PGN file; `-` is standard input. Unknown tokens are skipped with a message to standard error;
/// an illegal move ends the game. A result that contradicts the end of the game gets a message, too.
///
/// # Errors
/// If the file cannot be read or is not a PGN file, if there is no such game, if several could be meant, or if its start position is
/// invalid.
pub(crate) fn read(path: &Path, number: Option<NonZeroU64>) -> Result<GameTree> {
    let name = path.display();
    let cannot_read = || format!("{name} cannot be read");
    let mut reader = PgnReader::new(input::open_stream(path).with_context(cannot_read)?);
    let before = number.map_or(0, |number| number.get() - 1);
    let mut skipped = 0;
    while skipped < before && reader.skip_game().with_context(cannot_read)? {
        skipped += 1;
    }
    let Some(game) = reader.read_game(&mut GameTreeBuilder::new()).with_context(cannot_read)? else {
        match skipped {
            0 => bail!("{name} has no game"),
            1 => bail!("{name} has only one game"),
            _ => bail!("{name} has only {skipped} games"),
        }
    };
    let (tree, mut errors) = Broken::split(game);
    let count = skipped + 1;
    if let [no_game, first, ..] = &errors[..]
        && no_game.kind == ReplayErrorKind::NoGame
    {
        bail!("{name} is not a PGN file: {first}; a FEN is given as text, not in a file");
    }
    if let Some(index) = errors.iter().position(|error| error.kind.prevents_replay()) {
        return Err(errors.swap_remove(index)).with_context(|| format!("{name}, game {count}"));
    }
    for warning in errors.iter().collect::<GameWarnings>().lines() {
        // A closed standard error must not stop the command.
        let _ = writeln!(io::stderr(), "{name}, game {count}: {warning}");
    }
    if number.is_none() && reader.skip_game().with_context(cannot_read)? {
        bail!("{name} has more than one game: choose one by --game");
    }
    if let Some(contradiction) = result_contradiction(&tree) {
        let _ = writeln!(io::stderr(), "{name}, game {count}: {contradiction}");
    }
    Ok(tree)
}

/// The title of a page about a PGN file: its name, or `None` for standard input.
pub(crate) fn title(path: &Path) -> Option<Cow<'_, str>> {
    path.file_name().filter(|_| path.as_os_str() != "-").map(OsStr::to_string_lossy)
}

/// The main line of a game up to the chosen position.
///
/// # Errors
/// If the game is shorter, or contains a null move before that.
pub(crate) fn game_at(tree: &GameTree, ply: Option<usize>) -> Result<Game> {
    let Some(ply) = ply else {
        return tree.game().context("the game contains a null move: choose a position before it by --ply");
    };
    let node = match ply.checked_sub(1) {
        None => Some(tree.root()),
        Some(index) => tree.mainline().nth(index),
    };
    let length = tree.mainline().count();
    let node = node.with_context(|| {
        format!("the game has only {} (--ply {ply})", counted(length as u64, "half-move"))
    })?;
    node.game().with_context(|| format!("the game contains a null move within its first {ply} half-moves"))
}

/// The contradiction between the result that the file gives and the end of the game, if there is one.
pub(crate) fn result_contradiction(tree: &GameTree) -> Option<String> {
    let outcome = tree.outcome()?;
    let result = tree.result();
    // The tag may have another spelling, such as 0.5-0.5.
    let tag = match tree.tag("Result").map(|text| (text, GameResult::from_str(text))) {
        Some((text, Err(_))) => text,
        Some((_, Ok(tag))) => tag.as_str(),
        None => result.as_str(),
    };
    // A game without the tag gets it from the movetext.
    let tag_source = if tag == result.as_str() { "the file" } else { "the tag Result" };
    let said = [(tag_source, tag), ("the movetext", result.as_str())];
    let (source, wrong) = said.into_iter().find(|&(_, text)| text != outcome.result() && text != "*")?;
    Some(format!("{source} says {}, but the game ends {outcome}", quote(wrong)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::error_text;
    use std::fs;

    fn read_text(text: &str, number: Option<u64>) -> Result<usize, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        fs::write(&path, text).unwrap();
        let tree = read(&path, number.map(|number| number.try_into().unwrap()));
        let prefix = folder.path().display().to_string();
        tree.map(|tree| tree.mainline().count())
            .map_err(|error| error_text(&error).replace(&prefix, "").replace(['/', '\\'], ""))
    }

    #[test]
    fn reads_the_chosen_game() {
        let two = "1. e4 *\n\n1. d4 d5 1-0\n";
        assert_eq!(read_text("1. e4 e5 2. Nf3 *", None), Ok(3));
        assert_eq!(read_text(two, Some(2)), Ok(2));
        let message = "games.pgn has more than one game: choose one by --game";
        assert_eq!(read_text(two, None), Err(message.to_owned()));
        assert_eq!(read_text(two, Some(3)), Err("games.pgn has only 2 games".to_owned()));
        assert_eq!(read_text("1. e4 *", Some(2)), Err("games.pgn has only one game".to_owned()));
        for number in [None, Some(1), Some(2)] {
            assert_eq!(read_text("", number), Err("games.pgn has no game".to_owned()));
        }
        assert_eq!(read_text("1. e4 TN e5!!! 2. Ke3 Nc6 *", None), Ok(2));
        let error = read_text("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", None).unwrap_err();
        let expected = "games.pgn is not a PGN file: invalid game, line 1, column 2, at \"k388";
        assert!(
            error.starts_with(expected) && error.ends_with("; a FEN is given as text, not in a file"),
            "{error}"
        );
        // An invalid game matters only if it is chosen.
        let broken = "[FEN \"8/8\"]\n\n*\n\n[White \"A\"]\n\n1. d4 *\n";
        assert_eq!(read_text(broken, Some(2)), Ok(1));
        let error = read_text(broken, Some(1)).unwrap_err();
        assert!(error.starts_with("games.pgn, game 1: invalid game, line 1, column 1: "), "{error}");
    }

    #[test]
    fn standard_input_gives_no_title() {
        assert_eq!(title(Path::new("folder/games.pgn")).as_deref(), Some("games.pgn"));
        assert_eq!(title(Path::new("-")), None);
    }

    #[test]
    fn stops_at_the_chosen_position() {
        let tree: GameTree = "1. e4 e5 (1... c5) 2. Nf3 1-0".parse().unwrap();
        let plies = |ply| game_at(&tree, ply).map(|game| (game.moves().len(), game.outcome().is_some()));
        assert_eq!(plies(None).unwrap(), (3, true));
        assert_eq!(plies(Some(0)).unwrap(), (0, false));
        assert_eq!(plies(Some(2)).unwrap(), (2, false));
        let message = plies(Some(4)).unwrap_err().to_string();
        assert_eq!(message, "the game has only 3 half-moves (--ply 4)");
        let null: GameTree = "1. e4 -- 2. d4 *".parse().unwrap();
        assert!(game_at(&null, None).is_err() && game_at(&null, Some(2)).is_err());
        assert_eq!(game_at(&null, Some(1)).unwrap().moves().len(), 1);
    }

    #[test]
    fn contradictions_of_the_result_are_found() {
        let text = |pgn: &str| result_contradiction(&pgn.parse().unwrap());
        let mate = "1. f3 e5 2. g4 Qh4#";
        for consistent in [
            "1. e4 1-0",
            "[Result \"1-0\"]\n\n1. e4 1-0",
            "[Result \"1-0\"]\n\n1. e4",
            "1. e4 -- 1-0",
            "1. f3 e5 2. g4 Qh4# *",
        ] {
            assert_eq!(text(consistent), None, "{consistent}");
        }
        assert_eq!(text(&format!("{mate} 0-1")), None);
        let of_tag = "the tag Result says \"1-0\", but the game ends 0-1 (checkmate)";
        assert_eq!(text(&format!("[Result \"1-0\"]\n\n{mate} 0-1")).as_deref(), Some(of_tag));
        let of_both = "the file says \"1-0\", but the game ends 0-1 (checkmate)";
        assert_eq!(text(&format!("[Result \"1-0\"]\n\n{mate} 1-0")).as_deref(), Some(of_both));
        assert_eq!(text(&format!("{mate} 1-0")).as_deref(), Some(of_both));
        let of_moves = "the movetext says \"1-0\", but the game ends 0-1 (checkmate)";
        assert_eq!(text(&format!("[Result \"0-1\"]\n\n{mate} 1-0")).as_deref(), Some(of_moves));
    }
}
