//! The game as PGN: writing it, and reading it again.

use super::clock::{Clocks, TimeControl};
use crate::NAME;
use crate::game_file;
use anyhow::Result;
use jiff::{Timestamp, Zoned};
use std::io::{self, Write};
use std::time::Duration;
use tabiya_core::Color;
use tabiya_core::notation::{Annotation, PgnReader, PgnWriter, annotations};
use tabiya_movegen::{Game, GameNode, GameTree, GameTreeBuilder, Position};
use tabiya_player::{MAX_ELO, MIN_ELO};

/// The user's name in PGN.
const USER: &str = "Player";

/// The contents of the PGN file of a game against the engine.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) game: Game,
    pub(super) user: Color,
    /// The date of the game's beginning in PGN format.
    pub(super) date: String,
    /// The engine's rating, if its strength is limited.
    pub(super) elo: Option<u16>,
    pub(super) clocks: Option<Clocks>,
    /// True if the game is one of this command, by its tags if it was read from a file.
    pub(super) is_ours: bool,
}

impl Record {
    /// A new game, played today.
    pub(super) fn new(
        start: Position,
        user: Color,
        elo: Option<u16>,
        control: Option<TimeControl>,
    ) -> Record {
        let clocks = control.map(|control| Clocks::new(control, start.side_to_move()));
        let game = Game::from_position(start);
        Record { game, user, date: today(), elo, clocks, is_ours: true }
    }

    /// The game of a PGN file, up to the chosen position. The user has the side that the engine does not have, or White.
    ///
    /// # Errors
    /// If there is no such position.
    pub(super) fn from_tree(tree: &GameTree, ply: Option<usize>) -> Result<Record> {
        let game = game_file::game_at(tree, ply)?;
        let player = |color| tree.tag(tag_of(color)).unwrap_or_default();
        let is_engine = |color| player(color).starts_with("Tabiya ") && player(!color) == USER;
        let is_ours = is_engine(Color::White) || is_engine(Color::Black);
        let user = if is_engine(Color::White) { Color::Black } else { Color::White };
        let elo = tree.tag(if user == Color::White { "BlackElo" } else { "WhiteElo" });
        let elo = elo.and_then(|text| text.parse().ok()).filter(|elo| (MIN_ELO..=MAX_ELO).contains(elo));
        let control = tree.tag("TimeControl").and_then(TimeControl::from_tag);
        let clocks = control.map(|control| {
            let times = tree.mainline().take(game.moves().len()).map(clock_time);
            Clocks::with_times(control, game.start().side_to_move(), times)
        });
        Ok(Record {
            date: tree.tag("Date").filter(|_| is_ours).map_or_else(today, str::to_owned),
            elo: elo.filter(|_| is_ours),
            clocks: clocks.filter(|_| is_ours),
            game,
            user,
            is_ours,
        })
    }

    /// The game of a file as [`write`](Record::write) writes it, and the damage of the file. With damage, the moves before it are kept.
    pub(super) fn from_save(text: &[u8]) -> (Option<Record>, Option<String>) {
        let mut reader = PgnReader::new(text);
        // Reading from memory does not fail.
        let game = reader.read_game(&mut GameTreeBuilder::new()).ok().flatten();
        let (tree, mut damage) = match game {
            Some(Ok(tree)) => (tree, None),
            Some(Err(broken)) => {
                let error = broken.error.to_string();
                (*broken.game, Some(error))
            }
            None => return (None, Some("the text contains no game".to_owned())),
        };
        if !text.trim_ascii_end().ends_with(tree.result().as_str().as_bytes()) {
            let is_longer = matches!(reader.skip_game(), Ok(true));
            let end = if is_longer { "text follows the game" } else { "the game's end is missing" };
            damage.get_or_insert_with(|| end.to_owned());
        }
        match Record::from_tree(&tree, None) {
            Ok(record) if damage.is_some() && record.game.moves().is_empty() => (None, damage),
            Ok(record) => (Some(record), damage),
            Err(error) => (None, Some(error.to_string())),
        }
    }

    /// Starts new clocks. Moves made before have taken no time.
    pub(super) fn set_control(&mut self, control: TimeControl) {
        let times = self.game.moves().iter().map(|_| None);
        self.clocks = Some(Clocks::with_times(control, self.game.start().side_to_move(), times));
    }

    /// Writes the game.
    ///
    /// # Errors
    /// If output fails.
    pub(super) fn write(&self, out: impl Write) -> io::Result<()> {
        let Record { game, user, .. } = self;
        let mut pgn = PgnWriter::new(out);
        let unfinished = game.to_pgn();
        let result = unfinished.result();
        let tags =
            [("Event", "Casual game"), ("Date", &self.date), ("Round", "-"), ("Result", result.as_str())];
        for (name, value) in tags {
            pgn.write_tag(name, value)?;
        }
        // Those of the start position and of the end.
        for name in ["SetUp", "FEN", "Variant", "Termination"] {
            if let Some(value) = unfinished.tag(name) {
                pgn.write_tag(name, value)?;
            }
        }
        pgn.write_tag(tag_of(*user), USER)?;
        pgn.write_tag(tag_of(!*user), NAME)?;
        if let Some(elo) = self.elo {
            pgn.write_tag(if *user == Color::White { "BlackElo" } else { "WhiteElo" }, &elo.to_string())?;
        }
        if let Some(clocks) = &self.clocks {
            pgn.write_tag("TimeControl", &clocks.control().to_string())?;
        }
        for (ply, san) in game.san_moves().enumerate() {
            pgn.write_move(san)?;
            if let Some(time) = self.clocks.as_ref().and_then(|clocks| clocks.after_move(ply)) {
                pgn.write_comment(&Annotation::Clock(time).to_string())?;
            }
        }
        pgn.finish(result)?;
        pgn.flush()
    }
}

