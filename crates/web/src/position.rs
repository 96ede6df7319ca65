//! A position of a game with its legal moves.

use crate::resources::Resources;
use serde::{Deserialize, Serialize};
use std::fmt;
use tabiya_book::Opening;
use tabiya_core::{Color, FenError, Move};
use tabiya_movegen::{Game, Outcome, Position, ResolveUciError};
use tabiya_review::report::Sides;
use tabiya_syzygy::Wdl;

/// A game up to a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GameLine {
    /// The start position as a FEN; absent for the initial position.
    pub start: Option<String>,
    /// The moves in UCI notation. Castling may be written as "king takes own rook"; a null move is empty.
    pub moves: Vec<String>,
}

/// A reason why a [`GameLine`] is invalid.
#[derive(Debug)]
pub(crate) enum GameLineError {
    Start(FenError),
    Move { number: usize, text: String, error: ResolveUciError },
    NullMove { number: usize },
}

impl fmt::Display for GameLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameLineError::Start(error) => error.fmt(f),
            GameLineError::Move { number, text, error } => write!(f, "move {number}, {text:?}: {error}"),
            GameLineError::NullMove { number } => write!(f, "move {number}: a null move is illegal in check"),
        }
    }
}

impl std::error::Error for GameLineError {}

impl GameLine {
    /// Plays the moves.
    pub(crate) fn play(&self) -> Result<Game, GameLineError> {
        let mut game = match &self.start {
            None => Game::new(),
            Some(fen) => Game::from_position(Position::from_fen(fen).map_err(GameLineError::Start)?),
        };
        for (index, text) in self.moves.iter().enumerate() {
            if text.is_empty() {
                game = after_null_move(&game).ok_or(GameLineError::NullMove { number: index + 1 })?;
                continue;
            }
            game.play_uci(text).map_err(|error| {
                // Texts from outside may be long.
                let text = text.chars().take(10).collect();
                GameLineError::Move { number: index + 1, text, error }
            })?;
        }
        Ok(game)
    }
}

/// A game from the position after a null move, which no game can contain. `None` in check.
fn after_null_move(game: &Game) -> Option<Game> {
    let mut position = game.position().clone();
    if position.in_check() {
        return None;
    }
    position.play_null();
    Some(Game::from_position(position))
}

/// A position with its legal moves and its state in the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PositionReply {
    /// The position.
    pub fen: String,
    /// The legal moves.
    pub legal: Vec<LegalMove>,
    /// True if the side to move is in check.
    pub check: bool,
    /// The result, `1-0`, `0-1` or `1/2-1/2`, if the rules end the game here.
    pub result: Option<&'static str>,
    /// The outcome, if the rules end the game here.
    pub outcome: Option<OutcomeView>,
    /// True for each side that has enough material to give mate. A player whose time is up draws against a side without.
    pub can_mate: Sides<bool>,
    /// The reason why a draw can be claimed, as in [`OutcomeView::reason`].
    pub claim: Option<String>,
    /// The most specific named opening that the game has reached.
    pub opening: Option<Opening>,
    /// The tablebases' result.
    pub tablebase: Option<TablebaseView>,
}

/// The end of a game. The page says it in its language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OutcomeView {
    /// `white` or `black`; absent for a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<&'static str>,
    /// The name of the [`WinReason`](tabiya_movegen::WinReason) or [`DrawReason`](tabiya_movegen::DrawReason), such as `stalemate`.
    pub reason: String,
}

impl OutcomeView {
    fn of(outcome: &Outcome) -> OutcomeView {
        match outcome {
            Outcome::Win { winner, reason } => {
                OutcomeView { winner: Some(side_name(*winner)), reason: reason.to_string() }
            }
            Outcome::Draw { reason } => OutcomeView { winner: None, reason: reason.to_string() },
            other => OutcomeView { winner: None, reason: other.to_string() },
        }
    }
}

fn side_name(side: Color) -> &'static str {
    if side == Color::White { "white" } else { "black" }
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LegalMove {
    /// The move in UCI notation; castling is "king takes own rook".
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// The tablebases' result after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tablebase: Option<TablebaseView>,
}

