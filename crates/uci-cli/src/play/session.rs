//! The conversation about a game, without a terminal and without an engine.

use super::request::Request;
use crate::diagram::{Diagram, Look};
use crate::line;
use std::path::{Path, PathBuf};
use tabiya_core::{Color, Move};
use tabiya_movegen::{Game, IllegalMove, Outcome, Position, WinReason};

const HELP: &str = "\
A move:      Nf3, exd5, e8=Q, O-O, or in coordinates g1f3, e7e8q
  undo         take your last move back, and the answer to it
  redo         play them again
  hint         what the engine would play
  moves        all legal moves
  score        the moves so far
  board, flip  draw the board; turn it round
  switch       change sides with the engine
  draw         claim a draw, where the rules allow it
  resign       give up
  save FILE    save the game as PGN
  fen          the position in one line
  new          start again
  quit         leave (so does the end of the input)";

/// What the person is told, and what is to be done that only the caller can do.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Reply {
    pub(super) text: String,
    pub(super) action: Action,
}

/// What only the caller can do.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Action {
    None,
    /// Ask the engine what it would play.
    Hint,
    Save(PathBuf),
    /// Tell the engine.
    NewGame,
    Quit,
}

/// A game between a person and an engine.
pub(super) struct Session {
    game: Game,
    person: Color,
    flipped: bool,
    look: Look,
    /// Files that this session has written, and may write again.
    saved: Vec<PathBuf>,
}

