//! [`Reviewer`]: analyses the moves of a game with an engine.

mod unchecked;

use crate::accuracy::{accuracy, weights};
use crate::cancel::CancelToken;
use crate::engine::ReviewEngine;
use crate::judgement::{ExpectedScore, HumanModel, Judgement, pgn_score, score_of};
use serde::{Deserialize, Serialize};
use tabiya_core::notation::{GameResult, NodeId, PgnScore};
use tabiya_core::{Color, Move};
use tabiya_movegen::{Game, GameTree, Position};
use tabiya_search::{Engine, Info, Limits, Score, TablebaseOptions};
use unchecked::UncheckedReview;

/// An engine that reviews games.
///
/// ```
/// use tabiya_core::Color;
/// use tabiya_movegen::GameTree;
/// use tabiya_review::{CancelToken, Judgement, Reviewer};
/// use tabiya_search::{Engine, Limits, Options};
///
/// let mut reviewer = Reviewer::new(Engine::new(Options::default())?, Limits::nodes(2000));
/// let game: GameTree = "1. f3 e5 2. g4 Qh4# 0-1".parse()?;
/// let review = reviewer.review(&game, &CancelToken::never(), |_, _| {}).expect("not cancelled");
/// assert_eq!(review.moves.len(), 4);
/// assert!(review.moves[2].judgement.is_some(), "2. g4 allows mate");
/// assert!(review.accuracy(Color::White) < review.accuracy(Color::Black));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reviewer<E = Engine> {
    engine: E,
    limits: Limits,
    players: Players,
}

/// The players for whom moves are judged: the same mistake costs a master more than a beginner.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Players {
    /// The players to whose games Lichess has fitted its curve. Most people know its judgements.
    #[default]
    Lichess,
    /// Players with the mean rating of the game's tags `WhiteElo` and `BlackElo`; without tags, those of Lichess's curve. A rating of 0
    /// counts as none.
    OfGame,
    /// Players of this rating.
    Rated(u16),
}

impl Players {
    /// The model for a game.
    fn model(self, tree: &GameTree) -> HumanModel {
        // Databases write 0 for a player without a rating.
        let rating = |name| tree.tag(name)?.trim().parse::<u16>().ok().filter(|&rating| rating > 0);
        match self {
            Players::Lichess => HumanModel::LICHESS,
            Players::Rated(rating) => HumanModel::of_rating(rating),
            Players::OfGame => match (rating("WhiteElo"), rating("BlackElo")) {
                (Some(white), Some(black)) => HumanModel::of_rating(white.midpoint(black)),
                (Some(rating), None) | (None, Some(rating)) => HumanModel::of_rating(rating),
                (None, None) => HumanModel::LICHESS,
            },
        }
    }
}

/// The analysis of a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PositionReview {
    /// The expected score of White.
    pub white: ExpectedScore,
    /// The score from White's point of view and the search depth. `None` if the game is over.
    pub score: Option<(PgnScore, u32)>,
    /// The principal variation. Empty if the game is over.
    pub line: Vec<Move>,
    /// The result by the engine's tablebases, if they know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tablebase: Option<GameResult>,
}

/// The assessment of a move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveReview {
    /// The node of the position before the move.
    pub parent: NodeId,
    /// The node of the move.
    pub node: NodeId,
    /// The move.
    pub mv: Move,
    /// The side that made the move.
    pub color: Color,
    /// The loss of expected score compared with the best move; never negative. 0 if the position before it was not searched, as after a
    /// draw by rule.
    pub loss: ExpectedScore,
    /// The judgement, if the move was bad and not the only legal one.
    pub judgement: Option<Judgement>,
}

/// The analysis of the main line of a game, up to the first null move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "UncheckedReview")]
pub struct GameReview {
    /// The positions: one more than there are moves. Position `i` is the one before move `i`.
    pub positions: Vec<PositionReview>,
    /// The moves.
    pub moves: Vec<MoveReview>,
}

impl<E: ReviewEngine> Reviewer<E> {
    /// Creates a reviewer that searches each position with `limits`. Limits in nodes or plies make the results reproducible.
    pub fn new(engine: E, limits: Limits) -> Reviewer<E> {
        Reviewer { engine, limits, players: Players::default() }
    }

