//! Reviewed games and analysed positions as data for web pages, in JSON.

mod analysis;
mod page;
mod scores;

pub use analysis::{Analysis, AnalysisLine};
pub use page::{HtmlReport, PIECES, SHARED_FILES};

use crate::judgement::Judgement;
use crate::reasons::{Reason, before_exchange_at, reason};
use crate::reviewer::{GameReview, PositionReview};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use tabiya_core::notation::{Annotation, NodeId, PgnScore, annotations, without_annotations};
use tabiya_core::{Color, Move};
use tabiya_movegen::{GameNode, GameTree};

/// The value of [`Heading::format`].
pub const FORMAT: &str = "tabiya-review";

/// The version of the format. It is increased by changes that an existing reader would misunderstand; new members do not
/// change it.
pub const VERSION: u32 = 1;

/// A report: the data of a page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Format, program and settings.
    #[serde(flatten)]
    pub heading: Heading,
    /// The games.
    pub games: Vec<ReportGame>,
    /// The number of games left out because the report would be too large.
    #[serde(default)]
    pub omitted: u64,
}

/// The format of a report, and the program and settings that made it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Heading {
    /// Always [`FORMAT`].
    pub format: String,
    /// The format's [`VERSION`].
    pub version: u32,
    /// Title of the page, such as the name of the file.
    pub title: String,
    /// Name and version of the program.
    pub generator: String,
    /// The search of each position in words, such as `100,000 nodes`.
    pub search: String,
}

impl Heading {
    /// The heading of a report in the current format.
    pub fn new(title: impl Into<String>, generator: impl Into<String>, search: impl Into<String>) -> Heading {
        Heading {
            format: FORMAT.to_owned(),
            version: VERSION,
            title: title.into(),
            generator: generator.into(),
            search: search.into(),
        }
    }
}

/// A value for each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Sides<T> {
    /// White's value.
    pub white: T,
    /// Black's value.
    pub black: T,
}

impl<T> Sides<T> {
    /// Computes both values.
    pub fn from_fn(mut value: impl FnMut(Color) -> T) -> Sides<T> {
        Sides { white: value(Color::White), black: value(Color::Black) }
    }

    /// The value of a side.
    pub fn get(&self, color: Color) -> &T {
        if color == Color::White { &self.white } else { &self.black }
    }
}

/// The play of one side.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Performance {
    /// The number of reviewed moves.
    pub moves: u32,
    /// The accuracy in per cent, to one decimal. `None` without moves.
    pub accuracy: Option<f64>,
    /// The number of inaccuracies.
    pub inaccuracies: u32,
    /// The number of mistakes.
    pub mistakes: u32,
    /// The number of blunders.
    pub blunders: u32,
}

/// A reviewed game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReportGame {
    /// Number in the input, from 1.
    pub number: u64,
    /// The tags, with their names.
    pub tags: Vec<(String, String)>,
    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The start position as a FEN.
    pub start: String,
    /// The play of each side.
    pub sides: Sides<Performance>,
    /// The start position, then the moves, depth first: each line before the alternatives to its moves.
    ///
    /// The tree is flat because variations may be nested deeper than a recursive reader allows.
    pub nodes: Vec<ReportNode>,
    /// The analysis of one position, if that has been analysed instead of the whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Analysis>,
}

/// A move of a game or variation.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ReportNode {
    /// Index of the node before. If absent, it is the preceding one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// The move in SAN; empty for the start position.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub san: String,
    /// The squares that the move starts from and leads to, and the promotion piece, as in UCI. Castling is written as "king
    /// takes own rook", as in Chess960. Empty for a null move.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub uci: String,
    /// Glyphs (NAGs).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// Comments before the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// Comments after the move, without embedded commands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// The commands embedded in the comments, but for `[%eval]`, such as `[%clk 0:05:00]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<String>,
    /// The evaluation of the position after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval: Option<Eval>,
    /// The judgement of a bad move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judgement: Option<Judgement>,
    /// The loss of expected score, if the move was reviewed and lost any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    /// The reason why a bad move is bad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Index of the better move, for a bad move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<u32>,
}

/// An evaluation from White's point of view. A position in which the game is over has an expected score only.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Eval {
    /// Centipawns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// Moves to mate, negative if Black mates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// The search depth in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// White's expected score, from 0 to 1. Absent if the evaluation comes from a comment of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<f64>,
}