impl Session {
    pub(super) fn new(start: Position, person: Color, look: Look) -> Session {
        let flipped = person == Color::Black;
        Session { game: Game::from_position(start), person, flipped, look, saved: Vec::new() }
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn person(&self) -> Color {
        self.person
    }

    pub(super) fn has_saved(&self, path: &Path) -> bool {
        self.saved.iter().any(|saved| saved == path)
    }

    pub(super) fn remember_saved(&mut self, path: &Path) {
        self.saved.push(path.to_owned());
    }

    pub(super) fn is_opponents_turn(&self) -> bool {
        self.game.outcome().is_none() && self.game.position().side_to_move() != self.person
    }

    pub(super) fn diagram(&self) -> String {
        let board = self.game.position().board();
        Diagram { board, flipped: self.flipped, look: self.look }.to_string()
    }

    /// What is said first.
    pub(super) fn greeting(&self) -> String {
        format!("You play {}. Type a move, or help.\n\n{}{}", self.person, self.diagram(), self.news())
    }

    /// What is asked of the person.
    pub(super) fn prompt(&self) -> String {
        let position = self.game.position();
        match (self.game.outcome(), position.side_to_move()) {
            (Some(_), _) => "undo, new, save FILE or quit > ".to_owned(),
            (None, Color::White) => format!("{}. > ", position.fullmove_number()),
            (None, Color::Black) => format!("{}... > ", position.fullmove_number()),
        }
    }

    /// Plays the opponent's move and says so.
    ///
    /// # Errors
    /// If the move is not legal.
    pub(super) fn opponent_plays(&mut self, mv: Move) -> Result<String, IllegalMove> {
        let text = line::numbered(self.game.position(), &[mv]);
        self.game.play(mv)?;
        Ok(format!("Tabiya plays {text}\n\n{}{}", self.diagram(), self.news()))
    }

    /// Takes a line that the person has typed.
    pub(super) fn hear(&mut self, line: &str) -> Reply {
        let request = match Request::parse(line, self.game.position()) {
            Ok(request) => request,
            Err(error) => return say(error),
        };
        match request {
            Request::Nothing => say(""),
            Request::Move(mv) => self.person_plays(mv),
            Request::Undo => self.undo(),
            Request::Redo => self.redo(),
            Request::Hint if self.game.outcome().is_some() => say("The game is over."),
            Request::Hint => Reply { text: String::new(), action: Action::Hint },
            Request::Flip => {
                self.flipped = !self.flipped;
                say(self.diagram())
            }
            Request::Switch => {
                self.person = !self.person;
                say(format_args!("You play {} now.", self.person))
            }
            Request::Resign => {
                self.declare(Outcome::Win { winner: !self.person, reason: WinReason::Resignation })
            }
            Request::Draw => match self.game.claimable_draw() {
                Some(reason) => self.declare(Outcome::Draw { reason }),
                None => say("The rules give no draw here, and I should like to play on."),
            },
            Request::Moves => say(self.legal_moves()),
            Request::Score => say(line::numbered(self.game.start(), self.game.moves())),
            Request::Board => say(self.diagram()),
            Request::Fen => say(self.game.position()),
            Request::Save(file) => {
                Reply { text: String::new(), action: Action::Save(file.trim_matches('"').into()) }
            }
            Request::New => {
                self.game = Game::from_position(self.game.start().clone());
                Reply { text: format!("A new game.\n\n{}", self.diagram()), action: Action::NewGame }
            }
            Request::Help => say(HELP),
            Request::Quit => Reply { text: String::new(), action: Action::Quit },
        }
    }

    fn person_plays(&mut self, mv: Move) -> Reply {
        if self.game.outcome().is_some() {
            return say("The game is over.");
        }
        match self.game.play(mv) {
            Ok(()) => say(self.news().trim_start()),
            Err(error) => say(error),
        }
    }

    fn declare(&mut self, outcome: Outcome) -> Reply {
        if self.game.outcome().is_some() {
            return say("The game is over already.");
        }
        self.game.end(outcome);
        say(self.news().trim_start())
    }

    /// Takes moves back until the person's last one is undone.
    fn undo(&mut self) -> Reply {
        let position = self.game.position();
        // A declared result (a resignation, a draw) is taken back by itself.
        if position.side_to_move() == self.person && self.game.declared_outcome().is_some() {
            return self.take_back_result();
        }
        let start = self.game.start().side_to_move();
        let has_moved = self.game.moves().len() >= if start == self.person { 1 } else { 2 };
        if !has_moved {
            return say("There is no move of yours to take back.");
        }
        while !self.game.moves().is_empty() {
            let mover = !self.game.position().side_to_move();
            self.game.undo();
            if mover == self.person {
                break;
            }
        }
        say(self.diagram())
    }

    fn take_back_result(&mut self) -> Reply {
        match self.game.undo() {
            Some(mv) => {
                // Undoing forgets the result; the move stays.
                let _ = self.game.play(mv);
            }
            None => self.game = Game::from_position(self.game.start().clone()),
        }
        say("Taken back. The game goes on.")
    }

    /// Plays moves again that were taken back, up to the person's turn.
    fn redo(&mut self) -> Reply {
        if self.game.redo().is_none() {
            return say("There is nothing to play again.");
        }
        while self.game.position().side_to_move() != self.person && self.game.redo().is_some() {}
        say(self.diagram())
    }

    fn legal_moves(&self) -> String {
        let position = self.game.position();
        let mut moves: Vec<String> =
            position.legal_moves().into_iter().map(|mv| position.san(mv).to_string()).collect();
        moves.sort_unstable();
        moves.join(" ")
    }

    /// Whether the game is over, or could be; with an empty line before it.
    fn news(&self) -> String {
        if let Some(outcome) = self.game.outcome() {
            return format!("\nThe game is over: {outcome}");
        }
        match self.game.claimable_draw() {
            Some(reason) if self.game.position().side_to_move() == self.person => {
                format!("\nYou may claim a draw ({reason}): type draw.")
            }
            _ => String::new(),
        }
    }
}

fn say(text: impl ToString) -> Reply {
    Reply { text: text.to_string(), action: Action::None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(person: Color) -> Session {
        Session::new(Position::startpos(), person, Look::default())
    }

    /// Lets both sides play SAN moves.
    fn play(session: &mut Session, moves: &str) {
        for san in moves.split(' ') {
            if session.is_opponents_turn() {
                let mv = session.game().position().parse_san(san).unwrap();
                session.opponent_plays(mv).unwrap();
            } else {
                let before = session.game().moves().len();
                let reply = session.hear(san);
                assert_eq!(session.game().moves().len(), before + 1, "{}", reply.text);
            }
        }
    }

    fn score(session: &Session) -> String {
        line::numbered(session.game().start(), session.game().moves())
    }

    #[test]
    fn undo_and_redo_come_back_to_the_persons_turn() {
        let mut white = session(Color::White);
        assert_eq!(white.hear("undo").text, "There is no move of yours to take back.");
        play(&mut white, "e4 e5 Nf3 Nc6");
        white.hear("undo");
        assert_eq!(score(&white), "1. e4 e5");
        white.hear("undo");
        assert_eq!(score(&white), "");
        white.hear("redo");
        assert_eq!(score(&white), "1. e4 e5");
        white.hear("d4");
        assert_eq!(score(&white), "1. e4 e5 2. d4");
        assert!(white.is_opponents_turn());

        let mut black = session(Color::Black);
        play(&mut black, "e4");
        assert_eq!(black.hear("undo").text, "There is no move of yours to take back.");
        play(&mut black, "e5 Nf3");
        black.hear("undo");
        assert_eq!(score(&black), "1. e4");
        assert!(!black.is_opponents_turn());
    }

    #[test]
    fn a_mate_can_be_taken_back() {
        let mut black = session(Color::Black);
        play(&mut black, "f3 e5 g4 Qh4#");
        assert_eq!(black.prompt(), "undo, new, save FILE or quit > ");
        assert_eq!(black.hear("Nf6").text, "\"Nf6\": no legal move fits.");
        black.hear("undo");
        assert_eq!(score(&black), "1. f3 e5 2. g4");
        assert!(!black.is_opponents_turn());
    }

    #[test]
    fn resignation_and_draws() {
        let mut white = session(Color::White);
        assert_eq!(white.hear("resign").text, "The game is over: 0-1 (resignation)");
        assert_eq!(white.hear("e4").text, "The game is over.");
        assert_eq!(white.hear("undo").text, "Taken back. The game goes on.");
        assert!(white.hear("draw").text.contains("play on"));
        play(&mut white, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
        assert_eq!(white.hear("draw").text, "The game is over: 1/2-1/2 (threefold repetition)");
        assert_eq!(white.hear("resign").text, "The game is over already.");
        assert_eq!(white.hear("undo").text, "Taken back. The game goes on.");
        assert_eq!(white.game().moves().len(), 8);
    }

    #[test]
    fn the_opponent_is_told_of_a_draw_only_at_ones_own_turn() {
        let mut white = session(Color::White);
        play(&mut white, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
        let reply = white.opponent_plays(white.game().position().parse_san("Ng8").unwrap()).unwrap();
        assert!(reply.ends_with("You may claim a draw (threefold repetition): type draw."), "{reply}");
    }

    #[test]
    fn sides_and_views() {
        let mut white = session(Color::White);
        assert!(white.diagram().ends_with("a   b   c   d   e   f   g   h\n"));
        white.hear("flip");
        assert!(white.diagram().ends_with("h   g   f   e   d   c   b   a\n"));
        assert_eq!(white.hear("switch").text, "You play black now.");
        assert!(white.is_opponents_turn());
        assert_eq!(white.hear("save a b.pgn").action, Action::Save("a b.pgn".into()));
        assert_eq!(white.hear("new").action, Action::NewGame);
        assert_eq!(white.hear("quit").action, Action::Quit);
        assert_eq!(white.hear("fen").text, Position::startpos().to_string());
        assert_eq!(white.hear("moves").text.split(' ').count(), 20);
    }
}
