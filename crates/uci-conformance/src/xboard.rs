//! The xboard protocol: the engine keeps the game, so the log keeps it, too.
//!
//! Source: Tim Mann and H.G. Muller, "Chess Engine Communication Protocol".

pub(crate) mod features;
pub(crate) mod output;

use crate::session_log::{BestMoveLine, Output, Reader};
use tabiya_core::notation::UciMove;
use tabiya_core::{Color, Move};
use tabiya_movegen::{Game, Position};
use tabiya_uci_engine::xboard::{Features, thinking};

/// Follows the game of a session.
pub(crate) struct XboardReader {
    /// The features that the engine has declared in this session.
    features: Features,
    /// The game; `None` after a position that could not be read.
    game: Option<Game>,
    role: Role,
    /// True in the variant `fischerandom`.
    chess960: bool,
    /// True between `edit` and `.`.
    editing: bool,
}

/// The role of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Force,
    Play(Color),
    Analyse,
}

impl Default for XboardReader {
    fn default() -> XboardReader {
        XboardReader {
            features: Features::default(),
            game: Some(Game::new()),
            role: Role::Play(Color::Black),
            chess960: false,
            editing: false,
        }
    }
}

impl XboardReader {
    fn side_to_move(&self) -> Color {
        self.position().map_or(Color::White, |position| position.side_to_move())
    }

    /// Plays a legal move; the game is unknown afterwards if the move is not legal.
    fn play(&mut self, mv: Option<Move>) {
        self.game = self.game.take().zip(mv).and_then(|(mut game, mv)| game.play(mv).is_ok().then_some(game));
    }

    fn undo(&mut self, moves: usize) {
        if let Some(game) = &mut self.game {
            (0..moves).for_each(|_| {
                game.undo();
            });
        }
    }

    /// Follows a move sent to the engine. An illegal move changes nothing.
    fn user_move(&mut self, text: &str) -> bool {
        let Some(mv) = self.position().and_then(|position| resolve(position, text).ok()) else {
            return false;
        };
        self.play(Some(mv));
        match self.role {
            Role::Force => false,
            Role::Analyse => true,
            Role::Play(color) => color == self.side_to_move(),
        }
    }

    /// Returns an engine's move as checks write it: in coordinates, castling in Chess960 as it is.
    fn check(&self, text: &str) -> (Option<Move>, Result<String, String>) {
        let Some(position) = self.position() else {
            return (None, Err("the position of the script is unknown".to_owned()));
        };
        match resolve(position, text) {
            Err(error) => (None, Err(format!("move {text:?} in {position}: {error}"))),
            Ok(mv) if is_coordinates(text) || (self.chess960 && mv.is_castle()) => {
                (Some(mv), Ok(text.to_owned()))
            }
            Ok(mv) => (Some(mv), Ok(mv.to_uci(false).to_string())),
        }
    }
}

impl Reader for XboardReader {
    fn sent(&mut self, line: &str) -> bool {
        let line = line.trim();
        if self.editing {
            self.editing = line != ".";
            return false;
        }
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "new" => {
                self.game = Some(Game::new());
                self.chess960 = false;
                if self.role != Role::Analyse {
                    self.role = Role::Play(Color::Black);
                }
            }
            "variant" => self.chess960 = rest == "fischerandom",
            "setboard" => self.game = rest.parse().ok().map(Game::from_position),
            "edit" => (self.editing, self.game) = (true, None),
            "force" | "result" | "exit" => self.role = Role::Force,
            "undo" => self.undo(1),
            "remove" => self.undo(2),
            "playother" => self.role = Role::Play(!self.side_to_move()),
            "go" => {
                self.role = Role::Play(self.side_to_move());
                return true;
            }
            "analyze" => {
                self.role = Role::Analyse;
                return true;
            }
            "usermove" => return self.user_move(rest),
            _ if rest.is_empty() => return self.user_move(command),
            _ => {}
        }
        // Every change of the position starts the analysis again.
        self.role == Role::Analyse && matches!(command, "new" | "setboard" | "undo" | "remove")
    }

    fn received(&mut self, line: &str) -> Output {
        self.features.read(line, features::is_known);
        if let Some(text) = output::move_text(line) {
            let (mv, legal) = self.check(text);
            self.play(mv);
            return Output::BestMove(BestMoveLine { text: text.to_owned(), legal, ponder: None });
        }
        thinking(line).map_or(Output::Other, Output::Info)
    }

    fn position(&self) -> Option<&Position> {
        self.game.as_ref().map(Game::position)
    }

    fn move_command(&self, text: &str) -> Result<String, String> {
        let position = self.position();
        let known = match &self.game {
            None if text == "any" => return Err("the position of the script is unknown".to_owned()),
            Some(game) if text == "any" => Some(any_move(game).ok_or("there is no move that goes on")?),
            _ => position.and_then(|position| resolve(position, text).ok()),
        };
        let text = match known.zip(position) {
            Some((mv, position)) if self.features.is_on("san") => {
                position.san(mv).to_string().trim_end_matches(['+', '#']).to_owned()
            }
            Some((mv, _)) if text == "any" && !mv.is_castle() => mv.to_uci(false).to_string(),
            Some((mv, position)) if text == "any" => position.san(mv).to_string(),
            _ => text.to_owned(),
        };
        Ok(if self.features.is_on("usermove") { format!("usermove {text}") } else { text })
    }
}