fn tag_of(color: Color) -> &'static str {
    if color == Color::White { "White" } else { "Black" }
}

/// The time in the `[%clk]` command after a move.
fn clock_time(node: GameNode<'_>) -> Option<Duration> {
    node.comments().iter().flat_map(|comment| annotations(comment)).find_map(|annotation| match annotation {
        Annotation::Clock(time) => Some(time),
        _ => None,
    })
}

/// Today's date in PGN format, at the place of the game.
fn today() -> String {
    Zoned::now().strftime("%Y.%m.%d").to_string()
}

/// Date and time (UTC) for a file name that sorts by time: `2026-03-01-142530`.
pub(super) fn time_stamp(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d-%H%M%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_stamps_sort_by_time() {
        let time = |seconds| time_stamp(Timestamp::from_second(seconds).unwrap());
        assert_eq!(time(20_513 * 86_400 + 52_330), "2026-03-01-143210");
    }

    fn record(start: &str, user: Color, moves: &[&str]) -> Record {
        let mut record = Record::new(start.parse().unwrap(), user, None, None);
        record.date = "2026.03.01".to_owned();
        moves.iter().for_each(|san| assert!(record.game.play_san(san).is_ok(), "{san}"));
        record
    }

    fn text(record: &Record) -> String {
        let mut text = Vec::new();
        record.write(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn writes_a_game() {
        let start = Position::startpos().to_string();
        let expected = format!(
            "[Event \"Casual game\"]\n[Site \"?\"]\n[Date \"2026.03.01\"]\n[Round \"-\"]\n[White \"{NAME}\"]\n\
             [Black \"Player\"]\n[Result \"0-1\"]\n[Termination \"normal\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"
        );
        assert_eq!(text(&record(&start, Color::Black, &["f3", "e5", "g4", "Qh4#"])), expected);
    }

    #[test]
    fn writes_the_start_position() {
        let text = text(&record("4k3/8/8/8/8/8/4P3/4K3 b - - 0 5", Color::White, &["Kd7"]));
        assert!(text.contains("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 5\"]\n[SetUp \"1\"]\n"), "{text}");
        assert!(text.ends_with("\n5... Kd7 *\n\n"), "{text}");
    }

    #[test]
    fn reads_what_it_wrote() {
        let control = TimeControl { base: Duration::from_secs(300), increment: Duration::from_secs(3) };
        let start = Position::startpos().to_string();
        let mut written = record(&start, Color::Black, &["e4", "e5", "Nf3"]);
        written.elo = Some(1500);
        let mut clocks = Clocks::new(control, Color::White);
        (0..3).for_each(|ply| assert!(clocks.spend(ply, Duration::from_millis(1500))));
        written.clocks = Some(clocks);
        let tree: GameTree = text(&written).parse().unwrap();
        let read = Record::from_tree(&tree, None).unwrap();
        assert_eq!((&read.game, read.user, read.elo), (&written.game, Color::Black, Some(1500)));
        assert_eq!((&read.clocks, &read.date, read.is_ours), (&written.clocks, &written.date, true));
        assert_eq!(text(&read), text(&written));
        let shorter = Record::from_tree(&tree, Some(1)).unwrap();
        assert_eq!(shorter.game.moves().len(), 1);
    }

    #[test]
    fn damage_of_a_save_is_found_and_the_moves_before_it_are_kept() {
        let start = Position::startpos().to_string();
        let text = text(&record(&start, Color::White, &["e4", "e5", "Nf3", "Nc6"]));
        let read = |text: &str| {
            let (record, damage) = Record::from_save(text.as_bytes());
            (record.map(|record| record.game.moves().len()), damage)
        };
        assert_eq!(read(&text), (Some(4), None));
        assert_eq!(read(&format!("{text}zz9")), (Some(4), Some("text follows the game".to_owned())));
        let end = || Some("the game's end is missing".to_owned());
        assert_eq!(read(text.strip_suffix(" *\n\n").unwrap()), (Some(4), end()));
        let (kept, damage) = read(&text.replace("2. Nf3", "2. Ke3"));
        assert!(kept == Some(2) && damage.unwrap().contains("Ke3"));
        for nothing in ["", "\0\0\0\0", &text[..60]] {
            let (kept, damage) = read(nothing);
            assert!(kept.is_none() && damage.is_some(), "{nothing}");
        }
        // A file cut anywhere is damaged, until only white space is missing.
        for length in 0..text.trim_end().len() {
            assert!(read(&text[..length]).1.is_some(), "{length}");
        }
    }

    #[test]
    fn other_peoples_games_give_only_the_moves() {
        let pgn =
            "[White \"A\"]\n[Black \"Tabiya 0.1.0\"]\n[BlackElo \"1500\"]\n[TimeControl \"60\"]\n\n1. e4 1-0";
        let read = Record::from_tree(&pgn.parse().unwrap(), None).unwrap();
        assert_eq!((read.user, read.elo, read.is_ours), (Color::White, None, false));
        assert!(read.clocks.is_none() && read.game.outcome().is_some());
    }
}
