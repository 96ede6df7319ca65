//! The state of a game and the replies to the user, independent of terminal and engine.

use super::request::Request;
use crate::diagram::{Diagram, DiagramStyle};
use crate::variation;
use std::path::{Path, PathBuf};
use tabiya_core::{Color, Move};
use tabiya_movegen::{Game, IllegalMove, Outcome, Position, WinReason};

const HELP: &str = "\
Moves:         Nf3, exd5, e8=Q, O-O, or in coordinates g1f3, e7e8q
  undo         take back your last move and the reply
  redo         replay the moves taken back
  hint         show the engine's choice
  moves        list the legal moves
  score        list the moves of the game
  board, flip  draw the board; flip it
  switch       swap sides with the engine
  draw         claim a draw
  resign       resign the game
  save FILE    save the game as PGN
  fen          show the FEN
  new          start a new game
  quit         quit (as does the end of input)";

/// The reply to a line of the user, and an action for the caller.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Reply {
    pub(super) text: String,
    pub(super) action: Action,
}

/// An action that needs the engine or the terminal.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Action {
    None,
    /// Show the engine's choice.
    Hint,
    Save(PathBuf),
    /// Prepare the engine for a new game.
    NewGame,
    Quit,
}

/// A game between the user and the engine.
pub(super) struct Session {
    game: Game,
    user: Color,
    flipped: bool,
    style: DiagramStyle,
    /// Files saved in this session, which may be overwritten.
    saved: Vec<PathBuf>,
}