    /// Judges moves for these players.
    #[must_use]
    pub fn with_players(self, players: Players) -> Reviewer<E> {
        Reviewer { players, ..self }
    }

    /// Reviews the main line of a game. The result does not depend on games reviewed before.
    ///
    /// `observe` is called after each move, with the position that it leads to. Returns `None` if the review is cancelled.
    pub fn review(
        &mut self,
        tree: &GameTree,
        cancel: &CancelToken,
        mut observe: impl FnMut(&MoveReview, &PositionReview),
    ) -> Option<GameReview> {
        self.engine.clear();
        let model = self.players.model(tree);
        let mut game = Game::from_position(tree.start().clone());
        let first = self.analyse(&game, model, cancel)?;
        let mut review = GameReview { positions: vec![first], moves: Vec::new() };
        let mut parent = NodeId::ROOT;
        for node in tree.mainline() {
            // A null move ends the review: the search cannot play it.
            let Some(mv) = node.mv() else { break };
            let color = game.position().side_to_move();
            let is_forced = game.position().count_legal_moves() == 1;
            if game.play(mv).is_err() {
                break;
            }
            let after = self.analyse(&game, model, cancel)?;
            let before = &review.positions[review.moves.len()];
            // The engine's own choice counts as no loss, even if the next search thinks less of it.
            let is_best = before.line.first() == Some(&mv);
            // After a draw by rule the players may have gone on. Without a search, the position has no best move to compare with.
            let is_compared = !is_best && before.score.is_some();
            let loss =
                if is_compared { (before.expected(color) - after.expected(color)).max(0.0) } else { 0.0 };
            let judgement =
                if is_compared && !is_forced { before.judgement_of_move(&after, color, model) } else { None };
            let reviewed = MoveReview { parent, node: node.id(), mv, color, loss, judgement };
            observe(&reviewed, &after);
            review.moves.push(reviewed);
            review.positions.push(after);
            parent = node.id();
        }
        Some(review)
    }

    /// Judges a move of the current position of `game`, of which `before` is the analysis, and analyses the position after it.
    /// The engine keeps what it has learnt from the analysis. Returns `None` if the move is illegal or the search is cancelled.
    pub fn judge_move(
        &mut self,
        game: &Game,
        mv: Move,
        before: &PositionReview,
        cancel: &CancelToken,
    ) -> Option<(Option<Judgement>, PositionReview)> {
        let model = self.players.model(&GameTree::new());
        let color = game.position().side_to_move();
        let mut next = game.clone();
        next.play(mv).ok()?;
        let after = self.analyse(&next, model, cancel)?;
        Some((before.judgement_of_move(&after, color, model), after))
    }

    /// Analyses the current position of a game. Returns `None` if cancelled.
    fn analyse(&mut self, game: &Game, model: HumanModel, cancel: &CancelToken) -> Option<PositionReview> {
        if let Some(outcome) = game.outcome() {
            let white = match outcome.winner() {
                None => 0.5,
                Some(Color::White) => 1.0,
                Some(Color::Black) => 0.0,
            };
            return Some(PositionReview::without_search(white));
        }
        let Some(info) = self.engine.last_report(game, &self.limits, cancel).ok()? else {
            return Some(PositionReview::without_search(0.5));
        };
        let tablebases = &self.engine.options().tablebases;
        Some(PositionReview::from_report(game.position(), &info, tablebases, model))
    }
}

impl PositionReview {
    /// The analysis of a position by a search's report and the tablebases.
    pub fn from_report(
        position: &Position,
        info: &Info,
        tablebases: &TablebaseOptions,
        model: HumanModel,
    ) -> PositionReview {
        let side = position.side_to_move();
        let expected = model.expected(info.score);
        PositionReview {
            white: if side == Color::White { expected } else { 1.0 - expected },
            score: Some((pgn_score(info.score, side), info.depth)),
            line: info.pv.clone(),
            tablebase: tablebases.result(position),
        }
    }

    /// A position that has not been searched, such as the end of a game.
    fn without_search(white: ExpectedScore) -> PositionReview {
        PositionReview { white, score: None, line: Vec::new(), tablebase: None }
    }

