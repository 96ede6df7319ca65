//! An analysed position as a game of a report.

use super::{Eval, ReportGame, Sides, report_nodes, rounded};
use crate::judgement::{HumanModel, pgn_score};
use serde::{Deserialize, Serialize};
use tabiya_core::Color;
use tabiya_core::notation::NodeId;
use tabiya_movegen::GameTree;
use tabiya_search::Info;

/// The analysis of one position of a game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Analysis {
    /// Index of the position's node.
    pub node: u32,
    /// The lines, best first.
    pub lines: Vec<AnalysisLine>,
}

/// A line of an [`Analysis`].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AnalysisLine {
    /// The value of the line.
    pub eval: Eval,
    /// Indices of the moves' nodes.
    pub nodes: Vec<u32>,
}

impl ReportGame {
    /// A game with the lines of a search from one of its positions, best first. Their moves are added to the game. No side's play
    /// is reviewed.
    ///
    /// # Panics
    /// If `position` is not a node of the game.
    pub fn from_analysis(mut tree: GameTree, position: NodeId, lines: &[Info]) -> ReportGame {
        let side = tree.node(position).map_or(Color::White, |node| node.position().side_to_move());
        let mut paths: Vec<(Eval, Vec<NodeId>)> = Vec::new();
        for info in lines {
            let mut path = Vec::new();
            for &mv in &info.pv {
                let Ok(node) = tree.play(path.last().copied().unwrap_or(position), mv) else { break };
                path.push(node);
            }
            paths.push((Eval::from_info(info, side), path));
        }
        let (indices, mut nodes) = report_nodes(&tree);
        let index = |id: &NodeId| indices.get(id).copied().unwrap_or_default();
        // The position has the value of the best line, and the first move of each line that of the line.
        for (eval, path) in paths.iter().rev() {
            for id in path.first().into_iter().chain([&position]) {
                if let Some(node) = nodes.get_mut(index(id) as usize) {
                    node.eval = Some(*eval);
                }
            }
        }
        let lines = paths
            .into_iter()
            .map(|(eval, path)| AnalysisLine { eval, nodes: path.iter().map(index).collect() });
        let analysis = Analysis { node: index(&position), lines: lines.collect() };
        ReportGame { analysis: Some(analysis), ..ReportGame::from_tree(1, &tree, Sides::default(), nodes) }
    }
}

impl Eval {
    /// The score of a report, in which `side` is to move at the root.
    fn from_info(info: &Info, side: Color) -> Eval {
        let expected = HumanModel::LICHESS.expected(info.score);
        let white = if side == Color::White { expected } else { 1.0 - expected };
        let eval = Eval::from_pgn(pgn_score(info.score, side), Some(info.depth));
        Eval { white: Some(rounded(white, 10_000.0)), ..eval }
    }
}