/// A tablebase result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TablebaseView {
    /// The result.
    pub result: TablebaseResult,
    /// The side that would win without the fifty-move rule, `white` or `black`; absent unless `result` is [`TablebaseResult::FiftyMoves`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub would_win: Option<&'static str>,
    /// The distance to the next capture or pawn move in plies, if it is known.
    pub dtz: Option<i32>,
}

/// The result of a position by the tablebases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TablebaseResult {
    /// White wins.
    WhiteWins,
    /// Black wins.
    BlackWins,
    /// A draw.
    Draw,
    /// A draw only by the fifty-move rule.
    FiftyMoves,
}

/// The current position of a game.
pub(crate) fn view(game: &Game, resources: &Resources) -> PositionReply {
    let position = game.position();
    let outcome = game.outcome();
    let legal = position.legal_moves();
    // No move is possible after the end.
    let legal = if outcome.is_some() {
        Vec::new()
    } else {
        legal.iter().map(|&mv| move_with_result(position, mv, resources)).collect()
    };
    PositionReply {
        fen: position.to_string(),
        legal,
        check: position.in_check(),
        result: outcome.map(|outcome| outcome.result()),
        outcome: outcome.as_ref().map(OutcomeView::of),
        can_mate: Sides::from_fn(|color| position.can_mate(color)),
        claim: game.claimable_draw().map(|reason| reason.to_string()),
        opening: Opening::of(game),
        tablebase: tablebase(position, resources),
    }
}

/// A move without the tablebases' result.
pub(crate) fn legal_move(position: &Position, mv: Move) -> LegalMove {
    LegalMove { uci: mv.to_uci(true).to_string(), san: position.san(mv).to_string(), tablebase: None }
}

fn move_with_result(position: &Position, mv: Move, resources: &Resources) -> LegalMove {
    let mut after = position.clone();
    after.play_unchecked(mv);
    LegalMove { tablebase: tablebase(&after, resources), ..legal_move(position, mv) }
}

fn tablebase(position: &Position, resources: &Resources) -> Option<TablebaseView> {
    let tables = resources.tablebases.as_ref()?;
    // A won position without a move of the loser has no distance.
    if !position.has_legal_move() && position.in_check() {
        let result = wins(!position.side_to_move());
        return Some(TablebaseView { result, would_win: None, dtz: None });
    }
    let dtz = tables.probe_dtz(position);
    let side = position.side_to_move();
    let (result, would_win) = match tables.probe_result(position)? {
        Wdl::Win => (wins(side), None),
        Wdl::CursedWin => (TablebaseResult::FiftyMoves, Some(side_name(side))),
        Wdl::Draw => (TablebaseResult::Draw, None),
        Wdl::BlessedLoss => (TablebaseResult::FiftyMoves, Some(side_name(!side))),
        Wdl::Loss => (wins(!side), None),
    };
    Some(TablebaseView { result, would_win, dtz: dtz.filter(|&dtz| dtz != 0) })
}