    /// The judgement of a move of `color` that leads from this position to the one after it. A move that keeps the tablebases' result is
    /// not bad, however long a mate takes.
    fn judgement_of_move(
        &self,
        after: &PositionReview,
        color: Color,
        model: HumanModel,
    ) -> Option<Judgement> {
        if self.tablebase.is_some() && self.tablebase == after.tablebase {
            return None;
        }
        Judgement::of_move(model, self.score_of(color)?, after.score_of(color)?)
    }

    /// The score from a side's point of view, also if the game is over. `None` if it is unknown.
    pub fn score_of(&self, color: Color) -> Option<Score> {
        let end = || match self.expected(color) {
            1.0 => Some(Score::Mate(1)),
            0.0 => Some(Score::Mate(0)),
            0.5 => Some(Score::Centipawns(0)),
            _ => None,
        };
        self.score.map(|(score, _)| score_of(score, color)).or_else(end)
    }

    /// The expected score of a side.
    pub fn expected(&self, color: Color) -> ExpectedScore {
        if color == Color::White { self.white } else { 1.0 - self.white }
    }
}

impl GameReview {
    /// The accuracy of a side in per cent, or `None` if it made no move.
    pub fn accuracy(&self, color: Color) -> Option<f64> {
        let white: Vec<ExpectedScore> = self.positions.iter().map(|position| position.white).collect();
        let moves = self.moves.iter().zip(&self.positions).zip(weights(&white));
        // From a position that is drawn by rule, no move is judged.
        let is_counted =
            |mv: &MoveReview, before: &PositionReview| mv.color == color && before.score.is_some();
        let counted = moves.filter(|((mv, before), _)| is_counted(mv, before));
        accuracy(counted.map(|((mv, _), weight)| (mv.loss, weight)))
    }

    /// The number of moves of a side with this judgement.
    pub fn count(&self, color: Color, judgement: Judgement) -> u32 {
        let counted =
            |reviewed: &&MoveReview| reviewed.color == color && reviewed.judgement == Some(judgement);
        self.moves.iter().filter(counted).count() as u32
    }

    /// The indices in [`moves`](GameReview::moves) of the bad moves of a side that lost most, at most `count`, the worst first.
    /// Among moves with the same loss, the earlier comes first.
    ///
    /// ```
    /// use tabiya_core::Color;
    /// use tabiya_review::{CancelToken, Reviewer};
    /// use tabiya_search::{Engine, Limits, Options};
    ///
    /// let mut reviewer = Reviewer::new(Engine::new(Options::default())?, Limits::nodes(2000));
    /// let game = "1. f3 e5 2. g4 Qh4# 0-1".parse()?;
    /// let review = reviewer.review(&game, &CancelToken::never(), |_, _| {}).expect("not cancelled");
    /// assert_eq!(review.worst_moves(Color::White, 1), [2], "2. g4");
    /// assert!(review.worst_moves(Color::Black, 3).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn worst_moves(&self, color: Color, count: usize) -> Vec<usize> {
        let is_bad = |reviewed: &MoveReview| reviewed.color == color && reviewed.judgement.is_some();
        let moves = self.moves.iter().enumerate().filter(|(_, reviewed)| is_bad(reviewed));
        let mut worst: Vec<(usize, ExpectedScore)> =
            moves.map(|(index, reviewed)| (index, reviewed.loss)).collect();
        worst.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        worst.into_iter().take(count).map(|(index, _)| index).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::Canceller;
    use tabiya_search::{BlockingEngine, Options, SEARCH_STACK_SIZE};

    #[test]
    fn worst_moves_are_the_bad_ones_by_loss() {
        let reviewed = |color, loss, judgement| MoveReview {
            parent: NodeId::ROOT,
            node: NodeId::ROOT,
            mv: Position::startpos().parse_uci("e2e4").unwrap(),
            color,
            loss,
            judgement,
        };
        let moves = [0.01, 0.06, 0.3, 0.3, 0.9, 0.2]
            .map(|loss| reviewed(Color::White, loss, Judgement::from_loss(loss)))
            .into_iter()
            // A forced move is not judged.
            .chain([reviewed(Color::White, 1.0, None), reviewed(Color::Black, 0.5, Some(Judgement::Blunder))])
            .collect();
        let review = GameReview { positions: Vec::new(), moves };
        assert_eq!(review.worst_moves(Color::White, 3), [4, 2, 3]);
        assert_eq!(review.worst_moves(Color::White, 9), [4, 2, 3, 5, 1]);
        assert_eq!(review.worst_moves(Color::Black, 9), [7]);
    }

