//! The closing summary: accuracy and bad moves by side and by player.

use crate::message::counted;
use crate::style;
use std::collections::BTreeMap;
use std::fmt;
use tabiya_core::Color;
use tabiya_review::report::{Performance, ReportGame, Sides};

/// Maximum number of players in the table.
const MAX_PLAYERS: usize = 12;
/// Maximum width of a player's name, in columns.
const MAX_NAME: usize = 30;

/// Sums over the annotated games.
#[derive(Default)]
pub(super) struct Summary {
    games: u64,
    sides: Sides<Total>,
    /// Sums by player; empty if there are more than [`MAX_PLAYERS`].
    players: BTreeMap<String, Total>,
    has_many_players: bool,
}

/// Sums over the games of a side or a player.
#[derive(Clone, Copy, Default)]
struct Total {
    games: u64,
    moves: u64,
    /// The sum of the accuracies of the games with moves, in per cent.
    accuracy: f64,
    games_with_accuracy: u64,
    inaccuracies: u64,
    mistakes: u64,
    blunders: u64,
}

impl Summary {
    pub(super) fn has_games(&self) -> bool {
        self.games > 0
    }

    /// Adds a game.
    pub(super) fn add(&mut self, game: &ReportGame) {
        self.games += 1;
        self.sides.white.add(&game.sides.white);
        self.sides.black.add(&game.sides.black);
        for color in Color::ALL {
            let name = game.player(color);
            if name != "?" && !self.has_many_players {
                self.players.entry(style::printable(name)).or_default().add(game.sides.get(color));
            }
        }
        if self.players.len() > MAX_PLAYERS {
            self.has_many_players = true;
            self.players.clear();
        }
    }
}

impl Total {
    fn add(&mut self, side: &Performance) {
        self.games += 1;
        self.moves += u64::from(side.moves);
        if let Some(percent) = side.accuracy {
            self.accuracy += percent;
            self.games_with_accuracy += 1;
        }
        self.inaccuracies += u64::from(side.inaccuracies);
        self.mistakes += u64::from(side.mistakes);
        self.blunders += u64::from(side.blunders);
    }

    /// A row of the table.
    fn row(&self, f: &mut fmt::Formatter<'_>, name: &str, width: usize) -> fmt::Result {
        let name = console::pad_str(name, width, console::Alignment::Left, Some("…"));
        let accuracy = match self.games_with_accuracy {
            0 => "-".to_owned(),
            games => format!("{:.1} %", self.accuracy / games as f64),
        };
        let Total { games, moves, inaccuracies, mistakes, blunders, .. } = self;
        write!(f, "\n{name}{games:>8}{moves:>9}{accuracy:>10}{inaccuracies:>14}{mistakes:>10}{blunders:>10}")
    }
}

/// Several lines, without a line break at the end.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = self.sides.white.moves + self.sides.black.moves;
        write!(f, "annotated {}, {}", counted(self.games, "game"), counted(moves, "move"))?;
        if moves == 0 {
            return Ok(());
        }
        let mut players: Vec<(&String, &Total)> = self.players.iter().collect();
        let names = players.iter().map(|(name, _)| console::measure_text_width(name));
        let width = names.max().unwrap_or_default().clamp(6, MAX_NAME);
        let columns = ["games", "moves", "accuracy", "inaccuracies", "mistakes", "blunders"];
        let [games, moves, accuracy, inaccuracies, mistakes, blunders] = columns;
        let header =
            format!("{games:>8}{moves:>9}{accuracy:>10}{inaccuracies:>14}{mistakes:>10}{blunders:>10}");
        write!(f, "\n{:width$}{header}", "")?;
        self.sides.white.row(f, "White", width)?;
        self.sides.black.row(f, "Black", width)?;
        // Stable sort: by number of games, then by name.
        players.sort_by_key(|(_, total)| std::cmp::Reverse(total.games));
        players.iter().try_for_each(|(name, total)| total.row(f, name, width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(white: &str, black: &str, moves: u32) -> ReportGame {
        let side = |accuracy| Performance {
            moves,
            accuracy: (moves > 0).then_some(accuracy),
            blunders: moves / 10,
            ..Performance::default()
        };
        ReportGame {
            number: 1,
            tags: [("White", white), ("Black", black)]
                .map(|(name, value)| (name.into(), value.into()))
                .into(),
            result: "*".into(),
            start: String::new(),
            sides: Sides { white: side(90.0), black: side(80.0) },
            nodes: Vec::new(),
            analysis: None,
        }
    }

    fn text(games: &[ReportGame]) -> String {
        let mut summary = Summary::default();
        games.iter().for_each(|game| summary.add(game));
        summary.to_string()
    }

    #[test]
    fn sums_by_side_and_player() {
        let games = [game("Anna", "Bo\u{1b}b", 20), game("Bo\u{1b}b", "Anna", 10), game("Anna", "?", 0)];
        let expected = "annotated 3 games, 60 moves
         games    moves  accuracy  inaccuracies  mistakes  blunders
White        3       30    90.0 %             0         0         3
Black        3       30    80.0 %             0         0         3
Anna         3       30    85.0 %             0         0         3
Bo b         2       30    85.0 %             0         0         3";
        assert_eq!(text(&games), expected);
    }

    #[test]
    fn many_players_are_left_out() {
        let games: Vec<_> = (0..20).map(|number| game(&format!("P{number}"), "Q", 10)).collect();
        assert_eq!(text(&games).lines().count(), 4);
        assert!(text(&games[..11]).contains("\nP3 "));
        assert!(!text(&games[..12]).contains("P3"));
    }

    #[test]
    fn games_without_moves_need_no_table() {
        assert_eq!(text(&[game("A", "B", 0)]), "annotated 1 game, 0 moves");
        assert_eq!(text(&[]), "annotated 0 games, 0 moves");
    }
}
