//! Continuing a game: the message at the start, and the question if its file is damaged.

use super::archive::NAME_ANOTHER;
use crate::message::counted;
use std::io::{self, Write};
use std::path::PathBuf;

/// The file of a game that is continued.
pub(super) struct Origin {
    pub(super) file: PathBuf,
    /// Its damage. The game has what can be kept.
    pub(super) damage: Option<String>,
}

impl Origin {
    /// Says which game is continued after this number of half-moves. Asks first if the file is damaged; returns false if the user does not want
    /// what can be kept of it.
    ///
    /// # Errors
    /// If input or output fails.
    pub(super) fn announce(&self, moves: usize, out: &mut impl Write) -> io::Result<bool> {
        let file = self.file.display();
        let moves = counted(moves as u64, "half-move");
        if let Some(damage) = &self.damage {
            writeln!(out, "{file} is damaged: {damage}.")?;
            writeln!(
                out,
                "{moves} can be kept. The file stays as it is, and the game goes on in a new one."
            )?;
            write!(out, "Continue after {moves}? (y/n) ")?;
            out.flush()?;
            let mut answer = String::new();
            io::stdin().read_line(&mut answer)?;
            if !matches!(answer.trim(), "y" | "Y" | "yes") {
                writeln!(out, "Nothing has been changed; {NAME_ANOTHER}.")?;
                return Ok(false);
            }
        }
        writeln!(out, "Continuing the game of {file} after {moves}.")?;
        Ok(true)
    }
}