impl ReportGame {
    /// The data of an [annotated](fn@crate::annotate) game.
    pub fn new(number: u64, tree: &GameTree, review: &GameReview) -> ReportGame {
        let (indices, mut nodes) = report_nodes(tree);
        if let (Some(root), Some(start)) = (nodes.first_mut(), review.positions.first()) {
            root.eval = Some(Eval::from_review(start));
        }
        for (reviewed, positions) in review.moves.iter().zip(review.positions.windows(2)) {
            let node = indices.get(&reviewed.node).and_then(|&index| nodes.get_mut(index as usize));
            let (Some(node), [before, after]) = (node, positions) else { continue };
            node.eval = Some(Eval::from_review(after));
            node.loss = Some(rounded(reviewed.loss, 10_000.0)).filter(|&loss| loss > 0.0);
            node.judgement = reviewed.judgement;
            if reviewed.judgement.is_some() {
                node.reason = tree.node(reviewed.parent).and_then(|parent| {
                    reason(before_exchange_at(parent), parent.position(), reviewed.mv, before, after)
                });
                node.best = better(tree, reviewed.parent, before.line.first())
                    .and_then(|best| indices.get(&best).copied());
            }
        }
        let sides = Sides::from_fn(|color| Performance::new(review, color));
        ReportGame::from_tree(number, tree, sides, nodes)
    }

    fn from_tree(
        number: u64,
        tree: &GameTree,
        sides: Sides<Performance>,
        nodes: Vec<ReportNode>,
    ) -> ReportGame {
        ReportGame {
            number,
            tags: tree.tags().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            result: tree.result().to_string(),
            start: tree.start().to_string(),
            sides,
            nodes,
            analysis: None,
        }
    }

    /// The value of a tag, or an empty text.
    pub fn tag(&self, name: &str) -> &str {
        self.tags.iter().find(|(existing, _)| existing == name).map_or("", |(_, value)| value)
    }

    /// The name of a player, or `?`.
    pub fn player(&self, color: Color) -> &str {
        match self.tag(if color == Color::White { "White" } else { "Black" }) {
            "" => "?",
            name => name,
        }
    }
}

impl Performance {
    fn new(review: &GameReview, color: Color) -> Performance {
        Performance {
            moves: review.moves.iter().filter(|reviewed| reviewed.color == color).count() as u32,
            accuracy: review.accuracy(color).map(|percent| rounded(percent, 10.0)),
            inaccuracies: review.count(color, Judgement::Inaccuracy),
            mistakes: review.count(color, Judgement::Mistake),
            blunders: review.count(color, Judgement::Blunder),
        }
    }
}

impl Eval {
    fn from_review(position: &PositionReview) -> Eval {
        let eval =
            position.score.map_or(Eval::default(), |(score, depth)| Eval::from_pgn(score, Some(depth)));
        Eval { white: Some(rounded(position.white, 10_000.0)), ..eval }
    }

    /// The score for a PGN, with the search depth. `None` if the game is over.
    pub fn to_pgn(&self) -> Option<Annotation<'static>> {
        let score = match (self.mate, self.cp) {
            (Some(moves), _) => PgnScore::Mate(moves),
            (None, Some(value)) => PgnScore::Centipawns(value),
            (None, None) => return None,
        };
        Some(Annotation::Eval { score, depth: self.depth })
    }

    fn from_pgn(score: PgnScore, depth: Option<u32>) -> Eval {
        match score {
            PgnScore::Centipawns(value) => Eval { cp: Some(value), depth, ..Eval::default() },
            PgnScore::Mate(moves) => Eval { mate: Some(moves), depth, ..Eval::default() },
        }
    }
}

/// The node of the better move among the children of `parent`.
fn better(tree: &GameTree, parent: NodeId, best: Option<&Move>) -> Option<NodeId> {
    let mut children = tree.node(parent)?.children();
    children.find(|child| child.mv().as_ref() == best && best.is_some()).map(GameNode::id)
}

/// Returns the nodes of a game, and their indices by node.
fn report_nodes(tree: &GameTree) -> (HashMap<NodeId, u32>, Vec<ReportNode>) {
    let indices: HashMap<NodeId, u32> = tree.nodes().map(GameNode::id).zip(0..).collect();
    let nodes = tree.nodes().map(|node| report_node(node, &indices)).collect();
    (indices, nodes)
}

fn report_node(node: GameNode<'_>, indices: &HashMap<NodeId, u32>) -> ReportNode {
    let index = indices.get(&node.id()).copied().unwrap_or_default();
    let parent = node.parent().and_then(|parent| indices.get(&parent.id()).copied());
    let texts = |comments: &[String]| -> Vec<String> {
        comments.iter().map(|comment| without_annotations(comment)).filter(|text| !text.is_empty()).collect()
    };
    let (mut eval, mut commands) = (None, Vec::new());
    for found in node.comments().iter().flat_map(|comment| annotations(comment)) {
        match found {
            Annotation::Eval { score, depth } => {
                eval.get_or_insert(Eval::from_pgn(score, depth));
            }
            other => commands.push(other.to_string()),
        }
    }
    ReportNode {
        parent: parent.filter(|&parent| parent + 1 != index),
        san: node.san().map(|san| san.to_string()).unwrap_or_default(),
        uci: node.mv().map(|mv| mv.to_uci(true).to_string()).unwrap_or_default(),
        nags: node.nags().iter().map(|nag| nag.0).collect(),
        before: texts(node.comments_before()),
        comments: texts(node.comments()),
        commands,
        eval,
        ..ReportNode::default()
    }
}

/// Rounds to a multiple of `1 / steps`.
fn rounded(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps
}

#[cfg(test)]
mod tests;
