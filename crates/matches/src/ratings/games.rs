//! Names and results of the games of PGN files.

use super::likelihood::Pairing;
use anyhow::{Context, Result};
use std::collections::{BTreeMap, HashMap};
use std::io::{BufReader, Read};
use std::path::Path;
use tabiya_core::notation::{GameResult, Next, PgnError, PgnReader, PgnVisitor, TagToken};
use tabiya_files::input;

/// The results of all files.
#[derive(Default)]
pub(super) struct Results {
    /// The players in the order of their first games.
    pub(super) names: Vec<String>,
    numbers: HashMap<String, usize>,
    /// Results by White and Black.
    pairings: BTreeMap<[usize; 2], [u64; 3]>,
    /// Games without a result or without two different players.
    pub(super) left_out: u64,
}

/// A finished game.
struct FinishedGame {
    /// Names of White and Black.
    names: [String; 2],
    /// White's half-points.
    half_points: usize,
}

impl Results {
    /// Adds the games of a file, which is read as a stream; `-` is standard input.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn read(&mut self, path: &Path) -> Result<()> {
        let name = || format!("cannot read {}", path.display());
        let file: Box<dyn Read> = if path.as_os_str() == "-" {
            Box::new(std::io::stdin().lock())
        } else {
            Box::new(BufReader::new(input::open(path).with_context(name)?))
        };
        let mut reader = PgnReader::new(file);
        let mut collector = Collector::default();
        while let Some(game) = reader.read_game(&mut collector).with_context(name)? {
            match game {
                Some(game) => self.add(game),
                None => self.left_out += 1,
            }
        }
        Ok(())
    }

    fn add(&mut self, FinishedGame { names, half_points }: FinishedGame) {
        if names[0] == names[1] {
            self.left_out += 1;
            return;
        }
        let players = names.map(|name| {
            *self.numbers.entry(name).or_insert_with_key(|name| {
                self.names.push(name.clone());
                self.names.len() - 1
            })
        });
        self.pairings.entry(players).or_default()[half_points] += 1;
    }

    /// The results of the players for which `keep` returns true, numbered in their order.
    pub(super) fn pairings(&self, keep: impl Fn(usize) -> bool) -> Vec<Pairing> {
        let numbers = numbers((0..self.names.len()).map(keep));
        let pairing = |(&[white, black], &results): (&[usize; 2], &[u64; 3])| {
            Some(Pairing { white: numbers[white]?, black: numbers[black]?, results })
        };
        self.pairings.iter().filter_map(pairing).collect()
    }
}

/// Numbers the players that are kept, in their order.
pub(super) fn numbers(kept: impl Iterator<Item = bool>) -> Vec<Option<usize>> {
    let mut next = 0..;
    kept.map(|is_kept| if is_kept { next.next() } else { None }).collect()
}

/// Reads the tags of a game. The moves are skipped unless the result is missing among the tags.
#[derive(Default)]
struct Collector {
    names: [Option<String>; 2],
    result: GameResult,
}

impl PgnVisitor for Collector {
    type Output = Option<FinishedGame>;

    fn begin_game(&mut self) {
        *self = Collector::default();
    }

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        let value = tag.value().to_string();
        let name = || Some(value.trim()).filter(|name| !matches!(*name, "" | "?")).map(str::to_owned);
        match tag.name_bytes() {
            b"White" => self.names[0] = name(),
            b"Black" => self.names[1] = name(),
            b"Result" => self.result = value.parse().unwrap_or_default(),
            _ => {}
        }
        Next::Read
    }

    fn end_tags(&mut self) -> Next {
        if self.result == GameResult::Unknown { Next::Read } else { Next::Skip }
    }

    fn result(&mut self, result: GameResult) {
        self.result = result;
    }

    fn error(&mut self, _: PgnError) -> Next {
        // Players and result may still be readable.
        Next::Read
    }

    fn end_game(&mut self) -> Option<FinishedGame> {
        let half_points = match self.result {
            GameResult::BlackWins => 0,
            GameResult::Draw => 1,
            GameResult::WhiteWins => 2,
            GameResult::Unknown => return None,
        };
        let [Some(white), Some(black)] = std::mem::take(&mut self.names) else { return None };
        Some(FinishedGame { names: [white, black], half_points })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_results_are_read_from_any_pgn() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text = "\
            [White \"a\"]\n[Black \"b \"]\n[Result \"1-0\"]\n\n1. e4 {x} e5 (1... c5) 1-0\n\n\
            [White \"b\"]\n[Black \"a\"]\n\n1. illegal e5 1/2-1/2\n\n\
            [Black \"b\"]\n[White \"a\"]\n[Result \"0-1\"]\n\n0-1\n\n\
            [White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n\n*\n\n\
            [White \"a\"]\n[Black \"a\"]\n[Result \"1-0\"]\n\n1-0\n\n\
            [White \"?\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1-0\n";
        std::fs::write(file.path(), text).unwrap();
        let mut results = Results::default();
        results.read(file.path()).unwrap();
        assert_eq!((results.names.clone(), results.left_out), (vec!["a".to_owned(), "b".to_owned()], 3));
        let expected = [
            Pairing { white: 0, black: 1, results: [1, 0, 1] },
            Pairing { white: 1, black: 0, results: [0, 1, 0] },
        ];
        assert_eq!(results.pairings(|_| true), expected);
        assert_eq!(results.pairings(|player| player > 0), []);
        let folder = tempfile::tempdir().unwrap();
        assert!(format!("{:#}", results.read(folder.path()).unwrap_err()).contains("it is a directory"));
    }
}
