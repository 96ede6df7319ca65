//! The state of a game and the replies to the user, independent of terminal and engine.

use super::clock;
use super::level;
use super::record::Record;
use super::request::Request;
use crate::diagram::{Diagram, DiagramStyle, squares_of};
use crate::variation;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tabiya_core::{Bitboard, Color, Move};
use tabiya_movegen::{DrawReason, Game, IllegalMove, Outcome, Position, WinReason};
use tabiya_search::Clock;

const HELP: &str = "\
Moves:         Nf3, exd5, e8=Q, O-O, or in coordinates g1f3, e7e8q
  undo         take back your last move and the reply
  redo         replay the moves taken back
  hint         show the engine's choice
  moves        list the legal moves
  score        list the moves of the game
  level ELO    change the engine's level: 1200, or full for full strength
  board, flip  draw the board; flip it
  switch       swap sides with the engine
  draw         claim a draw, or offer one
  resign       resign the game
  report       review the game: accuracy and the worst moves of both sides
  save FILE    save the game as PGN
  fen          show the FEN
  new          start a new game
  quit         quit (as do Ctrl-C and the end of input)";

/// The commands, for completion.
const COMMANDS: [&str; 17] = [
    "undo", "redo", "hint", "moves", "score", "level", "board", "flip", "switch", "draw", "resign", "report",
    "save", "fen", "new", "help", "quit",
];

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
    /// Review the game.
    Report,
    /// Play at another Elo rating, or at full strength, from now on.
    Level(Option<u16>),
    /// Offer a draw to the engine.
    OfferDraw,
    /// Prepare the engine for a new game.
    NewGame,
    Quit,
}

/// A session of `tabiya play`: the game between the user and the engine, and how it is shown.
pub(super) struct PlaySession {
    record: Record,
    flipped: bool,
    style: DiagramStyle,
    /// Files to which this game has been saved, with their text. They may be overwritten if they still have it.
    saved: HashMap<PathBuf, Vec<u8>>,
}

impl PlaySession {
    pub(super) fn new(record: Record, style: DiagramStyle) -> PlaySession {
        let flipped = record.user == Color::Black;
        PlaySession { record, flipped, style, saved: HashMap::new() }
    }

    pub(super) fn record(&self) -> &Record {
        &self.record
    }

    pub(super) fn game(&self) -> &Game {
        &self.record.game
    }

    pub(super) fn user(&self) -> Color {
        self.record.user
    }

    /// The text that was saved to a file last.
    pub(super) fn saved_text(&self, path: &Path) -> Option<&[u8]> {
        self.saved.get(path).map(Vec::as_slice)
    }

    pub(super) fn remember_saved(&mut self, path: &Path, text: Vec<u8>) {
        self.saved.insert(path.to_owned(), text);
    }

    pub(super) fn is_opponents_turn(&self) -> bool {
        self.game().outcome().is_none() && self.game().position().side_to_move() != self.user()
    }

    /// The board, with the last move marked, and the clocks.
    pub(super) fn diagram(&self) -> String {
        let game = self.game();
        let marked = game.moves().last().map_or(Bitboard::EMPTY, |&mv| squares_of(mv));
        let board =
            Diagram { board: game.position().board(), flipped: self.flipped, marked, style: self.style };
        let clocks = match (self.time_left(Color::White), self.time_left(Color::Black)) {
            (Some(white), Some(black)) => {
                format!("   White {}, Black {}\n", clock::display(white), clock::display(black))
            }
            _ => String::new(),
        };
        format!("{board}{clocks}")
    }

    /// The text at the start.
    pub(super) fn greeting(&self) -> String {
        let level = level::describe(self.record.elo);
        let change = match self.record.elo {
            None => "\nFor a weaker engine, type level 1200, or start with --elo 1200.",
            Some(_) => " The command level changes that.",
        };
        let score = match self.game().moves() {
            [] => String::new(),
            moves => format!("\n{}\n", variation::numbered(self.game().start(), moves)),
        };
        format!(
            "Tabiya plays at {level}.{change}\nYou play {}. Type a move, or help.\n{score}\n{}{}",
            self.user(),
            self.diagram(),
            self.status()
        )
    }

    /// The prompt for input.
    pub(super) fn prompt(&self) -> String {
        let position = self.game().position();
        match (self.game().outcome(), position.side_to_move()) {
            (Some(_), _) => "undo, new, report, save FILE or quit > ".to_owned(),
            (None, Color::White) => format!("{}. > ", position.fullmove_number()),
            (None, Color::Black) => format!("{}... > ", position.fullmove_number()),
        }
    }

