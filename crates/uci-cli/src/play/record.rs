//! Saving the game as PGN.

use super::session::Session;
use crate::version::NAME;
use anyhow::{Result, anyhow};
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use tabiya_core::Color;
use tabiya_core::notation::{GameResult, PgnWriter};
use tabiya_files::output::{Existing, OutputFile};
use tabiya_movegen::{Game, Position};

/// Saves the game. Overwrites only files saved in this session.
///
/// # Errors
/// If another file of this name exists, or output fails.
pub(super) fn save(session: &mut Session, path: &Path) -> Result<()> {
    let existing = Existing::from_force(session.has_saved(path));
    let mut file = OutputFile::create(path, existing, &[]).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => anyhow!("cannot write {}: the file already exists", path.display()),
        _ => error.into(),
    })?;
    write(session.game(), session.user(), &today(), &mut file)?;
    file.commit()?;
    session.remember_saved(path);
    Ok(())
}

/// Writes a game of `user` against the engine.
fn write(game: &Game, user: Color, date: &str, out: impl Write) -> io::Result<()> {
    let mut pgn = PgnWriter::new(out);
    let (white, black) = match user {
        Color::White => ("Player", NAME),
        Color::Black => (NAME, "Player"),
    };
    let result = match game.outcome().map(|outcome| outcome.winner()) {
        None => GameResult::Unknown,
        Some(None) => GameResult::Draw,
        Some(Some(Color::White)) => GameResult::WhiteWins,
        Some(Some(Color::Black)) => GameResult::BlackWins,
    };
    for (name, value) in [
        ("Event", "Casual game"),
        ("Date", date),
        ("Round", "-"),
        ("White", white),
        ("Black", black),
        ("Result", result.as_str()),
    ] {
        pgn.write_tag(name, value)?;
    }
    let start = game.start();
    if *start != Position::startpos() {
        pgn.write_tag("SetUp", "1")?;
        pgn.write_tag("FEN", &start.to_string())?;
    }
    if !start.has_standard_castling() {
        pgn.write_tag("Variant", "Chess960")?;
    }
    for (position, &mv) in game.positions().zip(game.moves()) {
        pgn.write_move(position.san(mv))?;
    }
    pgn.finish(result)?;
    pgn.flush()
}

/// Today's date (UTC) in PGN format.
fn today() -> String {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(time) => date(time.as_secs() / 86_400),
        // The clock is wrong.
        Err(_) => "????.??.??".to_owned(),
    }
}

/// The date in PGN format, from days since 1 January 1970.
fn date(days: u64) -> String {
    let mut days = days;
    let mut year = 1970;
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let year_length = |year| if is_leap(year) { 366 } else { 365 };
    while days >= year_length(year) {
        days -= year_length(year);
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year:04}.{month:02}.{:02}", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_dates() {
        for (days, text) in [
            (0, "1970.01.01"),
            (58, "1970.02.28"),
            (59, "1970.03.01"),
            (11_016, "2000.02.29"),
            (11_322, "2000.12.31"),
            (11_323, "2001.01.01"),
            (20_513, "2026.03.01"),
        ] {
            assert_eq!(date(days), text);
        }
    }

    #[test]
    fn writes_a_game() {
        let mut game = Game::new();
        for san in ["f3", "e5", "g4", "Qh4#"] {
            let mv = game.position().parse_san(san).unwrap();
            game.play(mv).unwrap();
        }
        let mut text = Vec::new();
        write(&game, Color::Black, "2026.03.01", &mut text).unwrap();
        let expected = format!(
            "[Event \"Casual game\"]\n[Site \"?\"]\n[Date \"2026.03.01\"]\n[Round \"-\"]\n[White \"{NAME}\"]\n\
             [Black \"Player\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"
        );
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }

    #[test]
    fn writes_the_start_position() {
        let start: Position = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 5".parse().unwrap();
        let mut game = Game::from_position(start);
        let mv = game.position().parse_san("Kd7").unwrap();
        game.play(mv).unwrap();
        let mut text = Vec::new();
        write(&game, Color::White, "2026.03.01", &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 5\"]\n[SetUp \"1\"]\n"), "{text}");
        assert!(text.ends_with("\n5... Kd7 *\n\n"), "{text}");
    }
}