/// Chooses a legal move after which the game is not over and no draw can be claimed.
fn any_move(game: &Game) -> Option<Move> {
    let goes_on = |&mv: &Move| {
        let mut game = game.clone();
        game.play(mv).is_ok() && game.outcome().is_none() && game.claimable_draw().is_none()
    };
    let moves: Vec<Move> = game.position().legal_moves().iter().copied().filter(goes_on).collect();
    // Not always the first one, which would be a move of the same few pieces.
    moves.get(game.moves().len() * 7 % moves.len().max(1)).copied()
}

fn is_coordinates(text: &str) -> bool {
    text.parse::<UciMove>().is_ok()
}

/// Finds a move written in coordinates or in SAN.
fn resolve(position: &Position, text: &str) -> Result<Move, String> {
    if is_coordinates(text) {
        return position.parse_uci(text).map_err(|error| error.to_string());
    }
    position.parse_san(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(features: &str) -> XboardReader {
        let mut reader = XboardReader::default();
        reader.received(features);
        reader
    }

    fn fen(reader: &XboardReader) -> String {
        reader.position().map_or_else(String::new, Position::to_string)
    }

    #[test]
    fn searches_start_when_the_engine_is_on_move() {
        let mut reader = reader("");
        // After `new` the engine plays Black.
        assert!(!reader.sent("new") && reader.sent("e2e4"));
        assert!(matches!(reader.received("move e7e5"), Output::BestMove(_)));
        assert!(!reader.sent("force") && !reader.sent("usermove g1f3"));
        assert!(reader.sent("go"));
        assert!(!reader.sent("playother"));
        assert!(!reader.sent("result * {stopped}") && !reader.sent("Nc6"));
        assert!(reader.sent("analyze") && reader.sent("undo") && !reader.sent("exit"));
    }

    #[test]
    fn game_is_followed() {
        let mut reader = reader("");
        for line in ["force", "e2e4", "e7e5", "g1f3", "undo", "remove"] {
            reader.sent(line);
        }
        assert_eq!(fen(&reader), Position::startpos().to_string());
        reader.sent("e2e5");
        assert_eq!(fen(&reader), Position::startpos().to_string(), "illegal moves are not played");
        reader.sent("setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        reader.received("move e1g1");
        assert!(fen(&reader).starts_with("4k3/8/8/8/8/8/8/5RK1 b"));
        for lost in ["setboard nonsense", "edit"] {
            reader.sent(lost);
            assert_eq!(fen(&reader), "");
        }
        // Lines in edit mode are no commands.
        reader.sent("new");
        reader.sent(".");
        assert_eq!(fen(&reader), "");
        reader.sent("new");
        assert_eq!(fen(&reader), Position::startpos().to_string());
    }

    #[test]
    fn any_move_continues_the_game() {
        let mut reader = reader("");
        reader.sent("force");
        for _ in 0..200 {
            let line = reader.move_command("any").unwrap();
            reader.sent(&line);
        }
        assert_eq!(reader.game.as_ref().map(|game| game.moves().len()), Some(200));
    }

    #[test]
    fn moves_are_checked_and_normalised() {
        let legal = |position: &str, chess960: bool, line: &str| {
            let mut reader = reader("");
            if chess960 {
                reader.sent("variant fischerandom");
            }
            reader.sent(&format!("setboard {position}"));
            match reader.received(line) {
                Output::BestMove(best) => best.legal,
                other => panic!("{other:?}"),
            }
        };
        let castling = "4k3/8/8/8/8/8/6P1/4K2R w K - 0 1";
        for (line, expected) in [("move O-O", "e1g1"), ("move e1g1", "e1g1"), ("1. ... g4", "g2g4")] {
            assert_eq!(legal(castling, false, line), Ok(expected.to_owned()), "{line}");
        }
        assert_eq!(legal(castling, true, "move O-O"), Ok("O-O".to_owned()));
        assert_eq!(legal(castling, true, "move e1h1"), Ok("e1h1".to_owned()));
        assert!(legal(castling, false, "move e1e3").is_err());
    }

    #[test]
    fn moves_are_sent_as_the_engine_asks() {
        let command = |features: &str, text: &str| reader(features).move_command(text);
        assert_eq!(command("", "e2e4"), Ok("e2e4".to_owned()));
        assert_eq!(command("feature usermove=1", "e2e4"), Ok("usermove e2e4".to_owned()));
        assert_eq!(command("feature usermove=1 san=1", "g1f3"), Ok("usermove Nf3".to_owned()));
        assert_eq!(command("feature san=1", "e2e5"), Ok("e2e5".to_owned()), "illegal moves stay as they are");
        assert_eq!(command("", "any").map(|text| text.len()), Ok(4));
        assert_eq!(command("feature usermove=1", "any").map(|text| text.len()), Ok(13));
        let mut unknown = reader("");
        unknown.sent("setboard nonsense");
        assert!(unknown.move_command("any").is_err());
    }
}
