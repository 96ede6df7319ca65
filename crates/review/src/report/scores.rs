//! A game of engines as a game of a report, with the scores that the players reported.

use super::{Eval, Performance, ReportGame, ReportNode, Sides, report_nodes, rounded};
use crate::judgement::{ExpectedScore, Judgement, expected_score, pgn_score};
use tabiya_core::{Color, mate_in, mated_in};
use tabiya_movegen::{GameNode, GameTree, Position};
use tabiya_search::tuning::WdlModel;
use tabiya_search::{Score, Wdl};

impl ReportGame {
    /// A game whose players reported a score with each move, as engines do. `score` returns that of the player who made the move
    /// of a node, with the search depth; `None` if there is none.
    ///
    /// A move is judged by the fall of its player's own expected score until that player's next move. This needs no analysis, but
    /// is only as good as the players. No accuracy is computed.
    pub fn from_scores(
        number: u64,
        tree: &GameTree,
        score: impl Fn(GameNode<'_>) -> Option<(Score, Option<u32>)>,
    ) -> ReportGame {
        let (indices, mut nodes) = report_nodes(tree);
        let mut sides: Sides<Performance> = Sides::default();
        // The index and the expected score of the last move of White and of Black.
        let mut last: [Option<(usize, ExpectedScore)>; 2] = [None; 2];
        for node in tree.mainline() {
            let color = !node.position().side_to_move();
            let index = indices.get(&node.id()).map_or(0, |&index| index as usize);
            let before = last[color.index()].take();
            let Some((own, depth)) = score(node) else { continue };
            let expected = expected_from(own, node.position());
            let white = if color == Color::White { expected } else { 1.0 - expected };
            let eval = Eval::from_pgn(pgn_score(own, color), depth);
            nodes[index].eval = Some(Eval { white: Some(rounded(white, 10_000.0)), ..eval });
            let performance = if color == Color::White { &mut sides.white } else { &mut sides.black };
            performance.moves += 1;
            if let Some((bad, promised)) = before {
                nodes[bad].judge(promised - expected, performance);
            }
            last[color.index()] = Some((index, expected));
        }
        ReportGame::from_tree(number, tree, sides, nodes)
    }
}

impl ReportNode {
    /// Sets the loss and the judgement, and counts it.
    fn judge(&mut self, loss: ExpectedScore, performance: &mut Performance) {
        self.loss = Some(rounded(loss, 10_000.0)).filter(|&loss| loss > 0.0);
        self.judgement = Judgement::from_loss(loss);
        match self.judgement {
            Some(Judgement::Inaccuracy) => performance.inaccuracies += 1,
            Some(Judgement::Mistake) => performance.mistakes += 1,
            Some(Judgement::Blunder) => performance.blunders += 1,
            None => {}
        }
    }
}

/// The expected score for a player's own score, by the model of the network: other engines' scores have about the same scale.
fn expected_from(score: Score, position: &Position) -> ExpectedScore {
    let value = match score {
        Score::Centipawns(value) => value,
        Score::Mate(moves) if moves > 0 => mate_in(1),
        Score::Mate(_) => mated_in(0),
    };
    expected_score(Wdl::of(&WdlModel::NNUE, value, position.board()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::notation::PgnScore;

    #[test]
    fn moves_are_judged_by_their_players_next_score() {
        let tree: GameTree =
            "1. e4 {book} e5 {book} 2. Nf3 {30} Nc6 {-25} 3. Bb5 {-1500} a6 {290} 4. Ba4 {M-3} *"
                .parse()
                .unwrap();
        let game = ReportGame::from_scores(3, &tree, |node| {
            let text = node.comments().first()?.trim();
            let score = match text.strip_prefix('M') {
                Some(moves) => Score::Mate(moves.parse().ok()?),
                None => Score::Centipawns(text.parse().ok()?),
            };
            Some((score, Some(9)))
        });
        let eval = |index: usize| game.nodes[index].eval;
        assert_eq!((eval(0), eval(2)), (None, None));
        assert_eq!(
            eval(3).map(|eval| eval.to_pgn()),
            eval(3).map(|_| Eval::from_pgn(PgnScore::Centipawns(30), Some(9)).to_pgn())
        );
        assert_eq!((eval(4).unwrap().cp, eval(6).unwrap().cp), (Some(25), Some(-290)));
        assert_eq!((eval(7).unwrap().mate, eval(7).unwrap().white), (Some(-3), Some(0.0)));
        let judged: Vec<usize> = (0..8).filter(|&index| game.nodes[index].judgement.is_some()).collect();
        assert_eq!(judged, [3], "Black's scores rose, and 3. Bb5 was lost already");
        assert_eq!(game.nodes[3].judgement, Some(Judgement::Blunder));
        assert_eq!(
            (game.sides.white.moves, game.sides.white.blunders, game.sides.white.accuracy),
            (3, 1, None)
        );
        assert_eq!((game.sides.black.moves, game.sides.black.blunders), (2, 0));
    }
}
