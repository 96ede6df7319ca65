//! One game of a match runner, with the scores in its comments.

use std::fmt;
use tabiya_core::notation::{CommentToken, GameResult, Next, TagToken};
use tabiya_core::{Color, Key, Move};
use tabiya_lab_common::engine_score;
use tabiya_lab_common::games::{EndReason, GameRecord, Origin, ScoredMove, score};
use tabiya_lab_common::pgn_comment::{Termination, reported_score};
use tabiya_movegen::{GameVisitor, Position, ReplayError};

/// The reason why a game gives no training data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LeftOut {
    /// The game has no result.
    NoResult,
    /// It was lost on time, by an illegal move or a crash.
    Fault,
    /// The PGN or a move is invalid.
    Invalid,
    /// The result cannot be that of the last position.
    Contradiction,
    /// Moves between scored ones, or the last one, have no score.
    MissingScore,
    /// No move has a score.
    NoScore,
}

impl LeftOut {
    /// All reasons, in the order of their codes.
    pub(super) const ALL: [LeftOut; 6] = [
        LeftOut::NoResult,
        LeftOut::Fault,
        LeftOut::Invalid,
        LeftOut::Contradiction,
        LeftOut::MissingScore,
        LeftOut::NoScore,
    ];
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            LeftOut::NoResult => "no result",
            LeftOut::Fault => "lost on time, by an illegal move or by a crash",
            LeftOut::Invalid => "invalid PGN",
            LeftOut::Contradiction => "the last position has another result",
            LeftOut::MissingScore => "a move after the opening has no score",
            LeftOut::NoScore => "no move has a score",
        })
    }
}

/// Collects the scored moves of each game.
#[derive(Default)]
pub(super) struct ScoredGames {
    game: Game,
    /// The first error of the game.
    error: Option<String>,
}

/// The game being read.
#[derive(Default)]
struct Game {
    result: GameResult,
    termination: Termination,
    /// Known only for games from the start position of chess.
    origin: Option<Origin>,
    /// The position before the first move with a score.
    start: Option<Position>,
    moves: Vec<ScoredMove>,
    /// The last move and its side, while their comment has not been read.
    pending: Option<(Color, Move)>,
    missing_score: bool,
    /// Keys of the positions since the last capture or pawn move, to find repetitions.
    keys: Vec<Key>,
    /// The last comment, which names the reason of the end.
    last_comment: Vec<u8>,
}

impl ScoredGames {
    /// Returns the text of the first error of the last game.
    pub(super) fn take_error(&mut self) -> Option<String> {
        self.error.take()
    }
}

impl GameVisitor for ScoredGames {
    type Output = Result<GameRecord, LeftOut>;

    fn begin_game(&mut self) {
        let Game { mut moves, mut keys, mut last_comment, .. } = std::mem::take(&mut self.game);
        moves.clear();
        keys.clear();
        last_comment.clear();
        self.game = Game { moves, keys, last_comment, ..Game::default() };
        self.error = None;
    }

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        match tag.name_bytes() {
            b"Result" => self.game.result = tag.value().parse().unwrap_or_default(),
            b"Termination" => self.game.termination = Termination::of_tag(&tag.value()),
            _ => {}
        }
        Next::Read
    }

    fn start(&mut self, position: &Position) -> Next {
        if *position == Position::startpos() {
            self.game.origin = Some(Origin::Standard);
        }
        Next::Read
    }

    fn play(&mut self, position: &Position, mv: Move) -> Next {
        let game = &mut self.game;
        game.skip_pending();
        if game.moves.is_empty() {
            game.start = Some(position.clone());
        }
        if position.board().halfmove_clock() == 0 {
            game.keys.clear();
        }
        game.keys.push(position.board().key());
        game.pending = Some((position.side_to_move(), mv));
        Next::Read
    }

    fn comment(&mut self, comment: CommentToken<'_>) {
        let game = &mut self.game;
        let text = comment.as_bytes();
        game.last_comment.clear();
        game.last_comment.extend(text);
        if let Some((side, mv)) = game.pending
            && let Some(score) = reported_score(text).map(engine_score::score)
        {
            game.moves.push(ScoredMove { mv, score: score::stored(side, score) });
            game.pending = None;
        }
    }

    fn result(&mut self, result: GameResult) {
        // The move text may lack the result; the tag has it too.
        if result != GameResult::Unknown {
            self.game.result = result;
        }
    }

    fn error(&mut self, error: ReplayError) -> Next {
        self.error.get_or_insert_with(|| error.to_string());
        Next::Skip
    }

    fn end_game(&mut self, last: &Position) -> Result<GameRecord, LeftOut> {
        if self.error.is_some() {
            return Err(LeftOut::Invalid);
        }
        self.game.skip_pending();
        self.game.finish(last)
    }
}

impl Game {
    /// Gives up waiting for the score of the last move.
    fn skip_pending(&mut self) {
        if self.pending.take().is_some() && !self.moves.is_empty() {
            self.missing_score = true;
        }
    }

    fn finish(&mut self, last: &Position) -> Result<GameRecord, LeftOut> {
        let winner = match self.result {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw => None,
            GameResult::Unknown => return Err(LeftOut::NoResult),
        };
        if self.termination == Termination::Fault {
            return Err(LeftOut::Fault);
        }
        if self.missing_score {
            return Err(LeftOut::MissingScore);
        }
        let start = self.start.take().filter(|_| !self.moves.is_empty()).ok_or(LeftOut::NoScore)?;
        let end_reason = self.end_reason(winner, last)?;
        let half_points = winner.map_or(1, |winner| if winner == Color::White { 2 } else { 0 });
        let origin = self.origin.unwrap_or(Origin::Other);
        Ok(GameRecord { start, half_points, origin, end_reason, moves: self.moves.clone() })
    }

    /// Returns the reason of the end: from the rules of chess if they give one, otherwise from the tag and the last comment.
    fn end_reason(&self, winner: Option<Color>, last: &Position) -> Result<EndReason, LeftOut> {
        if last.is_checkmate() {
            let is_result = winner == Some(!last.side_to_move());
            return if is_result { Ok(EndReason::Checkmate) } else { Err(LeftOut::Contradiction) };
        }
        if last.is_stalemate() || last.is_dead() {
            return if winner.is_none() { Ok(EndReason::RuleDraw) } else { Err(LeftOut::Contradiction) };
        }
        if winner.is_none() && self.is_claimable(last) {
            return Ok(EndReason::RuleDraw);
        }
        let mentions = |text: &[u8]| self.last_comment.windows(text.len()).any(|window| window == text);
        Ok(if mentions(b"SyzygyTB") || mentions(b"tablebases") {
            EndReason::Tablebases
        } else if mentions(b"maximal game length") || mentions(b"too many moves") {
            EndReason::MaxMoves
        } else if self.termination != Termination::Adjudication {
            EndReason::Other
        } else if winner.is_some() {
            EndReason::WinAdjudication
        } else {
            EndReason::DrawAdjudication
        })
    }

    /// Returns true if a player may claim a draw: after fifty moves, or at the third occurrence of a position.
    fn is_claimable(&self, last: &Position) -> bool {
        let board = last.board();
        let occurrences = self.keys.iter().filter(|&&key| key == board.key()).count();
        board.halfmove_clock() >= 100 || board.halfmove_clock() > 0 && occurrences >= 2
    }
}