impl Session {
    pub(super) fn new(start: Position, user: Color, style: DiagramStyle) -> Session {
        let flipped = user == Color::Black;
        Session { game: Game::from_position(start), user, flipped, style, saved: Vec::new() }
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn user(&self) -> Color {
        self.user
    }

    pub(super) fn has_saved(&self, path: &Path) -> bool {
        self.saved.iter().any(|saved| saved == path)
    }

    pub(super) fn remember_saved(&mut self, path: &Path) {
        self.saved.push(path.to_owned());
    }

    pub(super) fn is_opponents_turn(&self) -> bool {
        self.game.outcome().is_none() && self.game.position().side_to_move() != self.user
    }

    pub(super) fn diagram(&self) -> String {
        let board = self.game.position().board();
        Diagram { board, flipped: self.flipped, style: self.style }.to_string()
    }

    /// The text at the start.
    pub(super) fn greeting(&self) -> String {
        format!("You play {}. Type a move, or help.\n\n{}{}", self.user, self.diagram(), self.status())
    }

    /// The prompt for input.
    pub(super) fn prompt(&self) -> String {
        let position = self.game.position();
        match (self.game.outcome(), position.side_to_move()) {
            (Some(_), _) => "undo, new, save FILE or quit > ".to_owned(),
            (None, Color::White) => format!("{}. > ", position.fullmove_number()),
            (None, Color::Black) => format!("{}... > ", position.fullmove_number()),
        }
    }

    /// Plays the opponent's move and returns the text that reports it.
    ///
    /// # Errors
    /// If the move is illegal.
    pub(super) fn opponent_plays(&mut self, mv: Move) -> Result<String, IllegalMove> {
        let text = variation::numbered(self.game.position(), &[mv]);
        self.game.play(mv)?;
        Ok(format!("Tabiya plays {text}\n\n{}{}", self.diagram(), self.status()))
    }

    /// Handles a line of the user.
    pub(super) fn handle(&mut self, line: &str) -> Reply {
        let request = match Request::parse(line, self.game.position()) {
            Ok(request) => request,
            Err(error) => return reply(error),
        };
        match request {
            Request::Empty => reply(""),
            Request::Move(mv) => self.user_plays(mv),
            Request::Undo => self.undo(),
            Request::Redo => self.redo(),
            Request::Hint if self.game.outcome().is_some() => reply("The game is over."),
            Request::Hint => Reply { text: String::new(), action: Action::Hint },
            Request::Flip => {
                self.flipped = !self.flipped;
                reply(self.diagram())
            }
            Request::Switch => {
                self.user = !self.user;
                reply(format_args!("You play {} now.", self.user))
            }
            Request::Resign => {
                self.declare(Outcome::Win { winner: !self.user, reason: WinReason::Resignation })
            }
            Request::Draw => match self.game.claimable_draw() {
                Some(reason) => self.declare(Outcome::Draw { reason }),
                None => reply("There is no draw to claim, and the engine declines."),
            },
            Request::Moves => reply(self.legal_moves()),
            Request::Score => reply(variation::numbered(self.game.start(), self.game.moves())),
            Request::Board => reply(self.diagram()),
            Request::Fen => reply(self.game.position()),
            Request::Save(file) => {
                Reply { text: String::new(), action: Action::Save(file.trim_matches('"').into()) }
            }
            Request::New => {
                self.game = Game::from_position(self.game.start().clone());
                Reply { text: format!("A new game.\n\n{}", self.diagram()), action: Action::NewGame }
            }
            Request::Help => reply(HELP),
            Request::Quit => Reply { text: String::new(), action: Action::Quit },
        }
    }

    fn user_plays(&mut self, mv: Move) -> Reply {
        if self.game.outcome().is_some() {
            return reply("The game is over.");
        }
        match self.game.play(mv) {
            Ok(()) => reply(self.status().trim_start()),
            Err(error) => reply(error),
        }
    }

    fn declare(&mut self, outcome: Outcome) -> Reply {
        if self.game.outcome().is_some() {
            return reply("The game is over already.");
        }
        self.game.end(outcome);
        reply(self.status().trim_start())
    }

    /// Takes back the moves from the user's last one on.
    fn undo(&mut self) -> Reply {
        let position = self.game.position();
        // A resignation or claimed draw is taken back without a move.
        if position.side_to_move() == self.user && self.game.declared_outcome().is_some() {
            self.game.take_back_outcome();
            return reply("Result taken back.");
        }
        let start = self.game.start().side_to_move();
        let has_moved = self.game.moves().len() >= if start == self.user { 1 } else { 2 };
        if !has_moved {
            return reply("There is no move of yours to take back.");
        }
        while !self.game.moves().is_empty() {
            let mover = !self.game.position().side_to_move();
            self.game.undo();
            if mover == self.user {
                break;
            }
        }
        reply(self.diagram())
    }

    /// Replays moves that were taken back, up to the user's turn.
    fn redo(&mut self) -> Reply {
        if self.game.redo().is_none() {
            return reply("There is no move to replay.");
        }
        while self.game.position().side_to_move() != self.user && self.game.redo().is_some() {}
        reply(self.diagram())
    }

    fn legal_moves(&self) -> String {
        let position = self.game.position();
        let mut moves: Vec<String> =
            position.legal_moves().into_iter().map(|mv| position.san(mv).to_string()).collect();
        moves.sort_unstable();
        moves.join(" ")
    }

    /// The result of the game or a draw that the user may claim, after an empty line; otherwise empty.
    fn status(&self) -> String {
        if let Some(outcome) = self.game.outcome() {
            return format!("\nThe game is over: {outcome}");
        }
        match self.game.claimable_draw() {
            Some(reason) if self.game.position().side_to_move() == self.user => {
                format!("\nYou may claim a draw ({reason}): type draw.")
            }
            _ => String::new(),
        }
    }
}

fn reply(text: impl ToString) -> Reply {
    Reply { text: text.to_string(), action: Action::None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(user: Color) -> Session {
        Session::new(Position::startpos(), user, DiagramStyle::default())
    }

    /// Plays SAN moves for both sides.
    fn play(session: &mut Session, moves: &str) {
        for san in moves.split(' ') {
            if session.is_opponents_turn() {
                let mv = session.game().position().parse_san(san).unwrap();
                session.opponent_plays(mv).unwrap();
            } else {
                let before = session.game().moves().len();
                let answer = session.handle(san);
                assert_eq!(session.game().moves().len(), before + 1, "{}", answer.text);
            }
        }
    }

    fn score(session: &Session) -> String {
        variation::numbered(session.game().start(), session.game().moves())
    }

    #[test]
    fn undo_and_redo_end_at_the_users_turn() {
        let mut white = session(Color::White);
        assert_eq!(white.handle("undo").text, "There is no move of yours to take back.");
        play(&mut white, "e4 e5 Nf3 Nc6");
        white.handle("undo");
        assert_eq!(score(&white), "1. e4 e5");
        white.handle("undo");
        assert_eq!(score(&white), "");
        white.handle("redo");
        assert_eq!(score(&white), "1. e4 e5");
        white.handle("d4");
        assert_eq!(score(&white), "1. e4 e5 2. d4");
        assert!(white.is_opponents_turn());

        let mut black = session(Color::Black);
        play(&mut black, "e4");
        assert_eq!(black.handle("undo").text, "There is no move of yours to take back.");
        play(&mut black, "e5 Nf3");
        black.handle("undo");
        assert_eq!(score(&black), "1. e4");
        assert!(!black.is_opponents_turn());
    }

    #[test]
    fn undo_takes_back_a_mate() {
        let mut black = session(Color::Black);
        play(&mut black, "f3 e5 g4 Qh4#");
        assert_eq!(black.prompt(), "undo, new, save FILE or quit > ");
        assert_eq!(black.handle("Nf6").text, "\"Nf6\": no legal move fits.");
        black.handle("undo");
        assert_eq!(score(&black), "1. f3 e5 2. g4");
        assert!(!black.is_opponents_turn());
    }

    #[test]
    fn declares_resignation_and_draws() {
        let mut white = session(Color::White);
        assert_eq!(white.handle("resign").text, "The game is over: 0-1 (resignation)");
        assert_eq!(white.handle("e4").text, "The game is over.");
        assert_eq!(white.handle("undo").text, "Result taken back.");
        assert!(white.handle("draw").text.contains("declines"));
        play(&mut white, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
        assert_eq!(white.handle("draw").text, "The game is over: 1/2-1/2 (threefold repetition)");
        assert_eq!(white.handle("resign").text, "The game is over already.");
        assert_eq!(white.handle("undo").text, "Result taken back.");
        assert_eq!(white.game().moves().len(), 8);
        // The moves taken back before can still be replayed.
        white.handle("undo");
        white.handle("resign");
        assert_eq!(white.handle("undo").text, "Result taken back.");
        white.handle("redo");
        assert_eq!(white.game().moves().len(), 8);
    }

    #[test]
    fn offers_a_claim_at_the_users_turn() {
        let mut white = session(Color::White);
        play(&mut white, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
        let reply = white.opponent_plays(white.game().position().parse_san("Ng8").unwrap()).unwrap();
        assert!(reply.ends_with("You may claim a draw (threefold repetition): type draw."), "{reply}");
    }

    #[test]
    fn flips_the_board_and_swaps_sides() {
        let mut white = session(Color::White);
        assert!(white.diagram().ends_with("a   b   c   d   e   f   g   h\n"));
        white.handle("flip");
        assert!(white.diagram().ends_with("h   g   f   e   d   c   b   a\n"));
        assert_eq!(white.handle("switch").text, "You play black now.");
        assert!(white.is_opponents_turn());
        assert_eq!(white.handle("save a b.pgn").action, Action::Save("a b.pgn".into()));
        assert_eq!(white.handle("new").action, Action::NewGame);
        assert_eq!(white.handle("quit").action, Action::Quit);
        assert_eq!(white.handle("fen").text, Position::startpos().to_string());
        assert_eq!(white.handle("moves").text.split(' ').count(), 20);
    }
}