    #[test]
    fn moves_that_keep_the_tablebase_result_are_not_judged() {
        let review = |score, tablebase| PositionReview {
            white: 1.0,
            score: Some((score, 14)),
            line: Vec::new(),
            tablebase,
        };
        let judgement = |before, after| {
            let before = review(PgnScore::Centipawns(31_749), before);
            let after = review(PgnScore::Mate(8), after);
            before.judgement_of_move(&after, Color::Black, HumanModel::LICHESS)
        };
        let won = Some(GameResult::WhiteWins);
        assert_eq!(judgement(won, won), None);
        assert_eq!(judgement(Some(GameResult::Draw), won), Some(Judgement::Inaccuracy));
        assert_eq!(judgement(None, won), Some(Judgement::Inaccuracy));
        assert_eq!(judgement(None, None), Some(Judgement::Inaccuracy));
    }

    #[test]
    fn rating_of_0_is_no_rating() {
        let model = |tags: &str| Players::OfGame.model(&format!("{tags}\n\n1. e4 *").parse().unwrap());
        assert_eq!(model("[WhiteElo \"0\"]\n[BlackElo \"2400\"]"), HumanModel::of_rating(2400));
        assert_eq!(model("[WhiteElo \"2000\"]\n[BlackElo \"2400\"]"), HumanModel::of_rating(2200));
        assert_eq!(model("[WhiteElo \"0\"]\n[BlackElo \"-\"]"), HumanModel::LICHESS);
    }

    #[test]
    fn moves_after_a_draw_by_rule_are_not_judged() {
        let game =
            "[FEN \"4k3/8/8/8/8/8/6p1/R3K2R b KQ - 149 100\"]\n\n100... Kf7 101. Kf2 gxh1=Q 102. Rxh1 *";
        let engine = Engine::new(Options::default().with_hash_mb(4)).unwrap();
        let review = Reviewer::new(engine, Limits::nodes(1000)).review(
            &game.parse().unwrap(),
            &CancelToken::never(),
            |_, _| {},
        );
        let review = review.unwrap();
        // The seventy-five moves are over after Kf7. The capture begins a new count.
        let searched: Vec<bool> = review.positions.iter().map(|position| position.score.is_some()).collect();
        assert_eq!(searched, [true, false, false, true, true]);
        for reviewed in &review.moves[1..3] {
            assert_eq!((reviewed.loss, reviewed.judgement), (0.0, None), "{}", reviewed.mv);
        }
        // White's first move and Black's second are not counted.
        let accuracy = |moves: &[usize]| {
            let white: Vec<_> = review.positions.iter().map(|position| position.white).collect();
            let weights = weights(&white);
            accuracy(moves.iter().map(|&index| (review.moves[index].loss, weights[index])))
        };
        assert_eq!(review.accuracy(Color::White), accuracy(&[3]));
        assert_eq!(review.accuracy(Color::Black), accuracy(&[0]));
    }

    #[test]
    fn both_engines_review_alike() {
        let options = Options::default().with_hash_mb(4);
        let game: GameTree = "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0".parse().unwrap();
        let engine = Engine::new(options.clone()).unwrap();
        let expected =
            Reviewer::new(engine, Limits::nodes(1000)).review(&game, &CancelToken::never(), |_, _| {});
        let blocking = move || {
            let engine = BlockingEngine::with_options(options).unwrap();
            Reviewer::new(engine, Limits::nodes(1000)).review(&game, &CancelToken::never(), |_, _| {})
        };
        let thread = std::thread::Builder::new().stack_size(SEARCH_STACK_SIZE).spawn(blocking).unwrap();
        let review = thread.join().unwrap();
        assert!(review.is_some());
        assert_eq!(review, expected);
    }

    #[test]
    fn cancellation_stops_a_search_without_limit() {
        let (canceller, token) = Canceller::new();
        let engine = Engine::new(Options::default().with_hash_mb(4)).unwrap();
        let thread = std::thread::spawn(move || {
            let mut reviewer = Reviewer::new(engine, Limits::default());
            reviewer.review(&"1. e4 *".parse().unwrap(), &token, |_, _| {})
        });
        drop(canceller);
        assert_eq!(thread.join().unwrap(), None);
    }
}