    /// The commands and the legal moves.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = COMMANDS.map(str::to_owned).into();
        if self.game().outcome().is_none() {
            words.extend(self.legal_moves());
        }
        words
    }

    /// The time left to a side, if the game is played with clocks.
    fn time_left(&self, side: Color) -> Option<Duration> {
        self.record.clocks.as_ref().map(|clocks| clocks.left(side, self.game().moves().len()))
    }

    /// The clock of the side to move, for a search.
    pub(super) fn search_clock(&self) -> Option<Clock> {
        let remaining = self.time_left(self.game().position().side_to_move())?;
        let increment = self.record.clocks.as_ref()?.control().increment;
        Some(Clock::new(remaining, increment))
    }

    /// Plays a move that took this time. If the time was up, the game ends instead.
    fn play(&mut self, mv: Move, elapsed: Duration) -> Result<(), IllegalMove> {
        let game = &mut self.record.game;
        let (side, ply) = (game.position().side_to_move(), game.moves().len());
        if !game.position().is_legal(mv) {
            return game.play(mv);
        }
        if let Some(clocks) = &mut self.record.clocks
            && !clocks.spend(ply, elapsed)
        {
            game.flag_fall(side);
            return Ok(());
        }
        game.play(mv)
    }

    /// Plays the opponent's move and returns the text that reports it.
    ///
    /// # Errors
    /// If the move is illegal.
    pub(super) fn opponent_plays(&mut self, mv: Move, elapsed: Duration) -> Result<String, IllegalMove> {
        let (text, plies) = (variation::numbered(self.game().position(), &[mv]), self.game().moves().len());
        self.play(mv, elapsed)?;
        if self.game().moves().len() == plies {
            return Ok(format!("Tabiya's time is up.{}", self.status()));
        }
        Ok(format!("Tabiya plays {text}\n\n{}{}", self.diagram(), self.status()))
    }

    /// Handles a line of the user, who has thought for this time.
    pub(super) fn handle(&mut self, line: &str, elapsed: Duration) -> Reply {
        let request = match Request::parse(line, self.game().position()) {
            Ok(request) => request,
            Err(error) => return reply(error),
        };
        match request {
            Request::Empty => reply(""),
            Request::Move(mv) => self.user_plays(mv, elapsed),
            Request::Undo => self.undo(),
            // A change would alter the record of the finished game.
            Request::Redo | Request::Hint | Request::Switch | Request::Level(_)
                if self.game().outcome().is_some() =>
            {
                reply("The game is over. Type new first.")
            }
            Request::Redo => self.redo(),
            Request::Hint => Reply { text: String::new(), action: Action::Hint },
            Request::Flip => {
                self.flipped = !self.flipped;
                reply(self.diagram())
            }
            Request::Switch => {
                self.record.user = !self.record.user;
                self.flipped = !self.flipped;
                reply(format_args!("You play {} now.", self.user()))
            }
            Request::Resign => {
                self.declare(Outcome::Win { winner: !self.user(), reason: WinReason::Resignation })
            }
            Request::Draw => match self.game().claimable_draw() {
                Some(reason) => self.declare(Outcome::Draw { reason }),
                None if self.game().outcome().is_some() => reply("The game is over already."),
                None => Reply { text: String::new(), action: Action::OfferDraw },
            },
            Request::Level(elo) => {
                self.record.elo = elo;
                let text = format!("Tabiya plays at {} now.", level::describe(elo));
                Reply { text, action: Action::Level(elo) }
            }
            Request::Moves => reply(self.legal_moves().join(" ")),
            Request::Score => reply(variation::numbered(self.game().start(), self.game().moves())),
            Request::Board => reply(self.diagram()),
            Request::Fen => reply(self.game().position()),
            Request::Save(file) => Reply { text: String::new(), action: Action::Save(file.into()) },
            Request::New => {
                let Record { user, elo, .. } = self.record;
                let control = self.record.clocks.as_ref().map(|clocks| clocks.control());
                let start = self.game().start();
                // From a finished position there is nothing to play.
                let is_over = Game::from_position(start.clone()).outcome().is_some();
                let start = if is_over { Position::startpos() } else { start.clone() };
                self.record = Record::new(start, user, elo, control);
                self.saved.clear();
                Reply { text: format!("A new game.\n\n{}", self.diagram()), action: Action::NewGame }
            }
            Request::Report if self.game().moves().is_empty() => reply("There are no moves to review."),
            Request::Report => Reply { text: String::new(), action: Action::Report },
            Request::Help => reply(HELP),
            Request::Quit => Reply { text: String::new(), action: Action::Quit },
        }
    }

    fn user_plays(&mut self, mv: Move, elapsed: Duration) -> Reply {
        if self.record.game.outcome().is_some() {
            return reply("The game is over.");
        }
        match self.play(mv, elapsed) {
            Ok(()) => reply(self.status().trim_start()),
            Err(error) => reply(error),
        }
    }

    fn declare(&mut self, outcome: Outcome) -> Reply {
        if self.record.game.outcome().is_some() {
            return reply("The game is over already.");
        }
        self.record.game.end(outcome);
        reply(self.status().trim_start())
    }

    /// Ends the game as drawn by agreement and returns the text that reports it.
    pub(super) fn agree_to_draw(&mut self) -> String {
        self.declare(Outcome::Draw { reason: DrawReason::Agreement }).text
    }

    /// Takes back the moves from the user's last one on.
    fn undo(&mut self) -> Reply {
        let position = self.record.game.position();
        // A resignation or claimed draw is taken back without a move.
        if position.side_to_move() == self.user() && self.record.game.declared_outcome().is_some() {
            self.record.game.take_back_outcome();
            return reply("Result taken back.");
        }
        let start = self.record.game.start().side_to_move();
        let has_moved = self.record.game.moves().len() >= if start == self.user() { 1 } else { 2 };
        if !has_moved {
            return reply("There is no move of yours to take back.");
        }
        while !self.record.game.moves().is_empty() {
            let mover = !self.record.game.position().side_to_move();
            self.record.game.undo();
            if mover == self.user() {
                break;
            }
        }
        reply(self.diagram())
    }

    /// Replays moves that were taken back, up to the user's turn.
    fn redo(&mut self) -> Reply {
        if self.record.game.redo().is_none() {
            return reply("There is no move to replay.");
        }
        while self.record.game.position().side_to_move() != self.user() && self.record.game.redo().is_some() {
        }
        reply(self.diagram())
    }

    fn legal_moves(&self) -> Vec<String> {
        let position = self.record.game.position();
        let mut moves: Vec<String> =
            position.legal_moves().into_iter().map(|mv| position.san(mv).to_string()).collect();
        moves.sort_unstable();
        moves
    }

    /// The result of the game or a draw that the user may claim, after an empty line; otherwise empty.
    fn status(&self) -> String {
        if let Some(outcome) = self.record.game.outcome() {
            return format!("\nThe game is over: {outcome}");
        }
        match self.record.game.claimable_draw() {
            Some(reason) if self.record.game.position().side_to_move() == self.user() => {
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
    use super::super::clock::TimeControl;
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn session(user: Color) -> PlaySession {
        let record = Record::new(Position::startpos(), user, None, None);
        PlaySession::new(record, DiagramStyle::default())
    }

    /// Plays SAN moves for both sides.
    fn play(session: &mut PlaySession, moves: &str) {
        for san in moves.split(' ') {
            if session.is_opponents_turn() {
                let mv = session.game().position().parse_san(san).unwrap();
                session.opponent_plays(mv, SECOND).unwrap();
            } else {
                let before = session.game().moves().len();
                let answer = session.handle(san, SECOND);
                assert_eq!(session.game().moves().len(), before + 1, "{}", answer.text);
            }
        }
    }

    fn score(session: &PlaySession) -> String {
        variation::numbered(session.game().start(), session.game().moves())
    }

    #[test]
    fn undo_and_redo_end_at_the_users_turn() {
        let mut white = session(Color::White);
        assert_eq!(white.handle("undo", SECOND).text, "There is no move of yours to take back.");
        play(&mut white, "e4 e5 Nf3 Nc6");
        white.handle("undo", SECOND);
        assert_eq!(score(&white), "1. e4 e5");
        white.handle("undo", SECOND);
        assert_eq!(score(&white), "");
        white.handle("redo", SECOND);
        assert_eq!(score(&white), "1. e4 e5");
        white.handle("d4", SECOND);
        assert_eq!(score(&white), "1. e4 e5 2. d4");
        assert!(white.is_opponents_turn());

        let mut black = session(Color::Black);
        play(&mut black, "e4");
        assert_eq!(black.handle("undo", SECOND).text, "There is no move of yours to take back.");
        play(&mut black, "e5 Nf3");
        black.handle("undo", SECOND);
        assert_eq!(score(&black), "1. e4");
        assert!(!black.is_opponents_turn());
    }

    #[test]
    fn undo_takes_back_a_mate() {
        let mut black = session(Color::Black);
        play(&mut black, "f3 e5 g4 Qh4#");
        assert_eq!(black.prompt(), "undo, new, report, save FILE or quit > ");
        assert_eq!(black.handle("Nf6", SECOND).text, "\"Nf6\": no legal move fits.");
        black.handle("undo", SECOND);
        assert_eq!(score(&black), "1. f3 e5 2. g4");
        assert!(!black.is_opponents_turn());
    }

    #[test]
    fn declares_resignation_and_draws() {
        let mut white = session(Color::White);
        assert_eq!(white.handle("resign", SECOND).text, "The game is over: 0-1 (resignation)");
        assert_eq!(white.handle("e4", SECOND).text, "The game is over.");
        assert_eq!(white.handle("undo", SECOND).text, "Result taken back.");
        assert_eq!(white.handle("draw", SECOND).action, Action::OfferDraw);
        play(&mut white, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
        assert_eq!(white.handle("draw", SECOND).text, "The game is over: 1/2-1/2 (threefold repetition)");
        assert_eq!(white.handle("resign", SECOND).text, "The game is over already.");
        assert_eq!(white.handle("undo", SECOND).text, "Result taken back.");
        assert_eq!(white.game().moves().len(), 8);
        // The moves taken back before can still be replayed.
        white.handle("undo", SECOND);
        white.handle("resign", SECOND);
        assert_eq!(white.handle("undo", SECOND).text, "Result taken back.");
        white.handle("redo", SECOND);
        assert_eq!(white.game().moves().len(), 8);
    }

    #[test]
    fn level_changes_in_the_game() {
        let mut white = session(Color::White);
        let greeting = "Tabiya plays at full strength.\nFor a weaker engine, type level 1200, or start with";
        assert!(white.greeting().starts_with(greeting), "{}", white.greeting());
        let reply = white.handle("level 1300", SECOND);
        assert_eq!(
            (reply.text.as_str(), reply.action),
            ("Tabiya plays at 1300 Elo (casual player) now.", Action::Level(Some(1300)))
        );
        assert_eq!(white.record().elo, Some(1300));
        assert!(white.handle("level", SECOND).text.contains("1500 club player"));
        white.handle("new", SECOND);
        assert_eq!(white.record().elo, Some(1300));
    }

    #[test]
    fn finished_game_keeps_sides_and_level() {
        let mut white = session(Color::White);
        play(&mut white, "e4 e5");
        // There is a move to replay.
        white.handle("undo", SECOND);
        white.handle("resign", SECOND);
        for line in ["switch", "level 800", "hint", "redo"] {
            let reply = white.handle(line, SECOND);
            let expected = ("The game is over. Type new first.", Action::None);
            assert_eq!((reply.text.as_str(), reply.action), expected, "{line}");
        }
        assert_eq!((white.user(), white.record().elo), (Color::White, None));
        assert_eq!(white.handle("undo", SECOND).text, "Result taken back.");
        white.handle("resign", SECOND);
        white.handle("new", SECOND);
        assert_eq!(white.handle("level 800", SECOND).action, Action::Level(Some(800)));
        assert_eq!(white.handle("switch", SECOND).text, "You play black now.");
        assert_eq!((white.user(), white.record().elo), (Color::Black, Some(800)));
    }

    #[test]
    fn draw_is_agreed() {
        let mut white = session(Color::White);
        assert_eq!(white.agree_to_draw(), "The game is over: 1/2-1/2 (agreement)");
        assert_eq!(white.handle("draw", SECOND).text, "The game is over already.");
    }

    #[test]
    fn offers_a_claim_at_the_users_turn() {
        let mut white = session(Color::White);
        play(&mut white, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
        let reply = white.opponent_plays(white.game().position().parse_san("Ng8").unwrap(), SECOND).unwrap();
        assert!(reply.ends_with("You may claim a draw (threefold repetition): type draw."), "{reply}");
    }

    #[test]
    fn flips_the_board_and_swaps_sides() {
        let mut white = session(Color::White);
        assert!(white.diagram().ends_with("a   b   c   d   e   f   g   h\n"));
        white.handle("flip", SECOND);
        assert!(white.diagram().ends_with("h   g   f   e   d   c   b   a\n"));
        white.handle("flip", SECOND);
        assert_eq!(white.handle("switch", SECOND).text, "You play black now.");
        assert!(white.is_opponents_turn());
        assert!(white.diagram().ends_with("h   g   f   e   d   c   b   a\n"), "from the side of the user");
        assert_eq!(white.handle("save a b.pgn", SECOND).action, Action::Save("a b.pgn".into()));
        assert_eq!(white.handle("new", SECOND).action, Action::NewGame);
        assert_eq!(white.handle("quit", SECOND).action, Action::Quit);
        assert_eq!(white.handle("fen", SECOND).text, Position::startpos().to_string());
        assert_eq!(white.handle("moves", SECOND).text.split(' ').count(), 20);
    }

    #[test]
    fn a_new_game_does_not_begin_from_a_finished_position() {
        let mate = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1".parse().unwrap();
        let mut game = PlaySession::new(Record::new(mate, Color::White, None, None), DiagramStyle::default());
        assert_eq!(game.handle("switch", SECOND).text, "The game is over. Type new first.");
        game.handle("new", SECOND);
        assert_eq!(game.game().position(), &Position::startpos());
    }

    fn timed(minutes: u64) -> PlaySession {
        let control = TimeControl { base: Duration::from_secs(60 * minutes), increment: SECOND };
        let record = Record::new(Position::startpos(), Color::White, Some(1500), Some(control));
        PlaySession::new(record, DiagramStyle::default())
    }

    #[test]
    fn greeting_fits_on_80_columns() {
        for elo in (800..=2800).step_by(100).map(Some).chain([None]) {
            let record = Record::new(Position::startpos(), Color::Black, elo, None);
            let greeting = PlaySession::new(record, DiagramStyle::default()).greeting();
            let longest = greeting.lines().map(str::len).max().unwrap();
            assert!(longest <= 80, "{longest} columns: {greeting}");
        }
    }

    #[test]
    fn shows_level_clocks_and_the_last_move() {
        let mut game = timed(5);
        assert!(game.greeting().starts_with(
            "Tabiya plays at 1500 Elo (club player). The command level changes that.\nYou play white."
        ));
        game.handle("e4", Duration::from_secs(31));
        assert_eq!(game.search_clock(), Some(Clock::new(Duration::from_secs(300), Duration::from_secs(1))));
        let diagram = game.diagram();
        assert!(diagram.contains("(P)") && diagram.contains("( )"), "{diagram}");
        assert!(diagram.ends_with("h\n   White 4:30, Black 5:00\n"), "{diagram}");
        game.handle("undo", SECOND);
        assert!(game.diagram().ends_with("White 5:00, Black 5:00\n"));
        assert!(!game.diagram().contains('('));
    }

    #[test]
    fn time_runs_out() {
        let mut game = timed(1);
        assert_eq!(game.handle("e5", Duration::from_secs(99)).text, "\"e5\": no legal move fits.");
        assert_eq!(game.handle("e4", Duration::from_secs(61)).text, "The game is over: 0-1 (time)");
        assert!(game.game().moves().is_empty());
        assert_eq!(game.handle("undo", SECOND).text, "Result taken back.");
        play(&mut game, "e4");
        let mv = game.game().position().parse_san("e5").unwrap();
        let text = game.opponent_plays(mv, Duration::from_secs(61)).unwrap();
        assert_eq!(text, "Tabiya's time is up.\nThe game is over: 1-0 (time)");
    }

    #[test]
    fn completes_commands_and_moves() {
        let mut game = session(Color::White);
        let words = game.words();
        assert_eq!(words.len(), COMMANDS.len() + 20);
        // Each line of the help names one command, or two, before its description.
        let lines = HELP.lines().filter_map(|line| line.strip_prefix("  ")?.split("  ").next());
        let mut described: Vec<&str> =
            lines.flat_map(|names| names.split(", ")).filter_map(|name| name.split(' ').next()).collect();
        described.insert(COMMANDS.len() - 2, "help");
        assert_eq!(described, COMMANDS);
        for command in COMMANDS {
            assert!(!game.handle(command, SECOND).text.contains("neither a move"), "{command}");
        }
        assert_eq!(game.words().len(), COMMANDS.len() + 20, "after resign and new");
        game.handle("resign", SECOND);
        assert_eq!(game.words().len(), COMMANDS.len());
        assert_eq!(game.handle("report", SECOND).text, "There are no moves to review.");
    }
}