fn wins(side: Color) -> TablebaseResult {
    if side == Color::White { TablebaseResult::WhiteWins } else { TablebaseResult::BlackWins }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tabiya_syzygy::Tablebases;

    fn view_of(start: &str, moves: &str) -> PositionReply {
        let start = (!start.is_empty()).then(|| start.to_owned());
        let line = GameLine { start, moves: moves.split_whitespace().map(str::to_owned).collect() };
        view(&line.play().unwrap(), &Resources::default())
    }

    #[test]
    fn checkmate_ends_the_game() {
        let mate = view_of("", "f2f3 e7e5 g2g4 d8h4");
        assert_eq!((mate.check, mate.legal.len()), (true, 0));
        let outcome = OutcomeView { winner: Some("black"), reason: "checkmate".to_owned() };
        assert_eq!((mate.result, mate.outcome), (Some("0-1"), Some(outcome)));
    }

    #[test]
    fn mating_material_is_that_of_the_rules() {
        let can_mate = |fen| view_of(fen, "").can_mate;
        assert_eq!(can_mate("4k3/8/8/8/8/8/8/4KN1q w - - 0 1"), Sides { white: false, black: true });
        assert_eq!(can_mate("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), Sides { white: true, black: false });
    }

    #[test]
    fn castling_is_king_takes_rook() {
        let position = view_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "");
        assert!(position.legal.iter().any(|mv| mv.uci == "e1h1" && mv.san == "O-O"), "{:?}", position.legal);
        assert!(view_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1").fen.starts_with("4k3/8/8/8/8/8/8/5RK1 "));
    }

    #[test]
    fn third_repetition_can_be_claimed() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(2);
        assert_eq!(view_of("", &shuffle).claim.as_deref(), Some("threefold repetition"));
    }

    #[test]
    fn null_moves_pass() {
        let line =
            |moves: &[&str]| GameLine { start: None, moves: moves.iter().map(|&mv| mv.into()).collect() };
        let reply = view(&line(&["e2e4", "", "d2d4"]).play().unwrap(), &Resources::default());
        assert_eq!(
            (reply.legal.len(), &reply.fen[..52]),
            (20, "rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq")
        );
        let error = line(&["e2e4", "f7f6", "d1h5", ""]).play().unwrap_err();
        assert_eq!(error.to_string(), "move 4: a null move is illegal in check");
    }

    #[test]
    fn invalid_games_name_the_move() {
        let line = GameLine { start: None, moves: vec!["e2e4".into(), "x".repeat(500)] };
        let message = line.play().unwrap_err().to_string();
        assert!(message.starts_with("move 2, \"xxxxxxxxxx\"") && message.len() < 200, "{message}");
        let line = GameLine { start: Some("nonsense".into()), moves: Vec::new() };
        assert!(line.play().unwrap_err().to_string().contains("FEN"));
    }

    fn resources_with_tablebases() -> Resources {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy");
        Resources { tablebases: Some(Arc::new(Tablebases::open(&[folder]).unwrap())), ..Resources::default() }
    }

    #[test]
    fn draws_by_the_fifty_move_rule_name_the_side_that_would_win() {
        use TablebaseResult::{Draw, FiftyMoves, WhiteWins};
        let resources = resources_with_tablebases();
        for (fen, expected) in [
            ("8/8/8/8/8/4k3/8/4K2Q w - - 95 1", (FiftyMoves, Some("white"))),
            ("8/8/8/8/8/4k3/8/4K2Q b - - 95 1", (FiftyMoves, Some("white"))),
            ("8/8/8/8/8/4K3/8/4k2q w - - 95 1", (FiftyMoves, Some("black"))),
            ("8/8/8/8/8/4K3/8/4k2q b - - 95 1", (FiftyMoves, Some("black"))),
            ("8/8/8/8/8/4k3/8/4K2Q w - - 0 1", (WhiteWins, None)),
            ("8/8/8/8/8/4k3/8/4K2B w - - 0 1", (Draw, None)),
        ] {
            let game = Game::from_position(fen.parse().unwrap());
            let table = view(&game, &resources).tablebase.unwrap();
            assert_eq!((table.result, table.would_win), expected, "{fen}");
        }
    }

    #[test]
    fn tablebase_results_name_the_winner() {
        use TablebaseResult::{BlackWins, Draw, WhiteWins};
        let resources = resources_with_tablebases();
        for (fen, expected) in [
            ("8/8/8/8/8/4k3/8/4K2Q w - - 0 1", WhiteWins),
            ("8/8/8/8/8/4k3/8/4K2Q b - - 0 1", WhiteWins),
            ("8/8/8/8/8/4k3/8/4K2Q w - - 9 1", WhiteWins),
            ("7k/8/8/8/8/8/8/K6q w - - 0 1", BlackWins),
        ] {
            let game = Game::from_position(fen.parse().unwrap());
            assert_eq!(view(&game, &resources).tablebase.map(|table| table.result), Some(expected), "{fen}");
        }
        assert_eq!(view(&Game::new(), &resources).tablebase, None);
        // Each move has its result: a mate, a win, a stalemate, and a lost queen.
        let game = Game::from_position("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1".parse().unwrap());
        let legal = view(&game, &resources).legal;
        let of = |san: &str| legal.iter().find(|mv| mv.san == san).and_then(|mv| mv.tablebase.clone());
        assert_eq!(of("Qf8#").map(|table| (table.result, table.dtz)), Some((WhiteWins, None)));
        assert_eq!(of("Kf6").map(|table| table.result), Some(WhiteWins));
        assert_eq!(of("Qf7").map(|table| table.result), Some(Draw));
        assert!(legal.iter().all(|mv| mv.tablebase.is_some()), "{legal:?}");
    }
}
